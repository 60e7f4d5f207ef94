"""What a store can do for projections that are rebuilt beside their live version, switched, and removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import msgspec

from events.log.records import ViewWrite
from events.log.store import Feed
from events.streams import Partition

FIRST: Final = 1
"""The version of every projection that is live when the store names no other."""


class Mark(msgspec.Struct, frozen=True):
    """
    How far a pass of a rebuild over the histories is; written ``feed:tables:version``.

    Args:
        feed: number of the last feed entry when the pass began.
        tables: how many tables it is through with.
        version: up to which version it is through the next table.
    """

    feed: int
    tables: int = 0
    version: int = 0

    def __str__(self) -> str:
        return f"{self.feed}:{self.tables}:{self.version}"

    @staticmethod
    def read(text: str) -> Mark:
        """Return the mark that is written so."""
        return Mark(*map(int, text.split(":")))


class Courses(msgspec.Struct, frozen=True, kw_only=True):
    """
    Which versions of projections there are, in a partition or across all.

    Args:
        live: projection to the number of the version that is read, where it is not the first.
        coming: projection to the number of the version that is being made.
        going: versions that are being removed, each with how many tables that is done for.
    """

    live: Mapping[str, int]
    coming: Mapping[str, int]
    going: Mapping[str, int]

    def number(self, projection: str) -> int:
        """Return the number of the version that is read."""
        return self.live.get(projection, FIRST)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """
    How the versions of projections stand in a partition.

    Args:
        end: number of the last feed entry.
        trimmed: up to where the feed was cut.
        tables: how many tables there are.
        positions: version to the feed number it has saved.
        stale: versions that were marked as too far behind.
        marks: version to how far its rebuild is, while histories are read or what came in meanwhile.
    """

    end: int
    trimmed: int
    tables: int
    positions: Mapping[str, int]
    stale: frozenset[str]
    marks: Mapping[str, str]


class Rebuilds(Protocol):
    """What projection workers may do about the versions of their projections."""

    def announce_projections(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        """Say that a projection worker is there for so long, and return all that are, in order of name."""

    def withdraw_projections(self, game: str, *, owner: str) -> None:
        """Say that a projection worker leaves."""

    def projecting(self, game: str) -> bool:
        """Whether any projection worker of a game is there."""

    def remove_views(self, version: str) -> int:
        """Remove everything a version keeps, of which no program knows any more what that is; return how many keys."""

    def standing(self, partition: Partition) -> tuple[Standing, Courses]:
        """Return how everything stands in a partition."""

    def courses_of_all(self) -> Courses:
        """Return the versions of projections across partitions."""

    def marks_of_all(self, version: str) -> tuple[Mapping[str, int], Mapping[str, str]]:
        """Return a version's position in each partition, and its mark, by the partition's tag."""

    def ask_rebuild(self, partition: Partition | None, projection: str) -> int:
        """Have the next version made, in a partition or across all; return its number, also when it is under way."""

    def begin(self, partition: Partition, version: str, *, expected: int | None, across: bool) -> None:
        """
        Begin a pass over the histories, and have the feed held from its end on.

        ``expected`` is the position the version has across partitions, to tell whether somebody else has begun.
        """

    def save_piece(
        self,
        partition: Partition,
        version: str,
        *,
        after: str,
        mark: str,
        writes: Sequence[ViewWrite],
        across: bool,
    ) -> None:
        """Write views of a pass, with the mark that stands for them; ``GapError`` when the mark is not ``after``."""

    def mark(self, partition: Partition, version: str, *, after: str, mark: str, across: bool) -> None:
        """Replace a mark that is still ``after``; an empty one ends the rebuild."""

    def set_back(self, partition: Partition, version: str, *, position: int, end: int, across: bool) -> None:
        """Have a position that is ahead of the feed be the feed's end, unless somebody moved it meanwhile."""

    def switch(self, partition: Partition | None, projection: str, *, old: int, new: int) -> bool:
        """Let a version that is rebuilt and nowhere behind the live one be live; false when it is not ready."""

    def drop(self, partition: Partition | None, version: str, keys: Sequence[str], *, done: int | None) -> None:
        """Remove views of a version that is going; ``done`` tables are through then, ``None`` ends it."""

    def versions(self, partition: Partition, tables: Sequence[str]) -> Sequence[int]:
        """Return the version of each table."""

    def fields(self, key: str, names: Sequence[str]) -> Sequence[bytes | None]:
        """Return some fields of a hash."""

    def projections(self, partition: Partition) -> Sequence[str]:
        """Return the versions that hold the feed or were left behind, in order of name."""


class ProjectionStore(Feed, Rebuilds, Protocol):
    """Everything projection workers may do."""


def courses(fields: Mapping[str, str]) -> Courses:
    """Return what a hash of live versions says."""
    coming = {name.removeprefix("coming:"): int(n) for name, n in fields.items() if name.startswith("coming:")}
    going = {name.removeprefix("going:"): int(n) for name, n in fields.items() if name.startswith("going:")}
    live = {name: int(n) for name, n in fields.items() if ":" not in name}
    return Courses(live=live, coming=coming, going=going)


def standing(fields: Mapping[str, str], *, end: int, tables: int) -> Standing:
    """Return what a partition's hash of positions says."""
    return Standing(
        end=end,
        trimmed=int(fields.get(":trimmed", 0)),
        tables=tables,
        positions={name: int(n) for name, n in fields.items() if ":" not in name},
        stale=frozenset(name.removeprefix("stale:") for name in fields if name.startswith("stale:")),
        marks={name.removeprefix("build:"): mark for name, mark in fields.items() if name.startswith("build:")},
    )
