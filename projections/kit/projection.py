"""What a projection is: commits in, view writes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from events.commit import Commit
from events.log.store import ViewWrite
from events.messages import Event
from events.streams import Partition
from workers.tables.state import TableState


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


class Projection(Protocol):
    """
    Turns steps into writes.

    The same steps give the same writes, so that rebuilding equals living through it.
    ``name`` bears the version: ``table@1``.
    ``across`` projections keep one view over all partitions.
    """

    name: str
    across: bool

    def writes(self, partition: Partition, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        """Return what the steps change in the projection's views."""

    def unreadable(self, partition: Partition, table: str) -> Sequence[ViewWrite]:
        """Return what to write when a newer program wrote a table's history."""
