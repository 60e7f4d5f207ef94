"""Given, when, then for the life of a table, played at Nains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from events.messages import Command, Event, Seat, TableId
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Actor, Player
from workers.games import GamesShelf
from workers.kit.decider import Refused
from workers.tables.decide import step
from workers.tables.evolve import apply
from workers.tables.state import TableState, unopened
from workers.tables.wish import Wish

SHELF = GamesShelf()
SECRET = bytes(range(32))
ANN, BO, CY, DI = map(Seat, range(4))
PLATFORM = Actor("platform", "tables-r-us")
STRANGER = Actor("platform", "somebody-else")


def sitting(seat: Seat) -> Actor:
    """Return who plays at a seat."""
    return Actor("seat", "tables-r-us", seat)


def bot(seat: Seat) -> Actor:
    """Return the service's bot that plays at a seat."""
    return Actor("bots", "tables-r-us", seat)


class Life(msgspec.Struct, frozen=True):
    """A table and what came of the last command."""

    state: TableState = unopened(TableId("nains-life"), SHELF)
    events: Sequence[Event] = ()
    code: str | None = None
    details: dict[str, Any] = {}

    def when(self, command: Command, *, by: Actor = PLATFORM, expected: int | None = None, at: int = 1_000) -> Life:
        """Send a command; a refusal leaves the table as it was."""
        wish = Wish(command=command, actor=by, at=at, secret=SECRET, expected_version=expected)
        try:
            events, state = step(self.state, wish)
        except Refused as refused:
            return Life(self.state, (), refused.code, refused.details)

        assert state == apply(self.state, events, by.seat, at)
        return Life(state, events)

    def then(self, *expected: Event) -> Life:
        """Check that exactly these events happened."""
        assert self.code is None, self.code
        assert list(expected) == list(self.events)
        return self

    def then_refused(self, code: str) -> Life:
        """Check that the answer was no."""
        assert code == self.code
        return self

    def kinds(self) -> list[str]:
        """Return the kinds of what happened."""
        assert self.code is None, self.code
        return [str(event.__struct_config__.tag) for event in self.events]

    def legal(self, seat: Seat) -> Sequence[Command]:
        """Return what the seat may do in its game."""
        return self.state.played_by.legal_commands(self.state.game_state, seat)

    def plays(self, seat: Seat, *, by: Actor | None = None) -> Life:
        """Send the first legal command of a seat."""
        return self.when(self.legal(seat)[0], by=by or sitting(seat))


def opened(seats: int = 3) -> Life:
    """Return a table just opened."""
    return Life().when(OpenTable(game="nains", seats=seats))


def started(seats: int = 3) -> Life:
    """Return a table of people, just started."""
    life = opened(seats)
    for seat in range(seats):
        life = life.when(TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")))
    return life.when(StartTable())
