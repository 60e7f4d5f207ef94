"""The store in memory: for tests, simulations and a service in one process; the same behaviour as on Redis."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Condition, RLock

from events import games as program
from events.log.memory_commands import MemoryCommandLog, MemoryDoors
from events.log.memory_feed import MemoryViews
from events.log.memory_rebuilds import MemoryRebuilds
from events.log.memory_shelf import Memory
from events.log.store import MAX_BACKLOG
from events.streams import Partition


def server_clock() -> int:
    """Return milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MemoryLog(MemoryDoors, MemoryCommandLog, MemoryRebuilds, MemoryViews):
    """
    Implements ``Doors``, ``CommandLog``, ``Feed``, ``Rebuilds`` and ``Views``; safe to use from several threads.

    Args:
        games: the games that need a place; all of this program by default.
        partitions: into how many each game is shared out.
        backlog: commands that may wait in a partition.
        clock: milliseconds since 1970; time of commands and leases.
    """

    def __init__(
        self,
        *,
        games: Sequence[str] | None = None,
        partitions: int = 4,
        backlog: int = MAX_BACKLOG,
        clock: Callable[[], int] = server_clock,
    ) -> None:
        names = program.GAMES if games is None else games
        self._memory = Memory(
            places={Partition(game, number) for game in names for number in range(partitions)},
            backlog=backlog,
            clock=clock,
            changed=Condition(RLock()),
        )

    def partitions(self, game: str) -> Sequence[Partition]:
        return self._memory.partitions(game)

    def close(self) -> None:
        """Nothing is to be given back."""
