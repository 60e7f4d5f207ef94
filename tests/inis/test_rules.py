"""The rules of Inis."""

from __future__ import annotations

from events.inis.commands import TakeStones
from events.inis.events import HeapPiled, StonesTaken
from events.messages import Seat
from tests.spec import Scenario
from workers.games import GamesShelf
from workers.inis.state import InisOptions

ANN, BO = Seat(0), Seat(1)
EDITION = GamesShelf().current("inis")
assert EDITION is not None
RULES = EDITION.rules
HEAPS = Scenario(RULES, RULES.initial(InisOptions(), 2)).given(HeapPiled(stones=4))


def test_a_seat_takes_stones() -> None:
    """What is taken is what was wished for."""
    HEAPS.when(TakeStones(seat=ANN, stones=3)).then(StonesTaken(seat=ANN, stones=3))


def test_nobody_takes_too_many() -> None:
    """There is a most."""
    HEAPS.when(TakeStones(seat=ANN, stones=4)).then_refused("stones_out_of_range", most=3)


def test_seats_take_turns() -> None:
    """Nobody takes out of turn."""
    HEAPS.when(TakeStones(seat=BO, stones=1)).then_refused("not_your_turn")


def test_who_takes_the_last_stone_wins() -> None:
    """The heap is gone, and with it the game."""
    after = HEAPS.when(TakeStones(seat=ANN, stones=3), TakeStones(seat=BO, stones=1)).state()
    outcome = RULES.outcome(after)

    assert outcome is not None
    assert ((BO,), (ANN,)) == outcome.ranking
