"""What a store of commands, histories and views can do; every implementation passes the same tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from events.log.records import Answer, Batch, Head, Lease, Loaded, Pushed, Save
from events.streams import Partition

MAX_ENVELOPE: Final = 65_536
"""Bytes a packed command may have on its way in."""

MAX_BACKLOG: Final = 20_000
"""Commands that may wait in a partition before its doors say busy."""

KEPT_COMMANDS: Final = 10_000
"""Handled commands that stay in a command stream, for whoever looks into a fault."""

MAX_LAG: Final = 100_000
"""Feed entries a projection may be behind before it no longer holds the feed."""


class Listener(Protocol):
    """Hears what is pushed; what is missed costs a read, never data."""

    def next(self, timeout: float) -> tuple[Partition, Pushed] | None:
        """Return the next message, or ``None`` when none came within so many seconds."""

    def close(self) -> None:
        """Stop listening."""


class Partitioned(Protocol):
    """A store whose tables are shared out."""

    def partitions(self, game: str) -> Sequence[Partition]:
        """Return the partitions of a game, as fixed when the store was created."""


class Doors(Partitioned, Protocol):
    """What doors may do: send commands, and hear or look up what became of them."""

    def submit(self, partition: Partition, envelope: bytes) -> str:
        """Append a command and return its entry id; ``BusyError`` above the backlog limit."""

    def submit_all(self, envelopes: Sequence[tuple[Partition, bytes]]) -> Sequence[str]:
        """Append many commands in one round trip; when one is refused, the others may stand: send all again."""

    def listen(self, partitions: Sequence[Partition]) -> Listener:
        """Hear what is pushed from now on."""

    def head(self, partition: Partition, table: str) -> Head | None:
        """Return how far a table is, or ``None`` when it was never opened."""

    def answer(self, partition: Partition, table: str, command_id: bytes) -> Answer | None:
        """Return the stored answer to a command, for whoever missed it when it was pushed."""


class CommandLog(Partitioned, Protocol):
    """What rule workers may do."""

    def announce(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        """Say that a worker is there for so long, and return all that are, in order of name."""

    def withdraw(self, game: str, *, owner: str) -> None:
        """Say that a worker leaves."""

    def acquire(self, partition: Partition, *, owner: str, ttl_ms: int) -> Lease | None:
        """Take a free or expired lease, or return ``None`` while another owner holds it."""

    def renew(self, lease: Lease, *, ttl_ms: int) -> bool:
        """Hold the lease longer; false when it is lost."""

    def renew_all(self, leases: Sequence[tuple[Lease, int]]) -> Sequence[str | None]:
        """
        Hold leases longer, each so many milliseconds, in one round trip; return the stored positions.

        Empty for a lease that is lost, ``None`` where the node that could tell does not answer, or the key is damaged.
        """

    def release(self, lease: Lease) -> None:
        """Hand the partition over in order."""

    def attempt(self, lease: Lease, entry: str) -> int:
        """
        Count that a command is about to be handled alone, once a lease; return how often it was.

        A commit forgets it.
        """

    def read_commands(
        self, after: Mapping[Partition, str], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[str, bytes]]]:
        """
        Return up to ``count`` (entry id, packed envelope) of each partition behind the given entry ids.

        An entry of another shape has an empty envelope. ``DamagedError`` names partitions that cannot be read.
        """

    def sizes(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[int]:
        """Return about how many bytes the history of each table takes; 0 when it was never opened."""

    def load(self, partition: Partition, table: str) -> Loaded:
        """Return all entries of a table; none when it was never opened."""

    def load_all(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[Loaded]:
        """Return all entries of many tables in one round trip."""

    def commit(self, batch: Batch) -> None:
        """
        Write the batch in one atomic call and push its answers.

        Raises Fenced-, Gap-, Conflict- or ``DamagedError``; then nothing was written.
        """

    def commit_all(self, batches: Sequence[Batch]) -> Sequence[Exception | None]:
        """Write batches of several partitions in one round trip; each succeeds, or names its error, on its own."""

    def trim_feed(self, partition: Partition) -> Sequence[str]:
        """Cut the feed behind its slowest projection; return those that are too far behind to be waited for."""


class Feed(Partitioned, Protocol):
    """What projection workers may do."""

    def read_feed(
        self, after: Mapping[Partition, int], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[int, str, bytes]]]:
        """Return up to ``count`` (number, table, packed commit) of each partition behind the given numbers."""

    def damaged(self, partitions: Sequence[Partition]) -> Mapping[Partition, str]:
        """
        Return what is wrong with keys that a projection needs, of the partitions where something is.

        Nothing is found where the node of a cluster does not answer.
        """

    def feed_end(self, partition: Partition) -> int:
        """Return the number of the last feed entry, 0 before the first."""

    def tables(self, partition: Partition, *, start: int, count: int) -> Sequence[str]:
        """Return tables in the order they were opened, from the ``start``-th on."""

    def history(self, partition: Partition, table: str, *, upto: int | None = None) -> Sequence[bytes]:
        """Return a table's packed entries up to a version; all by default."""

    def position(self, partition: Partition, projection: str) -> int:
        """
        Return the last feed number a projection saved, 0 at first; registers the projection.

        Raises ``StaleError`` when the feed went on without it, or had been cut before it came.
        """

    def save(self, save: Save) -> None:
        """
        Write views and position, and push the tables that moved.

        Raises ``GapError`` when the stored position is not where the save begins, or there is none, ``StaleError``
        when the feed went on without the projection and the save does not catch up, and ``OrderError`` when something
        of it cannot be written; then nothing is.
        """

    def save_all(self, saves: Sequence[Save]) -> Sequence[Exception | None]:
        """Save all in as few round trips as there may be; each succeeds, or names its error, on its own."""

    def position_of_all(self, partition: Partition, projection: str) -> int:
        """As ``position``, of a projection across partitions."""

    def forget(self, partition: Partition, projection: str) -> None:
        """Let a projection hold the feed no longer, as if it had never been; its views stay."""


class Views(Protocol):
    """What readers of views may do."""

    def view_field(self, key: str, field: str) -> bytes | None:
        """Return one field of a hash."""

    def view_fields(self, key: str) -> Mapping[str, bytes]:
        """Return a whole hash."""

    def view_entries(self, key: str, *, after: str = "0-0", count: int = 1000) -> Sequence[tuple[str, bytes]]:
        """Return (entry id, body) of a stream behind an entry id."""

    def view_ranks(self, key: str, *, start: int, stop: int) -> Sequence[tuple[str, int]]:
        """Return (member, score) of a sorted set from the highest score down, by place, both ends included."""
