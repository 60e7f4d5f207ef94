"""Keeps a fault of rules or doors to the table it befell, and tells where it lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

from events.codec import MalformedError
from events.log.rebuilds import ProjectionStore
from events.log.records import HashPut, ViewWrite
from events.upcasting import UnknownKindError
from projections.kit.projection import BROKEN, Step
from projections.runtime.lines import Line
from workers.tables.state import RulesUnavailableError

UNREADABLE = (UnknownKindError, RulesUnavailableError, MalformedError)
"""What a history complains of that a newer program wrote."""

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class Break:
    """What broke, and where; never what it said, which may hold secrets."""

    kind: str
    place: str


class BrokenError(Exception):
    """Rules or doors failed at a table: mark it, and go on with the others."""

    def __init__(self, found: Break) -> None:
        super().__init__(f"{found.kind} at {found.place}")
        self.found = found


@contextmanager
def breaking() -> Iterator[None]:
    """Have every fault inside told as ``BrokenError``, but that of a history which a newer program wrote."""
    try:
        yield
    except (*UNREADABLE, MemoryError):
        raise
    except Exception as fault:
        raise BrokenError(Break(kind=type(fault).__name__, place=_place_of(fault))) from fault


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What is to be written for some steps, and what broke, by table."""

    writes: Sequence[ViewWrite]
    breaks: Mapping[str, Break]


def draw(line: Line, steps: Sequence[Step], *, unfolded: Mapping[str, Break]) -> Drawn:
    """
    Return what a projection makes of steps; a table that breaks it is marked, as are those that could not be folded.

    Such a table is written up to where it broke.
    """
    breaks: dict[str, Break] = {}
    try:
        with breaking():
            writes = list(line.projection.writes(line.home, steps))
    except BrokenError:
        writes = []
        for table, own in _by_table(steps).items():
            try:
                for step in own:
                    with breaking():
                        writes += line.projection.writes(line.home, [step])
            except BrokenError as fault:
                breaks[table] = fault.found
    breaks = {**unfolded, **breaks}
    for table, found in breaks.items():
        writes += line.projection.broken(line.home, table)
        writes.append(HashPut(line.home.key(BROKEN), {table: f"{found.kind} at {found.place}".encode()}))
    return Drawn(writes=writes, breaks=breaks)


def tell(line: Line, breaks: Mapping[str, Break]) -> None:
    """Log each table that broke, once it is marked."""
    for table, found in breaks.items():
        log.error(
            "view_broken",
            table=table,
            projection=line.version,
            partition=line.partition.tag,
            kind=found.kind,
            place=found.place,
        )


def broken_among(store: ProjectionStore, line: Line, tables: Sequence[str]) -> frozenset[str]:
    """Return which of some tables are marked as broken."""
    marks = store.fields(line.home.key(BROKEN), tables)
    return frozenset(table for table, mark in zip(tables, marks, strict=True) if mark is not None)


def _by_table(steps: Sequence[Step]) -> Mapping[str, Sequence[Step]]:
    found: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        found[step.table].append(step)
    return found


def _place_of(fault: BaseException) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "nowhere"
    frame = trace.tb_frame
    return f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}:{trace.tb_lineno}"
