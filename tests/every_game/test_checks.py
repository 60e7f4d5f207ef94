"""What holds simulated tables to the rules of all games complains when one is broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from events.messages import Command, Event, Seat
from services.bots.simulation.check import BrokenError, Checker
from services.bots.simulation.play import begin
from tests.every_game.kinds import PLAIN, SHELF, TableKind
from workers.kit.decider import MOST_LEGAL, Rules
from workers.tables.state import TableState
from workers.tables.wish import Wish


class Generous:
    """Rules that offer whoever is asked so many commands, by saying the same ones again."""

    def __init__(self, rules: Rules, amount: int) -> None:
        self._rules = rules
        self._amount = amount

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the rules have
        return getattr(self._rules, name)

    def legal_commands(self, state: Any, seat: Seat) -> Sequence[Command]:  # noqa: ANN401  as Rules
        legal = self._rules.legal_commands(state, seat)
        return [legal[number % len(legal)] for number in range(self._amount)] if legal else ()


def checked_with(kind: TableKind, amount: int) -> None:
    """Check the beginning of a table whose rules offer so many commands at the first version of play."""
    checker = Checker(SHELF)

    def watch(before: TableState, wish: Wish, events: Sequence[Event], after: TableState) -> None:
        rules: Any = Generous(after.played_by, amount)
        checker.watch(before, wish, events, after if after.game_state is None else replace(after, rules=rules))

    begin(SHELF, kind.setting(seed=1), watch=watch)


@pytest.mark.parametrize("kind", PLAIN, ids=str)
def test_no_seat_is_offered_more_than_the_most(kind: TableKind) -> None:
    """At the first version that offers one command too many, and not before."""
    checked_with(kind, MOST_LEGAL)

    with pytest.raises(BrokenError, match=f"is offered {MOST_LEGAL + 1} commands"):
        checked_with(kind, MOST_LEGAL + 1)
