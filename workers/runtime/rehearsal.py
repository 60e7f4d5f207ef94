"""
A rule worker for measurements: its secrets are all zero, so that recorded commands fit the tables it opens.

``python -m workers.runtime.rehearsal URL GAME [echo]``; with ``echo`` its rules accept everything and decide nothing,
which is the limit that real rules are held against.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.messages import Command, Event, Outcome, Seat
from events.process import collect_rarely, log_to_stderr, opened, owner_name, stop_on_signals
from workers.games import GamesShelf
from workers.kit.decider import Context, Prompt, Rules, Step, stepped
from workers.runtime.leases import Leases
from workers.runtime.loop import run
from workers.tables.state import Edition, RulesUnavailableError


class Echoed(Event, frozen=True, kw_only=True):
    """A command came, and nothing was decided."""

    seat: Seat


class EchoRules:
    """Accepts every command of the game it stands in for."""

    version = 1

    def __init__(self, game: str, seats: range, options: type[msgspec.Struct]) -> None:
        self.game = game
        self.seats = seats
        self.options = options

    def initial(self, options: Any, seats: int) -> Any:  # noqa: ANN401  as Rules
        return 0

    def open_(self, state: Any, context: Context) -> Sequence[Event]:  # noqa: ANN401  as Rules
        return [Echoed(seat=Seat(0))]

    def decide(self, state: Any, command: Command, context: Context) -> Sequence[Event]:  # noqa: ANN401  as Rules
        return [Echoed(seat=context.actor.seat or Seat(0))]

    def step(self, state: Any, command: Command, context: Context) -> Step:  # noqa: ANN401  as Rules
        return stepped(self, state, command, context)

    def evolve(self, state: Any, event: Event) -> Any:  # noqa: ANN401  as Rules
        return state + 1

    def legal_commands(self, state: Any, seat: Seat) -> Sequence[Command]:  # noqa: ANN401  as Rules
        return []

    def prompts(self, state: Any) -> Mapping[Seat, Prompt]:  # noqa: ANN401  as Rules
        return {}

    def outcome(self, state: Any) -> Outcome | None:  # noqa: ANN401  as Rules
        return None

    def check(self, state: Any) -> None:  # noqa: ANN401  as Rules
        """Nothing can be wrong."""


class EchoShelf:
    """Gives echoing rules for every game."""

    def __init__(self) -> None:
        self._real = GamesShelf()

    def current(self, game: str) -> Edition | None:
        edition = self._real.current(game)
        return None if edition is None else replace(edition, rules=_echo(edition.rules))

    def find(self, *, game: str, rules: int, digest: bytes) -> Rules:
        edition = self.current(game)
        if edition is None:
            raise RulesUnavailableError(f"the game {game!r} is not known here")
        return edition.rules


def _echo(rules: Rules) -> Rules:
    return EchoRules(rules.game, rules.seats, rules.options)


def rehearse(url: str, game: str, *, shelf: GamesShelf | EchoShelf) -> None:
    """Decide commands until told to stop."""
    owner = owner_name()
    log_to_stderr(owner)
    stop = stop_on_signals()
    store = opened(url, [game], stop)
    if store is not None:
        collect_rarely()
        run(store, shelf, Leases(store, [game], owner=owner), stop, random=bytes)
        store.close()


if __name__ == "__main__":
    rehearse(sys.argv[1], sys.argv[2], shelf=EchoShelf() if sys.argv[3:] == ["echo"] else GamesShelf())
