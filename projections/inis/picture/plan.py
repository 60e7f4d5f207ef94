"""Where things lie in the picture: the hexagons of the mainland, and the islands in the water below it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from events.inis.vocabulary import Location, TerritoryId
from projections.inis.table import InisView, LandView
from workers.inis.lattice import SEA, Hexagon, hexagons
from workers.inis.seasons.harbors import cell_of

SIZE: Final = 60.0
"""From the middle of a hexagon to its corner."""
MARGIN: Final = 26.0
HEADER: Final = 40.0
"""Room for the title above the mainland."""
LEAST_WIDTH: Final = 320.0
"""Of land and water, so that the title has room."""
ISLAND_WIDTH: Final = 232.0
"""Of an island and the water around it."""
ISLAND_HEIGHT: Final = 176.0

Point = tuple[float, float]
Edge = tuple[Point, Point]


class Plan:
    """Says where each hexagon and each island of a view is drawn; the picture begins at 0, 0."""

    def __init__(self, view: InisView) -> None:
        self.mainland: Sequence[LandView] = [land for land in view.lands if land.location != SEA]
        self.islands: Sequence[LandView] = [land for land in view.lands if land.location == SEA]
        harbors = view.expansion.harbors.values() if view.expansion is not None else ()
        cells = [_middle(each) for land in self.mainland for each in hexagons(land.location)]
        cells += [_middle(cell_of(spot)) for spot in harbors if spot != SEA]
        self._left = min((x for x, _ in cells), default=0.0) - SIZE - MARGIN
        self._top = min((y for _, y in cells), default=0.0) - SIZE - MARGIN - HEADER
        right = max((x for x, _ in cells), default=0.0) + SIZE + MARGIN
        bottom = max((y for _, y in cells), default=0.0) + SIZE + MARGIN
        self.width = max(right - self._left, ISLAND_WIDTH * len(self.islands), LEAST_WIDTH)
        self._shore = bottom - self._top
        self.height = self._shore + (ISLAND_HEIGHT if self.islands else 0.0)

    def middle(self, hexagon: Hexagon) -> Point:
        """Return where the middle of a hexagon is drawn."""
        x, y = _middle(hexagon)
        return x - self._left, y - self._top

    def corners(self, hexagon: Hexagon) -> Sequence[Point]:
        """Return the six corners of a hexagon, rounded so that neighbours have the same ones."""
        x, y = self.middle(hexagon)
        angles = (math.radians(60 * corner - 30) for corner in range(6))
        return [(round(x + SIZE * math.cos(angle), 1), round(y + SIZE * math.sin(angle), 1)) for angle in angles]

    def island(self, place: int) -> Point:
        """Return the middle of an island, by its place in the row."""
        return ISLAND_WIDTH * (place + 0.5), self._shore + ISLAND_HEIGHT / 2 - MARGIN / 2

    def row(self, location: Location) -> Point:
        """Return the middle of the two hexagons of a tile that lie side by side."""
        (one, other), _ = self._parted(location)
        return middle_of(self.middle(one), self.middle(other))

    def tip(self, location: Location) -> Point:
        """Return the middle of the third hexagon of a tile, above or below the two."""
        return self.middle(self._parted(location)[1])

    def heart(self, location: Location) -> Point:
        """Return the point where the three hexagons of a tile meet."""
        return middle_of(*(self.middle(each) for each in hexagons(location)))

    @staticmethod
    def _parted(location: Location) -> tuple[tuple[Hexagon, Hexagon], Hexagon]:
        one, other, third = hexagons(location)
        return (one, other), third

    def edges(self) -> Mapping[Edge, Sequence[TerritoryId]]:
        """Return each edge of the mainland with the territories on its sides, without those inside of a tile."""
        sides: dict[Edge, list[TerritoryId]] = {}
        for land in self.mainland:
            for hexagon in hexagons(land.location):
                corners = self.corners(hexagon)
                for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                    sides.setdefault((min(start, end), max(start, end)), []).append(land.territory)
        return {edge: both for edge, both in sides.items() if len(both) == 1 or both[0] != both[1]}


def middle_of(*points: Point) -> Point:
    """Return the point in the middle of several."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _middle(hexagon: Hexagon) -> Point:
    q, r = hexagon
    return SIZE * math.sqrt(3) * (q + r / 2), SIZE * 1.5 * r
