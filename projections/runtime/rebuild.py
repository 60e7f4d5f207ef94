"""Makes a version of a projection from the tables' own histories, beside the live one, and puts it in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import structlog

from events.log.errors import GapError, OrderError
from events.log.rebuilds import Mark, ProjectionStore
from events.log.records import HashPut, ViewWrite
from projections.kit.projection import BROKEN, Step
from projections.runtime.breaks import Break, broken_among, draw, tell
from projections.runtime.folds import history_steps
from projections.runtime.lines import BUILT, FOLLOWS, Aside, Going, Line, Survey
from workers.tables.state import RulesShelf

WEIGHT: Final = 500
"""Commits whose views are written in one call, about; at most twice as many."""

TABLE_WEIGHT: Final = 10

TABLES: Final = 200
"""Tables looked through, or removed, in one call."""

log = structlog.get_logger()


class Rebuilder:
    """
    Takes every rebuild one bounded piece further, so that live traffic goes on between.

    Any number of processes may do so at once: each piece begins at the mark of the one before, or changes nothing.
    """

    def __init__(self, store: ProjectionStore, shelf: RulesShelf, aside: Aside) -> None:
        self._store = store
        self._shelf = shelf
        self._aside = aside

    def advance(self, survey: Survey) -> int:
        """Do the next piece of everything that is under way, and return how many that were."""
        coming = {(line.projection.name, line.partition): line for line in survey.lines if not line.live}
        done = 0
        for line in survey.lines:
            with self._aside(line.scope):
                if line.live:
                    done += self._heal(line, is_coming=(line.projection.name, line.partition) in coming)
                elif not line.broken:
                    done += self._try(line, survey)
        for partition, version in survey.outdated:
            with self._aside(partition):
                self._store.forget(partition, version)
        for going in survey.going:
            with self._aside(going.scope):
                self._remove(going, survey)
        return done + len(survey.going)

    def _heal(self, line: Line, *, is_coming: bool) -> int:
        """Have a live version that was left behind, is ahead, or can no longer be written, made anew."""
        done = 0
        if not is_coming and (line.stale or line.broken or line.ahead):
            number = self._store.ask_rebuild(line.scope, line.projection.name)
            why = "broken" if line.broken else "stale" if line.stale else "ahead"
            log.warning("projection_rebuilds", version=line.version, partition=line.partition.tag, next=number, why=why)
            done = 1
        if line.ahead:
            self._set_back(line)
            done = 1
        return done

    def _set_back(self, line: Line) -> None:
        """Have a version go on at the feed's end that is ahead of it; what it shows is made anew meanwhile."""
        self._store.set_back(
            line.partition,
            line.version,
            position=line.position or 0,
            end=self._store.feed_end(line.partition),
            across=line.projection.across,
        )

    def _try(self, line: Line, survey: Survey) -> int:
        try:
            return self._make(line, survey)
        except GapError:  # another process has done the piece
            return 1
        except OrderError:
            log.exception("rebuild_cannot_be_written", version=line.version, partition=line.partition.tag)
            line.broken = True
            return 0

    def _make(self, line: Line, survey: Survey) -> int:
        across = line.projection.across
        if line.position is None or line.stale or line.ahead:
            # 1. Have the feed held from here on: whatever comes now is read from it.
            self._store.begin(line.partition, line.version, expected=line.position, across=across)
            return 1
        if line.reads_histories:
            # 2. Write what the histories say, piece by piece.
            self._piece(line, Mark.read(line.mark))
            return 1
        if line.mark:
            # 3. The feed leads past what histories were read up to: until then steps may come twice.
            if line.position >= int(line.mark.removeprefix(FOLLOWS)):
                self._store.mark(line.partition, line.version, after=line.mark, mark="", across=across)
                return 1
            return 0
        # 4. Nowhere behind the live one: take its place.
        return self._switch(line, survey)

    def _piece(self, line: Line, mark: Mark) -> None:
        tables = self._store.tables(line.partition, start=mark.tables, count=TABLES)
        across = line.projection.across
        if not tables:
            reached = f"{FOLLOWS}{self._store.feed_end(line.partition)}"
            self._store.mark(line.partition, line.version, after=line.mark, mark=reached, across=across)
            return
        piece = self._read(line, mark, tables)
        drawn = draw(line, piece.steps, unfolded=piece.broken)
        writes = [
            *drawn.writes,
            *(write for table in piece.unreadable for write in line.projection.unreadable(line.home, table)),
            *built_put(line, piece.steps),
        ]
        self._store.save_piece(
            line.partition, line.version, after=line.mark, mark=str(piece.mark), writes=writes, across=across
        )
        tell(line, drawn.breaks)

    def _read(self, line: Line, mark: Mark, tables: Sequence[str]) -> _Piece:
        """Return what the next piece holds."""
        known = built_versions(self._store, line, tables)
        broken = broken_among(self._store, line, tables)
        heads = self._store.versions(line.partition, tables)
        piece = _Piece(mark=mark)
        for number, (table, head) in enumerate(zip(tables, heads, strict=True)):
            if piece.weight >= WEIGHT:
                break
            if table not in broken and known.get(table, 0) < head:
                piece.tables += 1
                for step in history_steps(self._store, self._shelf, line.partition, table):
                    if step is None:
                        piece.unreadable.append(table)
                    elif isinstance(step, Break):
                        piece.broken[table] = step
                    elif step.after.version > known.get(table, 0):
                        piece.steps.append(step)
                        if piece.weight >= 2 * WEIGHT:
                            piece.mark = Mark(mark.feed, mark.tables + number, step.after.version)
                            return piece
            piece.mark = Mark(mark.feed, mark.tables + number + 1)
        return piece

    def _switch(self, line: Line, survey: Survey) -> int:
        live = next(
            each
            for each in survey.lines
            if each.live and each.partition == line.partition and each.projection is line.projection
        )
        if not self._store.switch(line.scope, line.projection.name, old=live.number, new=line.number):
            return 0
        log.info("projection_switched", version=line.version, partition=line.scope and line.scope.tag)
        return 1

    def _remove(self, going: Going, survey: Survey) -> None:
        """Remove the next piece of a version that was live, and what the live one was rebuilt with."""
        live = next(line for line in survey.lines if line.live and _keeps(line, going))
        old = msgspec.structs.replace(live.home, version=going.version)
        whole = [old.key(BUILT), old.key(BROKEN), live.home.key(BUILT)]
        if going.scope is None:
            keys = [old.key(name) for name in going.projection.kept(())]
            self._store.drop(None, going.version, [*keys, *whole], done=None)
            return
        tables = self._store.tables(going.scope, start=going.done, count=TABLES)
        if tables:
            keys = [old.key(name) for name in going.projection.kept(tables)]
            self._store.drop(going.scope, going.version, keys, done=going.done + len(tables))
        else:
            self._store.drop(going.scope, going.version, whole, done=None)


@dataclass(kw_only=True)
class _Piece:
    """A bounded part of the histories, and the mark behind it."""

    mark: Mark
    steps: list[Step] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    broken: dict[str, Break] = field(default_factory=dict)
    tables: int = 0

    @property
    def weight(self) -> int:
        """How much is to be written, in commits; the documents of a table weigh as much as some of them."""
        return len(self.steps) + TABLE_WEIGHT * self.tables


def built_versions(store: ProjectionStore, line: Line, tables: Sequence[str]) -> dict[str, int]:
    """Return up to which version of each table a version of a projection is rebuilt."""
    found = store.fields(line.home.key(BUILT), tables)
    return {table: int(version) for table, version in zip(tables, found, strict=True) if version is not None}


def built_put(line: Line, steps: Sequence[Step]) -> list[ViewWrite]:
    """Return what says up to which version each table is rebuilt with these steps."""
    built = {step.table: str(step.after.version).encode() for step in steps}
    return [HashPut(line.home.key(BUILT), built)] if built else []


def _keeps(line: Line, going: Going) -> bool:
    return line.projection is going.projection and going.scope in (None, line.partition)
