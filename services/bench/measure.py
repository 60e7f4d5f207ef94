"""What a measurement says, and how it is taken."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Final, Literal

import msgspec

RUNS: Final = 5
QUICK_RUNS: Final = 1


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """
    One figure, beside a limit measured in the same run.

    Args:
        value: the median of all runs; ``min`` and ``max`` are their ends.
        limit_name: what the limit is; ``limit`` its median, in the same unit.
        ratio: the median of the runs' own ratios, figure over limit.
        floor: what must be reached, and ``goal`` what shall be; ``met`` says whether the floor is.
            Of a time or a size they are the most it may be.
    """

    name: str
    unit: str
    value: float
    min: float
    max: float
    limit_name: str
    limit: float
    ratio: float
    floor: float
    goal: float
    met: bool


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """
    A measurement that can be taken again.

    Args:
        run: takes one figure and one limit, in that order, in the unit given.
        floor_ratio: the least share of the limit, where that is asked for too.
        better: whether more is better, as of a speed, or less, as of a time or a size.
    """

    name: str
    about: str
    unit: str
    limit_name: str
    floor: float
    goal: float
    run: Callable[[bool], tuple[float, float]]
    floor_ratio: float = 0.0
    better: Literal["more", "less"] = "more"


def measured(bench: Bench, *, quick: bool, progress: Callable[[], None] = lambda: None) -> Measure:
    """Take a bench's figure several times and return what came of it."""
    pairs: list[tuple[float, float]] = []
    for _ in range(runs(quick=quick)):
        pairs.append(bench.run(quick))
        progress()
    values, limits = zip(*pairs, strict=True)
    value, ratio = statistics.median(values), statistics.median(figure / limit for figure, limit in pairs)
    return Measure(
        name=bench.name,
        unit=bench.unit,
        value=_rounded(value),
        min=_rounded(min(values)),
        max=_rounded(max(values)),
        limit_name=bench.limit_name,
        limit=_rounded(statistics.median(limits)),
        ratio=round(ratio, 3),
        floor=bench.floor,
        goal=bench.goal,
        met=ratio >= bench.floor_ratio and (value >= bench.floor if bench.better == "more" else value <= bench.floor),
    )


def runs(*, quick: bool) -> int:
    """Return how often a figure is taken."""
    return QUICK_RUNS if quick else RUNS


def _rounded(value: float) -> float:
    return round(value, 1)


def names(benches: Sequence[Bench]) -> list[str]:
    """Return the names of benches."""
    return [bench.name for bench in benches]
