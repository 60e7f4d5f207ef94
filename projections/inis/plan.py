"""Where hexagons are drawn, and how numbers are written in a picture."""

from __future__ import annotations

import math
from typing import Final

SIZE: Final = 46.0
"""From the middle of a hexagon to its corner."""

Point = tuple[float, float]


def middle(hexagon: tuple[int, int]) -> Point:
    """Return where the middle of a hexagon of the lattice is drawn."""
    q, r = hexagon
    return SIZE * math.sqrt(3) * (q + r / 2), SIZE * 1.5 * r


def number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
