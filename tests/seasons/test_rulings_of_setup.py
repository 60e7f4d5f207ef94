"""The numbered rulings on decks, set-up, order and priority (expansion, section 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.events.cards import TalesRevealed
from events.inis.events.seasons import HarborBuilt, SeasonDrawn
from events.inis.vocabulary import Location, TerritoryId
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, DI, EVE, Game, card, here
from tests.seasons.table import ALL, drafted, expanded, island_of, more, opened, season_state, season_turn
from workers.inis.seasons.cards.actions import shared
from workers.inis.seasons.steps import BuildHarbor, HarborOfCapital, SettleHarbors
from workers.inis.seasons.wheel import effect_order
from workers.inis.steps.hands import GiveCard
from workers.inis.steps.rounds import Turn

FIFTH = {"clans_harmony", "coalition", "fili", "the_king_and_the_land"}


def test_ruling_1_five_players_hold_twenty_of_twenty_one_action_cards() -> None:
    """Four each, one aside, none left."""
    state = drafted(opened(5, "fifth_player")).state

    assert [4] * 5 == [len(each.actions) for each in state.contenders]
    assert state.aside is not None
    assert ((), ()) == (state.pile, state.undealt)
    assert 21 == len(state.catalogue.action_deck(5))


@pytest.mark.parametrize(("seats", "deck"), [(2, 13), (3, 13), (4, 17)])
def test_the_cards_for_five_leave_smaller_decks(seats: int, deck: int) -> None:
    """Also when the module is switched on (expansion, section 1.2)."""
    state = opened(seats, "fifth_player").state

    assert deck == len(state.catalogue.action_deck(seats))
    assert not FIFTH & set(state.catalogue.action_deck(seats))


def test_ruling_3_two_players_hold_six_of_thirteen_action_cards() -> None:
    """One is aside."""
    state = drafted(opened(2, *ALL)).state

    assert [6, 6] == [len(each.actions) for each in state.contenders]
    assert 13 == len(state.catalogue.action_deck(2))


@pytest.mark.parametrize(
    ("modules", "tales"),
    [(("new_epic_tales",), 44), (("new_epic_tales", "sea_travels"), 45), (("sea_travels",), 30), (("seasons",), 30)],
)
def test_ruling_4_sons_of_mile_need_the_sea(modules: tuple[str, ...], tales: int) -> None:
    """Without Sea Travels they stay out of the deck."""
    state = opened(3, *modules).state

    assert tales == len(state.deck)
    assert (tales == 45) == (card("sons_of_mile") in state.deck)


@pytest.mark.parametrize("number", range(5))
def test_ruling_5_islands_are_not_there_at_the_start(number: int) -> None:
    """Five mainland tiles lie, and seventeen are left, the three islands among them."""
    state = opened(5, "fifth_player", "sea_travels", seed=bytes([number]) * 32).state

    assert (5, 17) == (len(state.lands), len(state.stack))
    assert [] == island_of(state)
    assert {"inis_mona", "isle_of_joy", "hy_breasil"} <= set(state.stack)


def choosing(tiles: tuple[str, ...], capital: str) -> Game:
    """Return a game of set-up in which the Brenn has just named the capital."""
    state = season_state(tiles, seats=3, capital=capital, modules=("sea_travels",))
    return Game(replace(state, agenda=(HarborOfCapital(), Turn(seat=ANN)), brenn=ANN))


def test_ruling_6_the_harbor_of_the_capital_avoids_other_territories() -> None:
    """There is one such spot, and no choice."""
    game = choosing(("forest", "valley", "moor"), "forest")

    assert [HarborBuilt(territory=here("forest"), spot=Location("H-1,1"))] == game.happened(HarborBuilt)


def test_ruling_7_a_capital_with_a_harbor_gets_no_second() -> None:
    """The new Cove came with one."""
    game = choosing(("forest", "cove", "moor"), "cove")

    assert [] == game.happened(HarborBuilt)
    assert [here("cove")] == list(more(game.state).harbors)


def test_the_brenn_picks_where_there_is_a_choice() -> None:
    """With two tiles in play the first has two spots (expansion, section 5.6)."""
    state = season_state(("forest", "valley"), seats=2, capital="forest", modules=("sea_travels",))
    game = Game(replace(state, agenda=(HarborOfCapital(), Turn(seat=ANN)), brenn=BO))
    assert [BO] == game.asked
    game.choose(BO, location="H1,-1")

    assert {here("forest"): Location("H1,-1")} == more(game.state).harbors


def test_ruling_101_a_harbor_of_set_up_lies_at_the_first_candidate() -> None:
    """The second of four tiles has no spot that avoids every neighbour."""
    state = season_state(("forest", "cove", "moor", "hills"), seats=4, modules=("sea_travels",), capital=None)
    state = expanded(replace(state, agenda=(SettleHarbors(), Turn(seat=ANN))), harbors={})
    game = Game(state)

    assert [HarborBuilt(territory=here("cove"), spot=Location("H0,2"))] == game.happened(HarborBuilt)
    assert not [step for step in game.state.agenda if isinstance(step, BuildHarbor)]


def test_ruling_8_effects_begin_at_the_brenn() -> None:
    """Then as the crows fly: P3, P2, P1, P4."""
    state = season_state(seats=4, brenn=CY, direction="counterclockwise")

    assert (CY, BO, ANN, DI) == effect_order(state)


def test_maeves_wealth_is_given_back_from_the_brenn_on() -> None:
    """It concerns several players (expansion, section 3.1)."""
    hands = {ANN: ["maeves_wealth"], BO: ["bard"], CY: ["druid"], DI: ["geis"]}
    game = season_turn(seats=4, brenn=CY, clans={"cove": (1, 1, 1, 1)}, hands=hands).play(ANN, "maeves_wealth").calm()
    for seat in (BO, CY, DI):
        game.send(game.legal(seat)[0])
    steps = [step.to for step in game.state.agenda if isinstance(step, GiveCard)]

    assert [CY, DI, BO] == steps


@pytest.mark.parametrize(("brenn", "order"), [(CY, [CY, DI, BO]), (BO, [BO, CY, DI]), (ANN, [BO, CY, DI])])
def test_deirdres_beauty_is_shown_from_the_brenn_on(brenn: Seat, order: list[Seat]) -> None:
    """It concerns several players (expansion, section 3.1)."""
    hands = {ANN: ["deirdres_beauty"], BO: ["eriu"], CY: ["balors_eye"], DI: ["the_fianna"]}
    game = season_turn(seats=4, brenn=brenn, clans={"cove": (1, 1, 1, 1)}, hands=hands)
    (shown,) = game.play(ANN, "deirdres_beauty").calm().happened(TalesRevealed)

    assert order == [seat for seat, _ in shown.tales]


def test_ruling_9_card_windows_begin_at_the_active_player() -> None:
    """Both would play; whoever's turn it is goes first."""
    hands = {ANN: ["bard", "oenguss_ploy"], CY: ["lug_samildanach"]}
    game = season_turn(seats=4, brenn=CY, direction="counterclockwise", clans={"cove": (1, 1, 1, 1)}, hands=hands)
    game.play(ANN, "bard").calm("action_resolved").answer(cy="lug_samildanach")
    while game.window != "turn_end":
        game.answer()
    step = game.state.agenda[0]

    assert (ANN, DI, CY, BO) == game.state.order_from(game.state.active)
    assert ANN == step.asked[0]


def test_ruling_11_a_territory_is_shared_by_players_not_by_clans() -> None:
    """Two red ones are one player's."""
    assert [] == shared(season_state(clans={"cove": (2,)}))
    assert [here("cove")] == shared(season_state(clans={"cove": (1, 1)}))


def test_the_wheel_begins_anywhere() -> None:
    """By chance, which is recorded."""
    drawn = set()
    for number in range(20):
        game = opened(2, "seasons", seed=bytes([number]) * 32)
        drawn.add(more(game.state).season)

    assert {"imbolc", "beltaine", "lugnasad", "samhain"} == drawn
    assert SeasonDrawn.reveals


def test_a_fifth_seat_has_a_start_tile_beside_two() -> None:
    """At the place of the document (expansion, section 5.6)."""
    state = opened(5, "fifth_player").state
    first, second, *_, fifth = state.lands.values()

    assert Location("U-1,2") == fifth.location
    assert (first.id, second.id) == fifth.beside
    assert 12 == state.contenders[EVE].reserve + sum(land.clans[EVE] for land in state.lands.values())


def test_without_the_sea_the_tiles_are_those_of_the_base_game() -> None:
    """None is an island, none has a harbor (expansion, section 1.2)."""
    state = opened(4, "want_king", "seasons", "new_epic_tales").state
    tiles: set[TerritoryId] = {*state.lands, *state.stack}

    assert 16 == len(tiles)
    assert {} == more(state).harbors
    assert not [each for each in tiles if state.catalogue.tiles[each].harbor]
