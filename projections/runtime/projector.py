"""Reads the feed, folds it, and saves what every projection makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import structlog

from events.codec import MalformedError
from events.log.store import Feed, GapError, StaleError, ViewWrite
from events.streams import Partition
from events.upcasting import UnknownKindError
from projections.kit.projection import Projection, Step
from projections.runtime.catch_up import catch_up
from projections.runtime.folds import Folds
from projections.runtime.places import Places
from workers.tables.state import RulesShelf, RulesUnavailableError

COUNT: Final = 500
"""Commits of one partition taken in one round."""

Unreadable = tuple[int, str]
"""Feed number and table of a commit that only a newer program can read."""

log = structlog.get_logger()


class Projector:
    """Keeps all projections of some partitions up to date; one round after another."""

    def __init__(
        self, feed: Feed, shelf: RulesShelf, partitions: Sequence[Partition], projections: Sequence[Projection]
    ) -> None:
        self._feed = feed
        self._shelf = shelf
        self._partitions = partitions
        self._projections = projections
        self._folds = Folds(shelf, lambda partition, table, upto: feed.history(partition, table, upto=upto))
        self._places = Places(feed)

    def round(self, *, block_ms: int) -> int:
        """Take in what is new, waiting so long for something, and return how many commits were read."""
        # 1. read behind the slowest projection
        after = {each: self._slowest(each) for each in self._partitions}
        read = self._feed.read_feed(after, count=COUNT, block_ms=block_ms)
        for partition, entries in read.items():
            # 2. fold
            steps, unreadable = self._fold(partition, entries)
            # 3. save views and position of each projection together
            for projection in self._projections:
                self._save(projection, partition, steps, unreadable, end=entries[-1][0])
        return sum(map(len, read.values()))

    def forget(self) -> None:
        """Start again from what the store says, as after it was away."""
        self._folds.forget()
        self._places = Places(self._feed)

    def _slowest(self, partition: Partition) -> int:
        return min(self._position(each, partition) for each in self._projections)

    def _position(self, projection: Projection, partition: Partition) -> int:
        try:
            return self._places.position(projection, partition)
        except StaleError:
            log.warning("projection_left_behind", projection=projection.name, partition=partition.tag)
            end = catch_up(self._feed, self._shelf, projection, partition)
            self._places.saved(projection, partition, end)
            return end

    def _fold(
        self, partition: Partition, entries: Sequence[tuple[int, str, bytes]]
    ) -> tuple[list[Step], list[Unreadable]]:
        steps: list[Step] = []
        unreadable: list[Unreadable] = []
        for number, table, packed in entries:
            try:
                steps.append(self._folds.step(partition, number, table, packed))
            except (UnknownKindError, RulesUnavailableError, MalformedError) as fault:
                log.warning("table_needs_newer_program", table=table, partition=partition.tag, reason=str(fault))
                unreadable.append((number, table))
        return steps, unreadable

    def _save(
        self,
        projection: Projection,
        partition: Partition,
        steps: Sequence[Step],
        unreadable: Sequence[Unreadable],
        *,
        end: int,
    ) -> None:
        after = self._position(projection, partition)
        if end <= after:
            return
        fresh = [step for step in steps if step.number > after]
        failed = dict.fromkeys(table for number, table in unreadable if number > after)
        writes = [*projection.writes(partition, fresh), *_all_unreadable(projection, partition, failed)]
        moved = {step.table: step.after.version for step in fresh}
        try:
            self._places.save(projection, partition, after=after, position=end, writes=writes, moved=moved)
        except GapError:
            # Somebody else has saved meanwhile: go on from there.
            log.info("position_moved_elsewhere", projection=projection.name, partition=partition.tag)
            self._places.forget(projection, partition)
            self._folds.forget()


def _all_unreadable(projection: Projection, partition: Partition, tables: Iterable[str]) -> list[ViewWrite]:
    return [write for table in tables for write in projection.unreadable(partition, table)]
