"""The feed in memory: what projection workers read and save, and what readers of views see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.log.errors import GapError, OrderError, StaleError
from events.log.memory_shelf import Memory, Place, Stream, Table, split
from events.log.records import HashDrop, HashPut, Moved, RankCut, RankDrop, RankPut, Save, StreamAppend, ViewWrite
from events.streams import Partition


class MemoryFeed:
    """Implements ``Feed``."""

    _memory: Memory

    def read_feed(
        self, after: Mapping[Partition, int], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[int, str, bytes]]]:
        def there() -> dict[Partition, Sequence[tuple[int, str, bytes]]]:
            found: dict[Partition, Sequence[tuple[int, str, bytes]]] = {}
            for partition, number in after.items():
                place = self._memory.place(partition)
                start = max(number - place.trimmed, 0)
                if entries := place.feed[start : start + count]:
                    found[partition] = entries
            return found

        with self._memory.changed:
            return self._memory.changed.wait_for(there, block_ms / 1000)

    def damaged(self, partitions: Sequence[Partition]) -> Mapping[Partition, str]:
        return {}

    def feed_end(self, partition: Partition) -> int:
        with self._memory.changed:
            return self._memory.place(partition).feed_end

    def tables(self, partition: Partition, *, start: int, count: int) -> Sequence[str]:
        with self._memory.changed:
            opened = self._memory.place(partition).opened
            return sorted(opened, key=lambda table: (opened[table], table))[start : start + count]

    def history(self, partition: Partition, table: str, *, upto: int | None = None) -> Sequence[bytes]:
        with self._memory.changed:
            entries = self._memory.place(partition).tables.get(table, Table()).entries.entries
            return [body for entry, body in entries if upto is None or split(entry)[0] <= upto]

    def position(self, partition: Partition, projection: str) -> int:
        with self._memory.changed:
            place = self._memory.place(partition)
            _require_current(place, projection, 0)
            return place.positions.setdefault(projection, 0)

    def save(self, save: Save) -> None:
        (fault,) = self.save_all([save])
        if fault is not None:
            raise fault

    def save_all(self, saves: Sequence[Save]) -> Sequence[Exception | None]:
        with self._memory.changed:
            return [self._unsaved(each) for each in saves]

    def _unsaved(self, save: Save) -> Exception | None:
        try:
            (self._save_of_all if save.across else self._save)(save)
        except (GapError, StaleError, OrderError) as fault:
            return fault
        if save.moved:
            moved = Moved(projection=save.projection, position=save.position, tables=dict(save.moved))
            self._memory.push(save.partition, moved)
        return None

    def _save(self, save: Save) -> None:
        place = self._memory.place(save.partition)
        _require(stored=place.positions.get(save.projection), after=save.after)
        if save.projection in place.stale and save.position < place.trimmed:
            raise StaleError(save.projection)
        self.write_all(save.writes)
        place.positions[save.projection] = save.position
        place.stale.discard(save.projection)

    def _save_of_all(self, save: Save) -> None:
        place = self._memory.place(save.partition)
        key = (save.projection, save.partition)
        _require(stored=self._memory.positions_of_all.get(key), after=save.after)
        self.write_all(save.writes)
        self._memory.positions_of_all[key] = save.position
        place.positions[save.projection] = max(save.position, place.positions.get(save.projection, 0))
        if save.position >= place.trimmed:
            place.stale.discard(save.projection)

    def position_of_all(self, partition: Partition, projection: str) -> int:
        with self._memory.changed:
            place = self._memory.place(partition)
            saved = self._memory.positions_of_all.get((projection, partition), 0)
            _require_current(place, projection, saved)
            place.positions.setdefault(projection, saved)
            return self._memory.positions_of_all.setdefault((projection, partition), saved)

    def forget(self, partition: Partition, projection: str) -> None:
        with self._memory.changed:
            place = self._memory.place(partition)
            place.positions.pop(projection, None)
            place.builds.pop(projection, None)
            self._memory.positions_of_all.pop((projection, partition), None)
            self._memory.marks_of_all.pop((projection, partition), None)
            place.stale.discard(projection)

    def write_all(self, writes: Sequence[ViewWrite]) -> None:
        """Write all of it, or nothing when something cannot be written."""
        self._check(writes)
        for write in writes:
            self._write(write)

    def _check(self, writes: Sequence[ViewWrite]) -> None:
        memory = self._memory
        kinds: dict[str, object] = {}
        ends: dict[str, tuple[int, int]] = {}
        for write in writes:
            home = self._home(write)
            for other in (memory.hashes, memory.streams, memory.ranks):
                if other is not home and other.get(write.key):
                    raise OrderError(f"{write.key} is of another type")
            if kinds.setdefault(write.key, home) is not home:
                raise OrderError(f"{write.key} is of another type")
            if isinstance(write, StreamAppend):
                last = ends.get(write.key, memory.streams.get(write.key, Stream()).last)
                if split(write.entry) <= last:
                    raise OrderError(f"{write.entry} is not behind {last} in {write.key}")
                ends[write.key] = split(write.entry)

    def _home(self, write: ViewWrite) -> Mapping[str, object]:
        match write:
            case HashPut() | HashDrop():
                return self._memory.hashes
            case StreamAppend():
                return self._memory.streams
            case RankPut() | RankDrop() | RankCut():
                return self._memory.ranks

    def _write(self, write: ViewWrite) -> None:
        memory = self._memory
        match write:
            case HashPut():
                memory.hashes.setdefault(write.key, {}).update(write.fields)
            case HashDrop():
                for name in write.fields:
                    memory.hashes.get(write.key, {}).pop(name, None)
            case StreamAppend():
                memory.streams.setdefault(write.key, Stream()).append(write.entry, write.body)
            case RankPut():
                memory.ranks.setdefault(write.key, {})[write.member] = write.score
            case RankDrop():
                memory.ranks.get(write.key, {}).pop(write.member, None)
            case RankCut():
                ranks = memory.ranks.get(write.key, {})
                end = max(ranks.values(), default=0) - write.below
                for member in [member for member, score in ranks.items() if score <= end]:
                    del ranks[member]


class MemoryViews:
    """Implements ``Views``."""

    _memory: Memory

    def view_field(self, key: str, field: str) -> bytes | None:
        with self._memory.changed:
            return self._memory.hashes.get(key, {}).get(field)

    def view_fields(self, key: str) -> Mapping[str, bytes]:
        with self._memory.changed:
            return dict(self._memory.hashes.get(key, {}))

    def view_entries(self, key: str, *, after: str = "0-0", count: int = 1000) -> Sequence[tuple[str, bytes]]:
        with self._memory.changed:
            return self._memory.streams.get(key, Stream()).behind(after, count)

    def view_ranks(self, key: str, *, start: int, stop: int) -> Sequence[tuple[str, int]]:
        with self._memory.changed:
            ranked = sorted(
                self._memory.ranks.get(key, {}).items(), key=lambda each: (each[1], each[0].encode()), reverse=True
            )
            return ranked[start : stop + 1 if stop >= 0 else len(ranked) + stop + 1]


def _require(*, stored: int | None, after: int) -> None:
    if stored != after:
        raise GapError(f"the position is {stored}, not {after}")


def left_behind(place: Place, projection: str, position: int) -> bool:
    """Whether the feed went on without what stands at a position."""
    return projection in place.stale or position < place.trimmed


def _require_current(place: Place, projection: str, position: int) -> None:
    if left_behind(place, projection, place.positions.get(projection, position)):
        raise StaleError(projection)
