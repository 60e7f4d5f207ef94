"""What goes into a store and comes out of it: leases, batches, views, answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from events.codec import Unpacker
from events.streams import Partition


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
        fingerprint: of the command it answers, so that two commands of the same id are not told each other's answer;
            empty when the command could not be read.
    """

    command_id: bytes
    table: str
    version: int
    first: int = 0
    code: str | None = None
    details: dict[str, Any] = {}
    fingerprint: bytes = b""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A projection has saved: the tables that moved, each with the version its views are now of."""

    projection: str
    position: int
    tables: dict[str, int]


Pushed = tuple[Answer, ...] | Moved
"""What goes over a partition's push channel: answers of a commit, or what a projection has saved."""

read_push: Final = Unpacker[Pushed](Pushed)


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """How far a table is."""

    version: int
    status: str


class TableWrite(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a batch adds to one table.

    Args:
        expected: the chain of the table as it was loaded; empty for a table without entries.
        entries: (entry id, packed entry) in order; ids as ``events.commit.entry_id`` gives them, so that commits
            end in ``-0``: those go to the feed, too.
        status: what the table is by now, empty to leave what is known of it.
        opened: milliseconds since 1970 when these entries open the table, else ``None``.
        secret: the table's secret to keep, empty to forget it, ``None`` to leave it.
    """

    table: str
    expected: bytes
    entries: Sequence[tuple[str, bytes]]
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
        handled: how many command entries lie between the two.
    """

    lease: Lease
    after: str
    position: str
    handled: int
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


class RankCut(msgspec.Struct, frozen=True):
    """
    Take the members out of a sorted set whose score is so much below the highest there is, or more.

    Whoever cuts behind each member that is put in has the same set in the end, whatever the order.
    """

    key: str
    below: int


ViewWrite = HashPut | HashDrop | StreamAppend | RankPut | RankDrop | RankCut


class Save(msgspec.Struct, frozen=True):
    """
    What a projection makes of a partition's next commits: views and position, to be written in one atomic call.

    Args:
        projection: name and number.
        after: number of the last feed entry it had saved before; ``position`` that it has saved then.
        moved: tables to push, with their versions.
        across: whether views and position lie across partitions; the partition learns of it a moment later.
    """

    partition: Partition
    projection: str
    after: int
    position: int
    writes: Sequence[ViewWrite] = ()
    moved: Mapping[str, int] = {}
    across: bool = False


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as it is stored: its packed entries in order, and its secret while it is not revealed.

    Args:
        damage: what is wrong with its keys; then nothing else is known.
    """

    entries: Sequence[bytes]
    secret: bytes | None
    damage: str = ""
