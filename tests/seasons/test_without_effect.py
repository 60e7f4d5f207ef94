"""Cards of the expansion where there is little or nothing for them to do: they are played all the same (section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from events.inis.commands import Choose, PlayCard
from events.inis.events.board import ClanPlaced, ClansMoved, ClashStarted, TilesPutUnder
from events.inis.events.rounds import TileLaid
from events.inis.events.seasons import BansheesTaken, ClansSwapped
from events.inis.vocabulary import Part
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, Game, card, here, part
from tests.seasons.table import season_state, season_turn, stacked, with_harbor
from workers.inis.state import InisState

ALL_OUT = {"cove": (6, 1), "moor": (6,)}
"""Ann has no clan in reserve."""


def offered(game: Game, seat: Seat = ANN) -> list[Part]:
    """Return what a seat may choose now."""
    return [each.part for each in game.legal(seat) if isinstance(each, Choose)]


def idle(name: str, clans: Mapping[str, Sequence[int]], *tiles: str) -> Game:
    """Return a game of five in which Ann has played a card that finds nothing to do; nothing is asked of anybody."""
    layout = tiles or ("cove", "forest", "valley", "moor")
    state = season_state(layout, seats=5, clans=clans, hands={ANN: [name]})
    return untouched(state, name)


def untouched(state: InisState, name: str) -> Game:
    """Play a card; the turn is over, the board is as it was, and the card is gone."""
    game = Game(state).play(ANN, name).calm()

    assert BO == game.state.turn
    assert state.lands == game.state.lands
    assert state.stack == game.state.stack
    assert card(name) in (*game.state.discards, *game.state.pile, *game.state.face_down)
    assert card(name) not in game.hand(ANN)
    return game


@pytest.mark.parametrize(
    ("name", "clans"),
    [
        pytest.param("pwylls_exchange", {"cove": (2, 1)}, id="pwyll-nobody-elsewhere"),
        pytest.param("pwylls_exchange", {"cove": (0, 1), "moor": (0, 1)}, id="pwyll-not-there"),
        pytest.param("clans_harmony", ALL_OUT, id="harmony-no-reserve"),
        pytest.param("clans_harmony", {"cove": (0, 1)}, id="harmony-not-there"),
        pytest.param("coalition", {"cove": (2,), "moor": (0, 1)}, id="coalition-nobody-shared"),
        pytest.param("branwens_marriage", {"cove": (2,), "moor": (0, 1)}, id="branwen-nobody-shared"),
        pytest.param("children_of_lir", {"cove": (2,), "moor": (0, 1)}, id="lir-no-opponent"),
    ],
)
def test_without_its_people_a_card_does_nothing(name: str, clans: Mapping[str, Sequence[int]]) -> None:
    """It is a turn, and nothing else."""
    game = idle(name, clans)

    assert not [event for event in game.events if isinstance(event, ClanPlaced | ClansMoved | ClansSwapped)]
    assert [] == game.happened(ClashStarted)


# The stack of tiles


@pytest.mark.parametrize("name", ["exploration", "maelduins_expedition"])
def test_without_a_stack_nothing_is_discovered(name: str) -> None:
    """No tile, no location, no clan."""
    laid = ("cove", "forest", "valley", "moor")
    state = season_state(laid, modules=("new_epic_tales",), clans={"cove": (1, 1)}, hands={ANN: [name]})
    rest = sorted(state.stack)
    state = season_state((*laid, *rest), modules=("new_epic_tales",), clans={"cove": (1, 1)}, hands={ANN: [name]})
    assert () == state.stack
    game = untouched(state, name)

    assert [] == game.happened(TileLaid)
    assert [] == game.happened(ClanPlaced)


def test_maelduin_takes_the_one_tile_that_is_left() -> None:
    """Of two there is only one; nothing goes under the stack."""
    modules = ("new_epic_tales",)
    every = sorted(season_state(modules=modules).catalogue.tiles)
    state = season_state(every[:-1], modules=modules, capital=None, clans={every[0]: (1, 1)}, hands=EXPEDITION)
    assert (every[-1],) == state.stack
    game = Game(state).play(ANN, "maelduins_expedition").calm()
    assert [part(territory=here(every[-1]))] == offered(game)
    game.choose(ANN, territory=every[-1]).send(game.legal(ANN)[0]).calm()

    assert 1 == game.clans(every[-1])[ANN]
    assert () == game.state.stack


EXPEDITION = {ANN: ["maelduins_expedition"]}


def test_maelduin_finds_no_place() -> None:
    """With one tile in play no place touches two: both go under the stack, and no clan comes."""
    state = season_state(("cove",), seats=2, clans={"cove": (1, 1)}, hands=EXPEDITION)
    game = Game(stacked(state, "hills", "swamp")).play(ANN, "maelduins_expedition").calm()
    game.choose(ANN, territory="swamp").calm()

    assert [("swamp", "hills")] == [each.tiles for each in game.happened(TilesPutUnder)]
    assert [here("cove")] == list(game.state.lands)
    assert BO == game.state.turn


# Reserve and presence


def test_without_a_reserve_the_banshee_is_taken_all_the_same() -> None:
    """No clan comes, but the tokens do (expansion, section 4.5)."""
    game = season_turn(clans=ALL_OUT, hands={ANN: ["the_banshee"]})
    game.play(ANN, "the_banshee", part(territory="moor")).calm()

    assert [] == game.happened(ClanPlaced)
    assert [BansheesTaken(seats=(ANN, BO))] == game.happened(BansheesTaken)


def test_who_is_nowhere_calls_the_banshee_for_others() -> None:
    """There is nothing to declare, and no token for who has no clan (expansion, section 4.5)."""
    game = season_turn(clans={"cove": (0, 1, 1)}, hands={ANN: ["the_banshee"]}).play(ANN, "the_banshee").calm()

    assert [] == game.happened(ClanPlaced)
    assert [BansheesTaken(seats=(BO, CY))] == game.happened(BansheesTaken)


def wedding(amount: int, clans: Mapping[str, Sequence[int]]) -> Game:
    """Return a game in which Bo is asked whether to place a clan."""
    game = season_turn(clans=clans, hands={ANN: ["branwens_marriage"]})
    game.play(ANN, "branwens_marriage", part(territory="cove", owner=BO, amount=amount)).calm()
    assert [BO] == game.asked
    return game


def test_branwens_marriage_without_a_clan_of_ones_own() -> None:
    """The other may place one nevertheless."""
    game = wedding(0, {"cove": (1, 1)}).choose(BO, territory="cove").calm()

    assert (1, 2) == game.clans("cove")[:2]


def test_branwens_marriage_may_be_declined() -> None:
    """Then the clans of who played the card stay."""
    game = wedding(2, {"cove": (1, 1)}).choose(BO, option="decline").calm()

    assert (3, 1) == game.clans("cove")[:2]
    assert BO == game.state.turn


def test_branwens_marriage_without_a_reserve_offers_no_clan() -> None:
    """Of one's own; the other is asked."""
    game = season_turn(clans=ALL_OUT, hands={ANN: ["branwens_marriage"]})
    game.send(PlayCard(seat=ANN, card=card("branwens_marriage")))

    assert [part(territory=here("cove"), owner=BO, amount=0)] == offered(game)


# The sea


def test_sons_of_mile_build_no_second_harbor() -> None:
    """Where one is none is offered (expansion, section 5.4)."""
    state = season_state(clans={"cove": (1,), "moor": (1,)}, hands={ANN: ["sons_of_mile"]})
    game = Game(state).send(PlayCard(seat=ANN, card=card("sons_of_mile")))
    assert {"moor", None} == {each.territory for each in offered(game)}

    game = Game(with_harbor(state, "moor")).send(PlayCard(seat=ANN, card=card("sons_of_mile")))
    assert [part(option="no_harbor")] == offered(game)


@pytest.mark.parametrize("name", ["breas_tyranny", "emissaries", "migration", "coalition"])
def test_nobody_is_led_off_the_only_harbor(name: str) -> None:
    """From an island without another harbor no move can be declared (expansion, section 5.5)."""
    tiles, clans = ("forest", "valley", "moor", "inis_mona"), {"inis_mona": (2, 2)}
    untouched(season_state(tiles, seats=5, capital="forest", clans=clans, hands={ANN: [name]}), name)
