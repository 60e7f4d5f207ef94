"""Reads the feed, folds it, and saves what every projection makes of it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from events.log.errors import GapError, NodeAwayError, OrderError, StaleError
from events.log.rebuilds import ProjectionStore
from events.log.records import Save, ViewWrite
from events.log.store import Views
from events.streams import Partition
from projections.kit.projection import BROKEN, Projection, Step
from projections.runtime.aside import Away
from projections.runtime.breaks import UNREADABLE, Break, BrokenError, broken_among, draw, tell
from projections.runtime.folds import Folds
from projections.runtime.lines import Line, Survey, register, survey
from projections.runtime.rebuild import Rebuilder, built_put, built_versions
from workers.tables.state import RulesShelf

COUNT: Final = 500
"""Commits of one partition taken in one round; when so many of several are drawn, they are saved before the rest is."""

SURVEY_S: Final = 1.0
"""How often to look which versions are live, and which are asked for."""

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class _Read:
    """
    What was read of one partition: commits, folded.

    Args:
        unreadable: feed number and table of those that cannot be read.
        broken: the same, and what broke, of those at which the rules failed.
    """

    steps: Sequence[Step]
    unreadable: Sequence[tuple[int, str]]
    broken: Sequence[tuple[int, str, Break]]
    end: int


@dataclass(frozen=True, kw_only=True)
class _Ready:
    """
    What is to be saved of a line.

    Args:
        breaks: what broke, by table; ``broken`` are all tables that are marked then.
    """

    line: Line
    save: Save
    breaks: Mapping[str, Break]
    broken: frozenset[str]


class ProjectorStore(ProjectionStore, Views, Protocol):
    """Everything a projector may do, and read of what it has written."""


class Projector:
    """Keeps all projections of some partitions up to date, and rebuilds those that have to be; in rounds."""

    def __init__(
        self,
        store: ProjectorStore,
        shelf: RulesShelf,
        partitions: Sequence[Partition],
        projections: Sequence[Projection],
    ) -> None:
        self._store = store
        self._partitions = partitions
        self._projections = projections
        self._folds, self._late_folds = (
            Folds(shelf, lambda partition, table, upto: store.history(partition, table, upto=upto)) for _ in range(2)
        )
        self._away = Away()
        self._rebuilder = Rebuilder(store, shelf, self._away.aside)
        self._survey: Survey | None = None
        self._surveyed = 0.0
        self._versions: set[tuple[str, Partition]] = set()
        self._broken: set[tuple[str, Partition]] = set()
        self._gaps: set[tuple[str, Partition, int | None]] = set()
        self._breaks: dict[tuple[str, Partition], tuple[int, frozenset[str]]] = {}
        """Tables that are marked as broken in live versions, as of the position this process saved last."""

    def round(self, *, block_ms: int) -> int:
        """Take in what is new, waiting so long for something; return how much was done, 0 when nothing was."""
        # 1. see how everything stands
        found = self._look()
        # 2. one piece of each rebuild
        done = self._rebuild(found)
        lines = [line for line in found.lines if line.is_fed]
        newest = _newest(lines)
        # 3. read and save what is new
        late = [line for line in lines if line.position != newest[line.partition]]
        current = [line for line in lines if line.position == newest[line.partition]]
        done += self._advance(current, self._folds, block_ms=0 if late or done else block_ms)
        # 4. read and save what those behind have missed
        done += self._advance(late, self._late_folds, block_ms=0) if late else 0
        if self.trouble is not None or not (done and found.is_plain):
            self._survey = None
        return done

    def take(self, partitions: Sequence[Partition]) -> None:
        """Work on these partitions from now on."""
        if tuple(partitions) != tuple(self._partitions):
            log.info("partitions_taken", partitions=[each.tag for each in partitions])
            self._partitions = partitions
            self.forget()

    @property
    def trouble(self) -> NodeAwayError | None:
        """Return why something waited in the last round while all else went on, if anything did."""
        return self._away.trouble

    def damaged(self) -> Mapping[Partition, str]:
        """Return what is wrong with the keys of partitions that are worked on."""
        return self._store.damaged(self._partitions)

    def forget(self) -> None:
        """Start again from what the store says, as after it was away."""
        self._forget_tables()
        self._broken.clear()
        self._gaps.clear()

    def _forget_tables(self) -> None:
        self._folds.forget()
        self._late_folds.forget()
        self._breaks.clear()
        self._survey = None

    def _look(self) -> Survey:
        now = time.monotonic()
        if self._survey is None or now - self._surveyed > SURVEY_S:
            self._away.look_anew()
            self._survey = survey(self._store, self._partitions, self._projections, aside=self._away.aside)
            self._surveyed = now
            self._note_versions({(line.version, line.partition) for line in self._survey.lines})
            self._broken &= {(line.version, line.partition) for line in self._survey.lines}
            self._gaps &= {(line.version, line.partition, line.position) for line in self._survey.lines}
            for line in self._survey.lines:
                line.broken = (line.version, line.partition) in self._broken
                if line.live and line.position is None:
                    with self._away.aside(line.scope):
                        register(self._store, line)
        return self._survey

    def _note_versions(self, versions: set[tuple[str, Partition]]) -> None:
        """What rules failed at is tried again where views are made anew."""
        if versions != self._versions:
            self._versions = versions
            self._folds.forget()
            self._late_folds.forget()

    def _rebuild(self, found: Survey) -> int:
        if found.is_plain:
            return 0
        done = self._rebuilder.advance(found)
        self._broken |= {(line.version, line.partition) for line in found.lines if line.broken}
        if done:
            self._survey = None
        return done

    def _advance(self, lines: Sequence[Line], folds: Folds, *, block_ms: int) -> int:
        by_partition: dict[Partition, list[Line]] = defaultdict(list)
        for line in lines:
            by_partition[line.partition].append(line)
        if not lines:
            time.sleep(block_ms / 1000)
            return 0
        after = {partition: min(line.position or 0 for line in each) for partition, each in by_partition.items()}
        found = self._store.read_feed(after, count=COUNT, block_ms=block_ms)
        ready: list[_Ready] = []
        drawn = 0
        for partition, entries in found.items():
            if not self._is_whole(by_partition[partition], after[partition], entries):
                continue
            with self._away.aside(partition):
                read = _folded(folds, partition, entries)
                for line in by_partition[partition]:
                    with self._away.aside(line.scope):
                        ready += self._draw(line, read)
            drawn += len(entries)
            if drawn >= COUNT:
                self._save(ready)
                ready, drawn = [], 0
        self._save(ready)
        return sum(map(len, found.values()))

    def _is_whole(self, lines: Sequence[Line], after: int, entries: Sequence[tuple[int, str, bytes]]) -> bool:
        """
        Whether the feed goes on behind a position without a gap.

        The first time that may be since somebody else moved the position, and the feed was cut; the second time it
        is since something is missing: then the line is as good as broken.
        """
        if all(number == after + place for place, (number, _, _) in enumerate(entries, 1)):
            return True
        self._survey = None
        for line in lines:
            gap = (line.version, line.partition, line.position)
            if line.position == after and gap in self._gaps:
                log.error("feed_has_a_gap", version=line.version, partition=line.partition.tag, position=after)
                self._broken.add((line.version, line.partition))
            self._gaps.add(gap)
        return False

    def _draw(self, line: Line, read: _Read) -> Iterator[_Ready]:
        """Give what is to be saved of a line, if anything is."""
        after = line.position or 0
        if read.end <= after:
            return
        broken = self._broken_tables(line, read)
        steps = [step for step in read.steps if step.number > after and step.table not in broken]
        unfolded = {table: found for number, table, found in read.broken if number > after and table not in broken}
        writes: list[ViewWrite] = []
        if not line.live:
            steps = self._not_built(line, steps)
            writes += built_put(line, steps)
        drawn = draw(line, steps, unfolded=unfolded)
        writes += drawn.writes
        for table in dict.fromkeys(table for number, table in read.unreadable if number > after):
            writes += line.projection.unreadable(line.home, table)
        pushes, across = line.live and line.projection.pushed, line.projection.across
        moved = {step.table: step.after.version for step in steps} if pushes else {}
        save = Save(line.partition, line.version, after, read.end, writes=writes, moved=moved, across=across)
        yield _Ready(line=line, save=save, breaks=drawn.breaks, broken=broken | drawn.breaks.keys())

    def _save(self, ready: Sequence[_Ready]) -> None:
        """Save what was drawn, together; all that was saved is noted before a fault is raised."""
        faults = self._store.save_all([each.save for each in ready]) if ready else []
        for each, fault in sorted(zip(ready, faults, strict=True), key=lambda both: both[1] is not None):
            with self._away.aside(each.line.scope):
                self._settle(each, fault)

    def _settle(self, ready: _Ready, fault: Exception | None) -> None:
        line = ready.line
        told = {"version": line.version, "partition": line.partition.tag}
        match fault:
            case None:
                line.position = ready.save.position
                self._breaks[line.version, line.partition] = (ready.save.position, ready.broken)
                tell(line, ready.breaks)
            case GapError() | StaleError():
                # Somebody else has saved meanwhile, or cut the feed: go on from there.
                log.info("position_moved_elsewhere", **told, why=str(fault))
                self._forget_tables()
            case OrderError():
                log.error("views_cannot_be_written", **told, why=str(fault))
                self._broken.add((line.version, line.partition))
                self._survey = None
            case _:
                raise fault

    def _broken_tables(self, line: Line, read: _Read) -> frozenset[str]:
        """Return the tables that are left as they are; nobody marks one without moving the position."""
        if not line.live:
            tables = dict.fromkeys((*(each.table for each in read.steps), *(table for _, table, _ in read.broken)))
            return broken_among(self._store, line, list(tables))
        position, tables_broken = self._breaks.get((line.version, line.partition), (None, frozenset[str]()))
        if position == line.position:
            return tables_broken
        return frozenset(self._store.view_fields(line.home.key(BROKEN)))

    def _not_built(self, line: Line, steps: Sequence[Step]) -> list[Step]:
        """Leave out what a rebuild has read from the histories already."""
        built = built_versions(self._store, line, list(dict.fromkeys(step.table for step in steps)))
        return [step for step in steps if step.after.version > built.get(step.table, 0)]


def _newest(lines: Sequence[Line]) -> dict[Partition, int]:
    newest: dict[Partition, int] = {}
    for line in lines:
        newest[line.partition] = max(line.position or 0, newest.get(line.partition, 0))
    return newest


def _folded(folds: Folds, partition: Partition, entries: Sequence[tuple[int, str, bytes]]) -> _Read:
    steps: list[Step] = []
    unreadable: list[tuple[int, str]] = []
    broken: list[tuple[int, str, Break]] = []
    for number, table, packed in entries:
        try:
            steps.append(folds.step(partition, number, table, packed))
        except UNREADABLE as fault:
            log.warning("table_needs_newer_program", table=table, partition=partition.tag, reason=str(fault))
            unreadable.append((number, table))
        except BrokenError as fault:
            broken.append((number, table, fault.found))
    return _Read(steps=steps, unreadable=unreadable, broken=broken, end=entries[-1][0])
