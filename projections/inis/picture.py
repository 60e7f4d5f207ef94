"""Draws the island as a viewpoint sees it: tiles, clans, buildings, capital and festival, as SVG of the view alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Final

from events.inis.vocabulary import Location
from projections.inis.table import InisView, LandView
from workers.inis.lattice import hexagons

SIZE: Final = 46.0
"""From the middle of a hexagon to its corner."""
MARGIN: Final = 30.0
LINE: Final = 15.0
SEAT_COLOURS: Final = ("#c0392b", "#2471a3", "#d4ac0d", "#1e8449", "#7d3c98")
LAND_COLOURS: Final = ("#dfe8d2", "#d6e2ea", "#ece3cf", "#e3dcea", "#dde7e0", "#efdfd8")

Point = tuple[float, float]


def picture(view: InisView) -> str:
    """Return an SVG document of the island."""
    middles = [_middle(each) for land in view.lands for each in hexagons(land.location)]
    left = min((x for x, _ in middles), default=0.0) - SIZE - MARGIN
    top = min((y for _, y in middles), default=0.0) - SIZE - MARGIN
    width = max((x for x, _ in middles), default=0.0) + SIZE + MARGIN - left
    height = max((y for _, y in middles), default=0.0) + SIZE + MARGIN - top
    tiles = "".join(_tile(number, land) for number, land in enumerate(view.lands))
    marks = "".join(_marks(view, land) for land in view.lands)
    box = " ".join(map(_number, (left, top, width, height)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_number(width)}" height="{_number(height)}" '
        f'role="img" font-family="sans-serif" font-size="12"><title>{escape(_title(view))}</title>'
        f'<rect x="{_number(left)}" y="{_number(top)}" width="100%" height="100%" fill="#a9c7d8"/>'
        f"{tiles}{marks}</svg>"
    )


def _title(view: InisView) -> str:
    return f"round {view.round}, {view.phase}, {view.direction}"


def _middle(hexagon: tuple[int, int]) -> Point:
    q, r = hexagon
    return SIZE * math.sqrt(3) * (q + r / 2), SIZE * 1.5 * r


def _corners(hexagon: tuple[int, int]) -> Sequence[Point]:
    x, y = _middle(hexagon)
    angles = (math.radians(60 * corner - 30) for corner in range(6))
    return [(x + SIZE * math.cos(angle), y + SIZE * math.sin(angle)) for angle in angles]


def _tile(number: int, land: LandView) -> str:
    """Draw the three hexagons of a tile in one colour, with the outline of the tile around them."""
    colour = LAND_COLOURS[number % len(LAND_COLOURS)]
    own = hexagons(land.location)
    shapes = "".join(
        f'<polygon points="{_points(_corners(each))}" fill="{colour}" stroke="{colour}" stroke-width="1.5"/>'
        for each in own
    )
    outline = "".join(
        f'<line x1="{_number(x)}" y1="{_number(y)}" x2="{_number(to_x)}" y2="{_number(to_y)}"/>'
        for (x, y), (to_x, to_y) in _outline(own)
    )
    return f'<g id="{escape(land.territory)}">{shapes}<g stroke="#4a4a42" stroke-width="2.5">{outline}</g></g>'


def _outline(own: Sequence[tuple[int, int]]) -> list[tuple[Point, Point]]:
    """Return the edges that belong to one hexagon of the tile alone."""
    edges: dict[tuple[Point, Point], tuple[Point, Point]] = {}
    twice: list[tuple[Point, Point]] = []
    for each in own:
        corners = _corners(each)
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            rounded = tuple(sorted((_rounded(start), _rounded(end))))
            key = (rounded[0], rounded[1])
            if key in edges:
                twice.append(key)
            edges[key] = (start, end)
    return [edge for key, edge in edges.items() if key not in twice]


def _marks(view: InisView, land: LandView) -> str:
    """Write a territory's name, its buildings, and its clans by seat."""
    x, y = _heart(land.location)
    name = land.territory.replace("_", " ")
    crown = " &#9819;" if land.territory == view.capital else ""
    feast = " &#9834;" if land.territory == view.festival else ""
    lines = [f'<text x="{_number(x)}" y="{_number(y - 18)}" text-anchor="middle" font-weight="bold">']
    lines.append(f"{escape(name)}{crown}{feast}</text>")
    buildings = "&#9820;" * land.citadels + "&#9962;" * land.sanctuaries
    if buildings:
        lines.append(f'<text x="{_number(x)}" y="{_number(y - 2)}" text-anchor="middle">{buildings}</text>')
    there = [(seat, clans) for seat, clans in enumerate(land.clans) if clans]
    for place, (seat, clans) in enumerate(there):
        at = x + (place - (len(there) - 1) / 2) * LINE * 1.7
        ring = ' stroke="#000" stroke-width="2.5"' if land.chieftain == seat else ""
        lines.append(
            f'<circle cx="{_number(at)}" cy="{_number(y + LINE)}" r="11" fill="{SEAT_COLOURS[seat]}"{ring}/>'
            f'<text x="{_number(at)}" y="{_number(y + LINE + 4)}" text-anchor="middle" fill="#fff">{clans}</text>'
        )
    return "".join(lines)


def _heart(location: Location) -> Point:
    """Return the point where the three hexagons of a tile meet."""
    middles = [_middle(each) for each in hexagons(location)]
    return sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _rounded(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
