"""
A rule worker of the game of echoes whose rules do what no rules may.

``python -m tests.chaos.poisoned URL TTL_MS THOUGHT_S STUCK_S``; what is done depends on the text that is to be echoed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import reduce
from typing import NoReturn

from events.messages import Command, Event
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Echo
from tests.runtime.echo.events import Echoed
from tests.runtime.echo.rules import EchoRules, EchoShelf, EchoState
from workers.kit.decider import Context, Rules, Step
from workers.runtime.limits import limit_memory, limited
from workers.runtime.work import work
from workers.tables.state import Edition

SLOW_S = 0.4
"""A thought that may be had, but not many of them in the time in which rules are taken for stuck."""

MEGABYTES = 1_024


def hang() -> NoReturn:
    """Never come to an end, where an alarm is heard."""
    hoard = 0
    while True:
        hoard += 1


class PoisonedRules(EchoRules):
    """Implements ``Rules``, badly."""

    def decide(self, state: EchoState, command: Command, context: Context) -> Sequence[Event]:
        match command:
            case Echo(text="raise"):
                raise RuntimeError("as it was told")
            case Echo(text="exit"):
                os._exit(1)
            case Echo(text="hang"):
                hang()
            case Echo(text="slow"):
                time.sleep(SLOW_S)
            case Echo(text="stick"):
                sum(range(10**12))  # one call into C, which hears no alarm and lets no other thread run
                return []
            case Echo(text="eat"):
                eaten = [b""]
                while True:
                    eaten.append(bytes(16_000_000))
        return super().decide(state, command, context)

    def step(self, state: EchoState, command: Command, context: Context) -> Step:
        """Let what is ill about an event show when its table is loaded, not before."""
        events = self.decide(state, command, context)
        return events, reduce(super().evolve, events, state)

    def evolve(self, state: EchoState, event: Event) -> EchoState:
        match event:
            case Echoed(text="raise later"):
                raise RuntimeError("as it was told")
            case Echoed(text="hang later"):
                hang()
        return super().evolve(state, event)


RULES: Rules = PoisonedRules()


class PoisonedShelf(EchoShelf):
    """Implements ``RulesShelf``."""

    def current(self, game: str) -> Edition | None:
        edition = super().current(game)
        return None if edition is None else Edition(rules=RULES, catalogue=1, digest=edition.digest)

    def find(self, *, game: str, rules: int, digest: bytes) -> Rules:
        super().find(game=game, rules=rules, digest=digest)
        return RULES


if __name__ == "__main__":
    url, ttl_ms, thought_s, stuck_s = sys.argv[1:]
    learn()
    limit_memory(MEGABYTES)
    work(
        url,
        ["echo"],
        shelf=PoisonedShelf(),
        ttl_ms=int(ttl_ms),
        limits=limited(thought_s=float(thought_s), stuck_s=float(stuck_s)),
    )
