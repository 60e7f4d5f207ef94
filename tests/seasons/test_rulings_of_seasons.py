"""The numbered rulings on seasons and Sacred Festivals (expansion, sections 4.6 and 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, MoveForBeltaine, PassTurn, PlayCard
from events.inis.events.board import ClanPlaced, ClashStarted
from events.inis.events.cards import CardDiscarded, CardTaken, TalesDrawn
from events.inis.events.seasons import WheelTurned
from tests.inis.table import ANN, BO, CY, Game, assembly, card, fight, here, part
from tests.seasons.table import drafted, more, opened, options, quietly, season_state, season_turn
from workers.inis.seasons.almanac import modules_of, slot
from workers.inis.seasons.steps import FestivalPlace, FestivalTrade, HoldSacredFestival
from workers.inis.state import InisState
from workers.inis.steps.hands import PutAside
from workers.inis.steps.rounds import EndAssembly, Turn

ACTIONS = ["bard", "citadel", "conquest", "druid", "exploration", "festival"]
TALES = ["eriu", "balors_eye", "the_fianna", "lugs_spear", "tuans_memory"]


def feast(state: InisState) -> Game:
    """Return a game at its Sacred Festival."""
    return Game(replace(state, phase="assembly", agenda=(HoldSacredFestival(), EndAssembly())))


def test_ruling_31_who_holds_fewest_cards_may_place_a_clan() -> None:
    """All kinds count together."""
    hands = {ANN: ["bard", "citadel", "eriu", "forest", "moor"], BO: ["druid", "conquest", "valley", "balors_eye"]}
    hands[CY] = ["festival", "geis", "migration", "new_clans", "sanctuary", "tuans_memory"]
    clans = {"cove": (1, 1, 1)}
    game = feast(season_state(clans=clans, hands=hands))
    assert [BO] == game.asked
    assert [Choose(seat=BO, part=part(option="decline")), Choose(seat=BO, part=part(territory="cove"))] == game.legal(
        BO
    )
    game.choose(BO, territory="cove")
    assert (1, 2, 1) == game.clans("cove")

    hands[ANN] = hands[ANN][:4]
    game = feast(season_state(clans=clans, hands=hands))
    game.choose(ANN, territory="cove").choose(BO, option="decline")
    assert (2, 1, 1) == game.clans("cove")


@pytest.mark.parametrize("clans", [{"cove": (1, 0, 1)}, {"cove": (1, 12, 1)}], ids=["nowhere", "reserve"])
def test_who_holds_fewest_may_have_nothing_to_place(clans: dict[str, tuple[int, ...]]) -> None:
    """Without presence or reserve nobody is asked, nor anybody else instead (expansion, section 4.6, F1)."""
    game = feast(season_state(clans=clans, hands={ANN: ["bard"], CY: ["druid"]}))

    assert isinstance(game.state.agenda[0], Turn)


@pytest.mark.parametrize("clans", [{"cove": (0, 1)}, {"cove": (12, 1)}], ids=["nowhere", "reserve"])
def test_tales_bring_no_clan_where_there_is_none_to_place(clans: dict[str, tuple[int, ...]]) -> None:
    """They are discarded all the same (expansion, section 4.6, F3)."""
    game = feast(season_state(season="lugnasad", clans=clans, hands={ANN: ["bard", "eriu", "balors_eye"]}))
    game.choose(ANN, card="eriu").choose(ANN, option="stop")

    assert (card("balors_eye"),) == game.state.contenders[ANN].tales
    assert [] == game.happened(ClanPlaced)
    assert not isinstance(game.state.agenda[0], FestivalPlace) or game.asked != [ANN]


def test_ruling_32_tales_for_clans() -> None:
    """Ann gives two of five for two clans and keeps three."""
    game = feast(season_state(season="lugnasad", clans={"cove": (1, 1)}, hands={ANN: TALES}))
    game.choose(ANN, card="eriu").choose(ANN, card="the_fianna").choose(ANN, option="stop")
    game.choose(ANN, territory="cove").choose(ANN, territory="cove")

    assert (3, 1, 0) == game.clans("cove")
    assert 3 == len(game.state.contenders[ANN].tales)
    assert {card("eriu"), card("the_fianna")} == set(game.state.discards)
    assert isinstance(game.state.agenda[0], Turn)


def test_ruling_32_too_many_tales_go_for_nothing() -> None:
    """No clan, and two must go."""
    game = feast(season_state(season="lugnasad", clans={"cove": (1, 1)}, hands={ANN: TALES}))
    game.choose(ANN, option="stop").choose(ANN, card="eriu").choose(ANN, card="tuans_memory")

    assert (1, 1, 0) == game.clans("cove")
    assert 3 == len(game.state.contenders[ANN].tales)
    assert isinstance(game.state.agenda[0], Turn)


def test_ruling_33_an_action_card_for_a_tale() -> None:
    """Once; the hand stays as large."""
    hands = {ANN: ACTIONS[:3], BO: ACTIONS[3:]}
    game = feast(season_state(season="samhain", clans={"cove": (1, 1)}, hands=hands))
    game.choose(ANN, card="bard")
    ann = game.state.contenders[ANN]
    assert (2, 1) == (len(ann.actions), len(ann.tales))
    assert [CardDiscarded(seat=ANN, card=card("bard"))] == game.happened(CardDiscarded)
    assert game.happened(TalesDrawn)
    game.calm()
    assert [BO] == game.asked
    game.choose(BO, option="decline")

    assert isinstance(game.state.agenda[0], Turn)
    assert (3, 0) == (len(game.state.contenders[BO].actions), len(game.state.contenders[BO].tales))


def test_ruling_35_withdrawing_is_not_limited_in_winter() -> None:
    """All five may go."""
    clans = {"forest": (5, 1), "cove": (2,)}
    game = fight(season_state(season="samhain", clans=clans)).votes(ANN, end=False)
    game.withdraw(ANN, part(to="cove", amount=5)).calm()

    assert 7 == game.clans("cove")[ANN]


def test_ruling_36_the_beltaine_move() -> None:
    """Three clans for a card; nobody could answer, and the turn is over."""
    hands = {ANN: ["bard", "citadel"], BO: ["geis"]}
    game = season_turn(season="beltaine", clans={"cove": (4, 1)}, hands=hands, passed=(BO, CY))
    game.send(MoveForBeltaine(seat=ANN)).choose(ANN, card="bard")
    assert {1, 2, 3} == {each.part.amount for each in game.legal(ANN) if isinstance(each, Choose)}
    game.choose(ANN, territory="cove", to="forest", amount=3)

    assert (1, 3) == (game.clans("cove")[ANN], game.clans("forest")[ANN])
    assert card("bard") in game.state.pile
    assert game.window in ("", "turn_end")
    assert () == game.state.passed
    game.calm()
    assert BO == game.state.turn


def test_the_beltaine_move_clashes_as_usual() -> None:
    """Where opponents are."""
    game = season_turn(season="beltaine", clans={"cove": (4,), "forest": (0, 1)}, hands={ANN: ["bard"]})
    game.send(MoveForBeltaine(seat=ANN)).choose(ANN, card="bard").choose(ANN, territory="cove", to="forest", amount=2)

    assert [ClashStarted(territory=here("forest"), instigator=ANN)] == game.happened(ClashStarted)


def test_ruling_37_the_opening_turn_is_no_beltaine_move() -> None:
    """It must be a Season card."""
    game = season_turn(season="beltaine", clans={"cove": (4, 1)}, hands={ANN: ["bard", "citadel"]}, opening=True)

    assert MoveForBeltaine(seat=ANN) not in game.legal(ANN)
    game.refuses(MoveForBeltaine(seat=ANN), "no_beltaine_move")


@pytest.mark.parametrize("season", ["imbolc", "lugnasad", "samhain"])
def test_other_seasons_have_no_beltaine_move(season: str) -> None:
    """It is refused."""
    game = season_turn(season=season, clans={"cove": (4, 1)}, hands={ANN: ["bard", "citadel"]})

    game.refuses(MoveForBeltaine(seat=ANN), "no_beltaine_move")


def test_without_an_action_card_there_is_no_beltaine_move() -> None:
    """The card is its price."""
    season_turn(season="beltaine", clans={"cove": (4,)}, hands={ANN: ["eriu"]}).refuses(
        MoveForBeltaine(seat=ANN), "no_beltaine_move"
    )


def test_ruling_108_the_beltaine_move_goes_by_land() -> None:
    """A far harbor is not offered."""
    tiles = ("cove", "forest", "valley", "moor", "inis_mona")
    game = season_turn(tiles, season="beltaine", clans={"cove": (4,)}, hands={ANN: ["bard"]})
    game.send(MoveForBeltaine(seat=ANN)).choose(ANN, card="bard")
    targets = {each.part.to for each in game.legal(ANN) if isinstance(each, Choose)}

    assert {here("forest"), here("valley")} == targets


def test_ruling_107_druid_may_open_the_season() -> None:
    """Passing may not; the Brenn gave the fourth card for a tale."""
    hands = {ANN: ["bard", "druid", "geis", "raid"]}
    state = season_state(seats=4, season="samhain", clans={"cove": (1, 1)}, hands=hands)
    game = feast(state).choose(ANN, card="bard").calm()
    held = game.state.contenders[ANN]
    assert (("druid", "geis", "raid"), 1) == (held.actions, len(held.tales))
    assert game.state.opening
    game.refuses(PassTurn(seat=ANN), "first_turn_plays_a_card")
    game.play(ANN, "druid").calm().choose(ANN, card="conquest").calm()

    assert BO == game.state.turn
    assert not game.state.opening


def test_ruling_55_few_sail_in_winter() -> None:
    """At most three, also of the Sons of Milé."""
    tiles = ("cove", "forest", "valley", "moor", "inis_mona")
    game = season_turn(tiles, season="samhain", clans={"cove": (5,)}, hands={ANN: ["sons_of_mile"]})
    game.send(PlayCard(seat=ANN, card=card("sons_of_mile"))).choose(ANN, option="no_harbor")
    game.choose(ANN, territory="cove")
    amounts = {each.part.amount for each in game.legal(ANN) if isinstance(each, Choose)}

    assert {1, 2, 3} == amounts


def test_a_card_moves_few_clans_in_winter_all_together() -> None:
    """Migration to two places counts both (expansion, section 4.6, M4)."""
    game = season_turn(season="samhain", clans={"cove": (6,)}, hands={ANN: ["migration"]})
    game.send(PlayCard(seat=ANN, card=card("migration"))).choose(ANN, territory="cove").choose(
        ANN, to="forest", amount=2
    )
    amounts = {each.part.amount for each in game.legal(ANN) if isinstance(each, Choose)}

    assert {1} == amounts


def test_spies_move_few_in_winter() -> None:
    """Chosen while the card takes effect, but limited as others."""
    hands = {ANN: ["scouts_spies"], BO: ["bard"]}
    game = season_turn(seats=4, season="samhain", clans={"cove": (6, 1)}, hands=hands)
    game.play(ANN, "scouts_spies", part(owner=BO)).calm()
    amounts = {each.part.amount for each in game.legal(ANN) if isinstance(each, Choose)}

    assert {None, 1, 2, 3} == amounts


# The wheel


@pytest.mark.parametrize(
    ("season", "following"),
    [("imbolc", "beltaine"), ("beltaine", "lugnasad"), ("lugnasad", "samhain"), ("samhain", "imbolc")],
)
def test_the_wheel_turns_when_the_season_ends(season: str, following: str) -> None:
    """Clockwise, before the next Assembly."""
    game = season_turn(season=season, clans={"cove": (1, 1, 1)})
    quietly(game, lambda now: now.state.phase == "assembly")

    assert [following] == [each.season for each in game.happened(WheelTurned)]
    assert following == more(game.state).season


def test_the_first_round_has_a_festival_too() -> None:
    """It is a step of every Assembly, and the wheel has not turned yet."""
    games = (opened(3, "seasons", seed=bytes([number]) * 32) for number in range(20))
    game = drafted(next(each for each in games if more(each.state).season == "samhain"))
    assert (1, game.state.brenn) == (game.state.round, game.asked[0])
    assert isinstance(game.state.agenda[0], FestivalTrade)
    for seat in game.state.order_from(game.state.brenn):
        assert [seat] == game.asked
        game.choose(seat, option="decline")

    assert isinstance(game.state.agenda[0], Turn)
    assert "samhain" == more(game.state).season


def test_the_wheel_is_the_catalogue_s() -> None:
    """Four festivals and four effects, some of them empty."""
    state = season_state(season="samhain")
    now = slot(state)

    assert now is not None
    assert ("action_for_tale", "short_marches") == (now.festival, now.effect)
    assert [
        ("fewest_cards", ""),
        ("", "beltaine_move"),
        ("tales_for_clans", ""),
        ("action_for_tale", "short_marches"),
    ] == [(each.festival, each.effect) for each in modules_of(state).wheel]


def test_the_festival_comes_between_the_draft_and_the_end_of_the_assembly() -> None:
    """Cathbad's player exchanges the card set aside after it (expansion, section 3.3)."""
    hands = {ANN: ["cathbads_word"]}
    game = assembly(season_state(season="lugnasad", brenn=BO, capital=None, clans={"cove": (1, 1, 1)}, hands=hands))
    game.answer(ann="cathbads_word").calm().choose(ANN, card="geis")
    assert game.state.draft
    drafted(game)
    for seat in game.state.order_from(BO):
        assert isinstance(game.state.agenda[0], FestivalTrade)
        assert [seat] == game.asked
        assert (4, card("geis")) == (len(game.state.contenders[seat].actions), game.state.aside)
        game.choose(seat, option="decline")
    assert [CardTaken(seat=ANN, card=card("geis"), aside=True)] == game.happened(CardTaken)
    assert isinstance(game.state.agenda[0], PutAside)
    game.send(game.legal(ANN)[0])

    assert BO == game.state.turn
    assert isinstance(game.state.agenda[0], Turn)


def test_beltaine_has_no_festival() -> None:
    """The Assembly goes on at once."""
    game = feast(season_state(season="beltaine", clans={"cove": (1, 1, 1)}, hands={ANN: ["bard"]}))

    assert isinstance(game.state.agenda[0], Turn)


def test_without_the_module_there_is_no_wheel() -> None:
    """No season, no festival, no turn of it."""
    state = season_state(modules=("want_king",), clans={"cove": (1, 1, 1)}, options=options("want_king"))
    game = quietly(Game(state), lambda now: now.state.draft)

    assert None is more(game.state).season
    assert [] == game.happened(WheelTurned)


def test_festival_tales_end_without_tales() -> None:
    """Who gave the last one places clans at once."""
    game = feast(season_state(season="lugnasad", clans={"cove": (1, 1)}, hands={ANN: ["bard", "eriu"]}))
    game.choose(ANN, card="eriu").choose(ANN, option="decline")

    assert isinstance(game.state.agenda[0], Turn)
