"""The numbered rulings on decks, set-up, order and priority (expansion, section 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Respond
from events.inis.events.cards import CardPlayed, TalesRevealed
from events.inis.events.seasons import HarborBuilt, SeasonDrawn
from events.inis.vocabulary import Location, TerritoryId
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, DI, EVE, EXPANDED, Game, card, here
from tests.seasons.table import (
    ALL,
    at_dusk,
    drafted,
    expanded,
    island_of,
    more,
    opened,
    options,
    season_state,
    season_turn,
)
from workers.inis.seasons.cards.actions import shared
from workers.inis.seasons.steps import (
    BansheeRemove,
    BuildHarbor,
    FestivalDiscardTales,
    FestivalPlace,
    FestivalTrade,
    HoldSacredFestival,
    SettleHarbors,
)
from workers.inis.seasons.wheel import effect_order
from workers.inis.steps.hands import GiveCard
from workers.inis.steps.rounds import EndAssembly, Turn

HANDS = (("bard", "eriu"), ("citadel", "balors_eye"), ("conquest", "the_fianna"), ("druid", "lugs_spear"))
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
    """Return a game of set-up with these start tiles, in which the Brenn has just named the capital."""
    seats = len(tiles)
    rest = EXPANDED.initial(options("sea_travels"), seats).agenda
    state = expanded(season_state(tiles, seats=seats, capital=None, modules=("sea_travels",)), harbors={})
    laid = next(number for number, step in enumerate(rest) if isinstance(step, SettleHarbors))
    game = Game(replace(state, phase="setup", round=0, agenda=rest[laid:]))
    assert [game.state.brenn] == game.asked
    return game.choose(game.state.brenn, territory=capital)


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
    game = choosing(("forest", "valley"), "forest")
    assert [game.state.brenn] == game.asked
    game.choose(game.state.brenn, location="H1,-1")

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


def asked_in_turn(game: Game, **fields: object) -> list[Seat]:
    """Return who is asked one after another, while each chooses the same."""
    seats: list[Seat] = []
    while game.asked and isinstance(game.state.agenda[0], FestivalPlace | FestivalTrade | FestivalDiscardTales):
        seats += game.asked
        game.choose(game.asked[0], **fields)
    return seats


@pytest.mark.parametrize(("season", "choice"), [("imbolc", "decline"), ("lugnasad", "stop"), ("samhain", "decline")])
def test_ruling_8_festivals_begin_at_the_brenn(season: str, choice: str) -> None:
    """Each asks all four, and the Brenn sits on the third seat."""
    held = {Seat(seat): list(each) for seat, each in enumerate(HANDS)}
    state = season_state(
        seats=4, brenn=CY, direction="counterclockwise", season=season, clans={"cove": (1, 1, 1, 1)}, hands=held
    )
    game = Game(replace(state, phase="assembly", agenda=(HoldSacredFestival(), EndAssembly())))

    assert [CY, BO, ANN, DI] == asked_in_turn(game, option=choice)


def test_ruling_8_banshees_come_to_the_brenn_first() -> None:
    """Then to the others, against the sun."""
    state = season_state(
        seats=4,
        brenn=CY,
        direction="counterclockwise",
        clans={"cove": (2, 2, 2, 2)},
        changes={"banshee": (ANN, BO, CY, DI)},
    )
    game, seats = at_dusk(Game(state)), []
    while isinstance(game.state.agenda[0], BansheeRemove):
        seats += game.asked
        game.choose(game.asked[0], territory="cove").calm()

    assert [CY, BO, ANN, DI] == seats


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
    """P1 and the Brenn P3 both play in one window; P1, whose turn it is, goes first, and P3 is asked again."""
    hands = {ANN: ["bard", "moor"], CY: ["oenguss_ploy"]}
    game = season_turn(seats=4, brenn=CY, direction="counterclockwise", clans={"cove": (1, 1, 1, 1)}, hands=hands)
    game.play(ANN, "bard").calm("turn_end")
    assert {ANN, CY} <= set(game.asked)
    game.answer(ann="moor", cy="oenguss_ploy")
    assert [CardPlayed(seat=ANN, card=card("moor"))] == game.happened(CardPlayed)
    assert card("oenguss_ploy") in game.hand(CY)
    while game.window != "turn_end":
        game.answer() if game.window else game.send(game.legal(game.asked[0])[0])
    game.answer(cy="oenguss_ploy")

    assert [CardPlayed(seat=CY, card=card("oenguss_ploy"))] == game.happened(CardPlayed)


@pytest.mark.parametrize("first", [ANN, DI])
def test_ruling_9_whoever_sits_nearer_goes_first(first: Seat) -> None:
    """The other answered before, and is not served yet: the crows fly from Ann to Di, Cy and Bo."""
    other = CY if first == ANN else BO
    hands = {ANN: ["bard"], other: ["oenguss_ploy"]}
    hands[first] = [*hands.get(first, []), "moor"]
    game = season_turn(seats=4, brenn=CY, direction="counterclockwise", clans={"cove": (1, 1, 1, 1)}, hands=hands)
    game.play(ANN, "bard").calm("turn_end")
    rest = [Respond(seat=seat, card=None) for seat in game.asked if seat not in (first, other)]
    game.send(Respond(seat=other, card=card("oenguss_ploy")), Respond(seat=first, card=card("moor")), *rest)

    assert [CardPlayed(seat=first, card=card("moor"))] == game.happened(CardPlayed)


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
