"""Every version of every projection in every partition, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from events.log.errors import StaleError
from events.log.rebuilds import Courses, ProjectionStore, Standing
from events.streams import Partition, numbered
from projections.kit.projection import Home, Projection

BUILT = "built"
"""Name of the hash that says up to which version of each table a version of a projection is rebuilt."""

FOLLOWS = "follows:"
"""What the mark of a rebuild begins with once all histories are read; the feed number it has to reach comes behind."""

Scope = Partition | None
"""Where something is kept: in a partition, or ``None`` for across all."""

Aside = Callable[[Scope], AbstractContextManager[None]]
"""Returns a block in which what is kept there may be away by itself, as far as that is to be borne."""


@dataclass(kw_only=True)
class Line:
    """
    A version of a projection in a partition.

    Args:
        live: whether it is read; else it is being made.
        position: feed number it has saved, ``None`` when it was not begun.
        mark: how far its rebuild is, empty when that is over.
        stale: whether the feed went on without it.
        ahead: whether it has saved what the feed does not have: a replica that had not heard of it became the master.
        broken: whether its views cannot be written any more.
    """

    projection: Projection
    partition: Partition
    number: int
    live: bool
    position: int | None
    mark: str
    stale: bool
    ahead: bool = False
    broken: bool = False

    @property
    def version(self) -> str:
        """Name and number."""
        return numbered(self.projection.name, self.number)

    @property
    def home(self) -> Home:
        """Where it keeps its views."""
        return Home(partition=self.partition, version=self.version, across=self.projection.across)

    @property
    def scope(self) -> Scope:
        """Where it is said which version is live: the partition, or ``None`` for across all."""
        return None if self.projection.across else self.partition

    @property
    def reads_histories(self) -> bool:
        """Whether a pass over the histories is not through."""
        return bool(self.mark) and not self.mark.startswith(FOLLOWS)

    @property
    def is_fed(self) -> bool:
        """Whether what comes in is to be saved."""
        return self.position is not None and not (self.stale or self.ahead or self.broken or self.reads_histories)


@dataclass(frozen=True, kw_only=True)
class Going:
    """A version that is being removed; in a partition, or everywhere when it is one across partitions."""

    projection: Projection
    version: str
    scope: Scope
    done: int


@dataclass(frozen=True, kw_only=True)
class Survey:
    """
    All lines of a projection worker, and what is to be removed.

    Args:
        outdated: versions older than the live one that still have a position in a partition.
    """

    lines: Sequence[Line]
    going: Sequence[Going]
    outdated: Sequence[tuple[Partition, str]]

    @property
    def is_plain(self) -> bool:
        """Whether nothing is to be done but to take in what is new."""
        return not (self.going or self.outdated) and all(line.live and line.is_fed for line in self.lines)


def survey(
    store: ProjectionStore,
    partitions: Sequence[Partition],
    projections: Sequence[Projection],
    *,
    aside: Aside = lambda _: nullcontext(),
) -> Survey:
    """Return how everything stands that is not away."""
    across = _Across(store, [])
    with aside(None):
        across = _Across(store, [each for each in projections if each.across])
    known = [each for each in projections if not each.across or each in across.projections]
    lines: list[Line] = []
    going: list[Going] = []
    outdated: list[tuple[Partition, str]] = []
    for partition in partitions:
        with aside(partition):
            standing, courses = store.standing(partition)
            live = {each.name: (across.courses if each.across else courses).number(each.name) for each in known}
            outdated += ((partition, version) for version in standing.positions if _is_outdated(version, live))
            for projection in known:
                if projection.across:
                    lines += across.lines(projection, partition, standing)
                else:
                    lines += _lines(projection, partition, courses, standing, standing.positions, standing.marks)
                    going += _going(projection, courses, partition)
    return Survey(lines=lines, going=[*across.going(), *going] if lines else [], outdated=outdated)


def _is_outdated(version: str, live: Mapping[str, int]) -> bool:
    name, _, number = version.rpartition("@")
    return name in live and number.isdecimal() and int(number) < live[name]


class _Across:
    """The same of projections across partitions."""

    def __init__(self, store: ProjectionStore, projections: Sequence[Projection]) -> None:
        self.projections = projections
        self.courses = store.courses_of_all() if projections else Courses(live={}, coming={}, going={})
        self._marks = {
            version: store.marks_of_all(version)
            for each in projections
            for version in (numbered(each.name, number) for number in _numbers(self.courses, each.name))
        }

    def lines(self, projection: Projection, partition: Partition, standing: Standing) -> Iterator[Line]:
        positions: dict[str, int] = {}
        marks: dict[str, str] = {}
        for version, (found, marked) in self._marks.items():
            if partition.tag in found:
                positions[version] = found[partition.tag]
            if partition.tag in marked:
                marks[version] = marked[partition.tag]
        yield from _lines(projection, partition, self.courses, standing, positions, marks)

    def going(self) -> Iterator[Going]:
        for projection in self.projections:
            yield from _going(projection, self.courses, None)


def _numbers(courses: Courses, projection: str) -> list[int]:
    """Return the number of the live version, then that of the one to come."""
    coming = courses.coming.get(projection)
    return [courses.number(projection), *([] if coming is None else [coming])]


def _lines(
    projection: Projection,
    partition: Partition,
    courses: Courses,
    standing: Standing,
    positions: Mapping[str, int],
    marks: Mapping[str, str],
) -> Iterator[Line]:
    for place, number in enumerate(_numbers(courses, projection.name)):
        version = numbered(projection.name, number)
        position = positions.get(version)
        left_behind = position is not None and position < standing.trimmed
        yield Line(
            projection=projection,
            partition=partition,
            number=number,
            live=place == 0,
            position=position,
            mark=marks.get(version, ""),
            stale=left_behind or version in standing.stale,
            ahead=position is not None and position > standing.end,
        )


def _going(projection: Projection, courses: Courses, scope: Partition | None) -> Iterator[Going]:
    for version, done in courses.going.items():
        if version.rpartition("@")[0] == projection.name:
            yield Going(projection=projection, version=version, scope=scope, done=done)


def register(store: ProjectionStore, line: Line) -> None:
    """Have the feed held for a live version that is new in its partition; it is stale if the feed was cut before."""
    read = store.position_of_all if line.projection.across else store.position
    try:
        line.position = read(line.partition, line.version)
    except StaleError:
        line.stale = True
