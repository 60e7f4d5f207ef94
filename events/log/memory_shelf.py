"""What the store in memory holds, and where."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Condition

from events.log.errors import StoreUnusableError
from events.log.records import DeadLetter, Pushed
from events.streams import Partition


def split(entry: str) -> tuple[int, int]:
    """Return an entry id as two numbers that can be compared."""
    first, _, second = entry.partition("-")
    return int(first), int(second or 0)


@dataclass
class Stream:
    """Entries in order of their ids."""

    entries: list[tuple[str, bytes]] = field(default_factory=list)
    last: tuple[int, int] = (0, 0)

    def append(self, entry: str, body: bytes) -> None:
        self.entries.append((entry, body))
        self.last = split(entry)

    def behind(self, entry: str, count: int) -> list[tuple[str, bytes]]:
        """Return up to ``count`` entries behind an entry id."""
        start = self._first_behind(split(entry))
        return self.entries[start : start + count]

    def cut(self, entry: str) -> int:
        """Drop what stands before an entry id, and return how many."""
        first, second = split(entry)
        before = self._first_behind((first, second - 1))
        del self.entries[:before]
        return before

    def _first_behind(self, start: tuple[int, int]) -> int:
        low, high = 0, len(self.entries)
        while low < high:
            middle = (low + high) // 2
            if split(self.entries[middle][0]) > start:
                high = middle
            else:
                low = middle + 1
        return low


@dataclass
class Table:
    """One table's entries and head."""

    entries: Stream = field(default_factory=Stream)
    version: int = 0
    status: str = ""
    chain: bytes = b""


@dataclass
class Place:
    """All that belongs to one partition."""

    commands: Stream = field(default_factory=Stream)
    position: str = "0-0"
    owner: str | None = None
    until: int = 0
    fence: int = 0
    attempts: tuple[str, int] = ("", 0)
    kept: int = 0
    since: int = 0
    marks: deque[str] = field(default_factory=deque)
    feed: list[tuple[int, str, bytes]] = field(default_factory=list)
    feed_end: int = 0
    trimmed: int = 0
    positions: dict[str, int] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    builds: dict[str, str] = field(default_factory=dict)
    live: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    dead: list[DeadLetter] = field(default_factory=list)


class Memory:
    """
    All of a store.

    Args:
        changed: guards everything here, and tells readers that something new is there.
    """

    def __init__(
        self, *, places: Collection[Partition], backlog: int, clock: Callable[[], int], changed: Condition
    ) -> None:
        self._places = {partition: Place() for partition in places}
        self.backlog = backlog
        self.clock = clock
        self.changed = changed
        self.hashes: dict[str, dict[str, bytes]] = {}
        self.streams: dict[str, Stream] = {}
        self.ranks: dict[str, dict[str, int]] = {}
        self.positions_of_all: dict[tuple[str, Partition], int] = {}
        self.marks_of_all: dict[tuple[str, Partition], str] = {}
        self.live_of_all: dict[str, str] = {}
        self._groups: dict[str, dict[str, int]] = {}
        self._ears: dict[Partition, list[deque[tuple[Partition, Pushed]]]] = {}

    def announce(self, group: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        """Note that a process is there for so long, and return all of its group that are."""
        with self.changed:
            now = self.clock()
            members = self._groups.setdefault(group, {})
            if owner:
                members[owner] = now + ttl_ms
            return sorted(name for name, until in members.items() if until > now)

    def withdraw(self, group: str, *, owner: str) -> None:
        """Note that a process leaves."""
        with self.changed:
            self._groups.get(group, {}).pop(owner, None)

    def place(self, partition: Partition) -> Place:
        """Return what belongs to a partition."""
        if partition not in self._places:
            raise StoreUnusableError(f"the store holds no place for {partition.tag}: open it with that game")
        return self._places[partition]

    def partitions(self, game: str) -> Sequence[Partition]:
        """Return the partitions of a game."""
        found = sorted(partition for partition in self._places if partition.game == game)
        if not found:
            raise StoreUnusableError(f"the store holds no place for the game {game!r}: open it with that game")
        return found

    def hear(self, partitions: Collection[Partition], ear: deque[tuple[Partition, Pushed]]) -> None:
        """Put what is pushed into a queue from now on."""
        for partition in partitions:
            self._ears.setdefault(partition, []).append(ear)

    def unhear(self, ear: deque[tuple[Partition, Pushed]]) -> None:
        """Put nothing more into the queue."""
        for partition, ears in self._ears.items():
            self._ears[partition] = [each for each in ears if each is not ear]

    def push(self, partition: Partition, pushed: Pushed) -> None:
        """Tell all who listen."""
        for ear in self._ears.get(partition, ()):
            ear.append((partition, pushed))
        self.changed.notify_all()
