"""Draws the island as a viewpoint sees it: tiles, clans, buildings, capital and festival, as SVG of the view alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Final

from events.inis.vocabulary import Location
from projections.inis.plan import SIZE, Point, middle, number
from projections.inis.sea_picture import Row, harbor_middles, harbors, legend, legend_height, tokens
from projections.inis.table import InisView, LandView
from workers.inis.lattice import SEA, hexagons

MARGIN: Final = 30.0
LINE: Final = 15.0
SEAT_COLOURS: Final = ("#c0392b", "#2471a3", "#d4ac0d", "#1e8449", "#7d3c98")
LAND_COLOURS: Final = ("#dfe8d2", "#d6e2ea", "#ece3cf", "#e3dcea", "#dde7e0", "#efdfd8")


def picture(view: InisView) -> str:
    """Return an SVG document of the island."""
    middles = [middle(each) for land in view.lands for each in hexagons(land.location)]
    middles += harbor_middles(view)
    left = min((x for x, _ in middles), default=0.0) - SIZE - MARGIN
    top = min((y for _, y in middles), default=0.0) - SIZE - MARGIN - legend_height(view)
    width = max((x for x, _ in middles), default=0.0) + SIZE + MARGIN - left
    height = max((y for _, y in middles), default=0.0) + SIZE + MARGIN - top
    mainland = [land for land in view.lands if land.location != SEA]
    islands = Row(view, at=(left, top + height))
    height += islands.height
    width = max(width, islands.width)
    tiles = "".join(_tile(place, land) for place, land in enumerate(mainland))
    marks = "".join(_marks(view, land, _heart(land.location)) for land in mainland)
    marks += harbors(view) + islands.drawn(_marks) + legend(view, at=(left, top))
    box = " ".join(map(number, (left, top, width, height)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{number(width)}" height="{number(height)}" '
        f'role="img" font-family="sans-serif" font-size="12"><title>{escape(_title(view))}</title>'
        f'<rect x="{number(left)}" y="{number(top)}" width="100%" height="100%" fill="#a9c7d8"/>'
        f"{tiles}{marks}</svg>"
    )


def _title(view: InisView) -> str:
    return f"round {view.round}, {view.phase}, {view.direction}"


def _corners(hexagon: tuple[int, int]) -> Sequence[Point]:
    x, y = middle(hexagon)
    angles = (math.radians(60 * corner - 30) for corner in range(6))
    return [(x + SIZE * math.cos(angle), y + SIZE * math.sin(angle)) for angle in angles]


def _tile(place: int, land: LandView) -> str:
    """Draw the three hexagons of a tile in one colour, with the outline of the tile around them."""
    colour = LAND_COLOURS[place % len(LAND_COLOURS)]
    own = hexagons(land.location)
    shapes = "".join(
        f'<polygon points="{_points(_corners(each))}" fill="{colour}" stroke="{colour}" stroke-width="1.5"/>'
        for each in own
    )
    outline = "".join(
        f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"/>'
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


def _marks(view: InisView, land: LandView, at: Point) -> str:
    """Write a territory's name, its buildings, and its clans by seat, around a point."""
    x, y = at
    name = land.territory.replace("_", " ")
    crown = " &#9819;" if land.territory == view.capital else ""
    feast = " &#9834;" if land.territory == view.festival else ""
    feast += tokens(view, land)
    lines = [f'<text x="{number(x)}" y="{number(y - 18)}" text-anchor="middle" font-weight="bold">']
    lines.append(f"{escape(name)}{crown}{feast}</text>")
    buildings = "&#9820;" * land.citadels + "&#9962;" * land.sanctuaries
    if buildings:
        lines.append(f'<text x="{number(x)}" y="{number(y - 2)}" text-anchor="middle">{buildings}</text>')
    there = [(seat, clans) for seat, clans in enumerate(land.clans) if clans]
    for place, (seat, clans) in enumerate(there):
        beside = x + (place - (len(there) - 1) / 2) * LINE * 1.7
        ring = ' stroke="#000" stroke-width="2.5"' if land.chieftain == seat else ""
        lines.append(
            f'<circle cx="{number(beside)}" cy="{number(y + LINE)}" r="11" fill="{SEAT_COLOURS[seat]}"{ring}/>'
            f'<text x="{number(beside)}" y="{number(y + LINE + 4)}" text-anchor="middle" fill="#fff">{clans}</text>'
        )
    return "".join(lines)


def _heart(location: Location) -> Point:
    """Return the point where the three hexagons of a tile meet."""
    middles = [middle(each) for each in hexagons(location)]
    return sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _rounded(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)
