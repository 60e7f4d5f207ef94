"""What a store of commands, histories and views can do; every implementation passes the same tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from events.streams import Partition


class FencedError(Exception):
    """Somebody else holds the lease by now: drop what is cached and take part in the next acquisition."""


class GapError(Exception):
    """The batch does not begin at the stored cursor: drop what is cached and read the cursor again."""


class ConflictError(Exception):
    """A table has moved on since it was loaded: drop it and load it again."""


class BusyError(Exception):
    """Too many commands wait already: tell the sender to come back later."""


class StoreUnusableError(Exception):
    """The store must not be used as it is; the message says why and what to do."""


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """
    The right to work on a partition, until somebody else's fence is higher.

    Args:
        position: id of the last handled command entry.
        feed: number of the last feed entry.
        clean: whether the one before handed over in order.
    """

    partition: Partition
    owner: str
    fence: int
    position: str
    feed: int
    clean: bool


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """
    What the sender of a command is told.

    Args:
        command_id: 16 bytes.
        version: the table's version with this answer.
        first: version after the first event it caused, 0 when it was refused; ``version`` is then the last.
        code: why it was refused, or ``None`` when it was accepted.
    """

    command_id: bytes
    table: str
    version: int
    first: int = 0
    code: str | None = None
    details: dict[str, Any] = {}


class TableWrite(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a batch adds to one table.

    Args:
        expected: the chain of the table as it was loaded; empty for a table without entries.
        entries: (entry id, packed entry) in order; ids as ``events.commit.entry_id`` gives them.
        feed: the packed commits among them, which projections will read.
        opened: milliseconds since 1970 when these entries open the table, else ``None``.
        secret: the table's secret to keep, empty to forget it, ``None`` to leave it.
    """

    table: str
    expected: bytes
    entries: Sequence[tuple[str, bytes]]
    feed: Sequence[bytes]
    version: int
    status: str
    chain: bytes
    opened: int | None = None
    secret: bytes | None = None


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A command that rules could not survive, with the traceback."""

    entry: str
    envelope: bytes
    reason: str


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """
    Everything one round of a rule worker changes in a partition, all or nothing.

    Args:
        after: the cursor it began at; ``position`` the one it ends at.
    """

    lease: Lease
    after: str
    position: str
    tables: Sequence[TableWrite] = ()
    answers: Sequence[Answer] = ()
    dead: Sequence[DeadLetter] = ()


class HashPut(msgspec.Struct, frozen=True):
    """Set fields of a hash."""

    key: str
    fields: Mapping[str, bytes]


class HashDrop(msgspec.Struct, frozen=True):
    """Remove fields of a hash."""

    key: str
    fields: Sequence[str]


class StreamAppend(msgspec.Struct, frozen=True):
    """Append an entry of a given id to a stream."""

    key: str
    entry: str
    body: bytes


class RankPut(msgspec.Struct, frozen=True):
    """Put a member into a sorted set."""

    key: str
    score: int
    member: str


class RankDrop(msgspec.Struct, frozen=True):
    """Take a member out of a sorted set."""

    key: str
    member: str


ViewWrite = HashPut | HashDrop | StreamAppend | RankPut | RankDrop


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is stored: its packed entries in order, and its secret while it is not revealed."""

    entries: Sequence[bytes]
    secret: bytes | None


class Doors(Protocol):
    """What doors may do: send commands."""

    def submit(self, partition: Partition, envelope: bytes) -> str:
        """Append a command and return its entry id; ``BusyError`` above the backlog limit."""


class CommandLog(Protocol):
    """What rule workers may do."""

    def acquire(self, partition: Partition, *, owner: str, ttl_ms: int) -> Lease | None:
        """Take a free or expired lease, or return ``None`` while another owner holds it."""

    def renew(self, lease: Lease, *, ttl_ms: int) -> bool:
        """Hold the lease longer; false when it is lost."""

    def release(self, lease: Lease) -> None:
        """Hand the partition over in order."""

    def read_commands(
        self, after: Mapping[Partition, str], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[str, bytes]]]:
        """Return up to ``count`` (entry id, packed envelope) of each partition behind the given entry ids."""

    def load(self, partition: Partition, table: str) -> Loaded:
        """Return all entries of a table; none when it was never opened."""

    def commit(self, batch: Batch) -> None:
        """Write the batch in one atomic call and push its answers; raises Fenced-, Gap- or ``ConflictError``."""


class Feed(Protocol):
    """What projection workers may do."""

    def read_feed(
        self, after: Mapping[Partition, int], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[int, str, bytes]]]:
        """Return up to ``count`` (number, table, packed commit) of each partition behind the given numbers."""

    def history(self, partition: Partition, table: str, *, upto: int | None = None) -> Sequence[bytes]:
        """Return a table's packed entries up to a version; all by default."""

    def position(self, partition: Partition, projection: str) -> int:
        """Return the last feed number a projection saved, 0 at first; registers the projection."""

    def save(
        self, partition: Partition, projection: str, *, after: int, position: int, writes: Sequence[ViewWrite]
    ) -> None:
        """
        Write views and position in one atomic call, and push the names of the tables that moved.

        Raises ``GapError`` when the stored position is not ``after``.
        """
