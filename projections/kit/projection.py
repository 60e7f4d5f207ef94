"""What a projection is: commits in, view writes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from events.commit import Commit
from events.log.records import ViewWrite
from events.messages import Event
from events.streams import Partition, view_of_all
from workers.tables.state import TableState

BROKEN: Final = "broken"
"""Name of the hash that says at which tables the rules or the doors failed a version of a projection, and where."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """
    One commit of the feed, folded.

    Args:
        number: its feed number within the partition.
        before: the table before it; ``after`` after it.
    """

    number: int
    table: str
    commit: Commit
    events: Sequence[Event]
    before: TableState
    after: TableState


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """
    Where a version of a projection keeps its views.

    Args:
        version: name and number, such as ``table@1``.
        across: whether the views are kept over all partitions, and not in the one.
    """

    partition: Partition
    version: str
    across: bool

    def key(self, name: str) -> str:
        """Return the key of something that is kept."""
        return view_of_all(self.version, name) if self.across else self.partition.view(self.version, name)


class Projection(Protocol):
    """
    Turns steps into writes.

    The same steps give the same writes, so that rebuilding equals living through it.
    ``across`` projections keep one view over all partitions; of ``pushed`` ones the doors hear which tables moved.
    """

    name: str
    across: bool
    pushed: bool

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        """Return what the steps change in the projection's views."""

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        """Return what to write when a newer program wrote a table's history."""

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        """Return what to write when rules or doors fail at a table, which stays as it is until a rebuild."""

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        """Return the names of all that may be kept for tables; of a projection across partitions, whatever is kept."""
