"""Rebuilds in memory: versions of projections beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.log.errors import GapError
from events.log.memory_feed import MemoryFeed, left_behind
from events.log.memory_shelf import Memory, Table
from events.log.rebuilds import Courses, Mark, Standing, courses
from events.log.records import ViewWrite
from events.streams import Partition, numbered, projections_of


class MemoryRebuilds(MemoryFeed):
    """Implements ``Rebuilds``."""

    _memory: Memory

    def announce_projections(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        return self._memory.announce(projections_of(game), owner=owner, ttl_ms=ttl_ms)

    def withdraw_projections(self, game: str, *, owner: str) -> None:
        self._memory.withdraw(projections_of(game), owner=owner)

    def projecting(self, game: str) -> bool:
        return bool(self._memory.announce(projections_of(game), owner="", ttl_ms=0))

    def remove_views(self, version: str) -> int:
        with self._memory.changed:
            kinds: tuple[dict[str, Any], ...] = (self._memory.hashes, self._memory.streams, self._memory.ranks)
            found = [(kind, key) for kind in kinds for key in kind if f":v:{version}:" in key]
            for kind, key in found:
                del kind[key]
            return len(found)

    def standing(self, partition: Partition) -> tuple[Standing, Courses]:
        with self._memory.changed:
            place = self._memory.place(partition)
            found = Standing(
                end=place.feed_end,
                trimmed=place.trimmed,
                tables=len(place.opened),
                positions=dict(place.positions),
                stale=frozenset(place.stale),
                marks=dict(place.builds),
            )
            return found, courses(place.live)

    def courses_of_all(self) -> Courses:
        with self._memory.changed:
            return courses(self._memory.live_of_all)

    def marks_of_all(self, version: str) -> tuple[Mapping[str, int], Mapping[str, str]]:
        with self._memory.changed:
            positions = {part.tag: n for (name, part), n in self._memory.positions_of_all.items() if name == version}
            marks = {part.tag: mark for (name, part), mark in self._memory.marks_of_all.items() if name == version}
            return positions, marks

    def ask_rebuild(self, partition: Partition | None, projection: str) -> int:
        with self._memory.changed:
            live = self._live(partition)
            coming = int(live.get(projection, 1)) + 1
            return int(live.setdefault(f"coming:{projection}", str(coming)))

    def begin(self, partition: Partition, version: str, *, expected: int | None, across: bool) -> None:
        with self._memory.changed:
            place = self._memory.place(partition)
            held = place.positions.get(version)
            if held is None or left_behind(place, version, held):
                held = place.positions[version] = place.feed_end
                place.stale.discard(version)
                if not across:
                    place.builds[version] = str(Mark(held))
            key = (version, partition)
            if across and self._memory.positions_of_all.get(key) == expected:
                self._memory.positions_of_all[key] = held
                self._memory.marks_of_all[key] = str(Mark(held))

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
        with self._memory.changed:
            stored = self._mark_of(partition, version, across=across)
            if stored != after:
                raise GapError(f"the rebuild is at {stored}, not {after}")
            self.write_all(writes)
            self._set_mark(partition, version, mark, across=across)

    def mark(self, partition: Partition, version: str, *, after: str, mark: str, across: bool) -> None:
        with self._memory.changed:
            if self._mark_of(partition, version, across=across) == after:
                self._set_mark(partition, version, mark, across=across)

    def set_back(self, partition: Partition, version: str, *, position: int, end: int, across: bool) -> None:
        with self._memory.changed:
            positions: dict[Any, int] = (
                self._memory.positions_of_all if across else self._memory.place(partition).positions
            )
            field = (version, partition) if across else version
            if positions.get(field) == position:
                positions[field] = end

    def switch(self, partition: Partition | None, projection: str, *, old: int, new: int) -> bool:
        with self._memory.changed:
            live = self._live(partition)
            if live.get(projection, "1") != str(old) or live.get(f"coming:{projection}") != str(new):
                return False
            before, after = numbered(projection, old), numbered(projection, new)
            if not self._is_ready(partition, before, after):
                return False
            live.update({projection: str(new), f"going:{before}": "0"})
            del live[f"coming:{projection}"]
            if partition is not None:
                self._memory.place(partition).positions.pop(before, None)
                self._memory.place(partition).stale.discard(before)
            return True

    def drop(self, partition: Partition | None, version: str, keys: Sequence[str], *, done: int | None) -> None:
        with self._memory.changed:
            for key in keys:
                for home in (self._memory.hashes, self._memory.streams, self._memory.ranks):
                    home.pop(key, None)
            live = self._live(partition)
            if done is None:
                live.pop(f"going:{version}", None)
            else:
                live[f"going:{version}"] = str(done)

    def versions(self, partition: Partition, tables: Sequence[str]) -> Sequence[int]:
        with self._memory.changed:
            return [self._memory.place(partition).tables.get(table, Table()).version for table in tables]

    def fields(self, key: str, names: Sequence[str]) -> Sequence[bytes | None]:
        with self._memory.changed:
            return [self._memory.hashes.get(key, {}).get(name) for name in names]

    def projections(self, partition: Partition) -> Sequence[str]:
        with self._memory.changed:
            place = self._memory.place(partition)
            return sorted({*place.positions, *place.stale})

    def _is_ready(self, partition: Partition | None, before: str, after: str) -> bool:
        """Whether one version is rebuilt, and nowhere behind the other."""
        old: Mapping[str, int]
        if partition is not None:
            place = self._memory.place(partition)
            old, new = {"": place.positions.get(before, 0)}, {"": place.positions.get(after, -1)}
            marks = {""} if after in place.builds else set()
        else:
            old = self.marks_of_all(before)[0]
            found, marked = self.marks_of_all(after)
            new, marks = dict(found), set(marked)
        return all(new.get(each, -1) >= number and each not in marks for each, number in old.items())

    def _live(self, partition: Partition | None) -> dict[str, str]:
        return self._memory.live_of_all if partition is None else self._memory.place(partition).live

    def _mark_of(self, partition: Partition, version: str, *, across: bool) -> str:
        if across:
            return self._memory.marks_of_all.get((version, partition), "")
        return self._memory.place(partition).builds.get(version, "")

    def _set_mark(self, partition: Partition, version: str, mark: str, *, across: bool) -> None:
        marks = self._memory.place(partition).builds
        if across:
            if mark:
                self._memory.marks_of_all[version, partition] = mark
            else:
                self._memory.marks_of_all.pop((version, partition), None)
        elif mark:
            marks[version] = mark
        else:
            marks.pop(version, None)
