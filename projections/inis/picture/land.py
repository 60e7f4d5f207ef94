"""Draws the mainland and what lies and stands in each territory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from events.inis.vocabulary import TerritoryId
from events.messages import Seat
from projections.inis.picture.plan import Plan, Point
from projections.inis.picture.sheet import Sheet, number, spoken
from projections.inis.table import InisView, LandView
from workers.inis.lattice import hexagons

LAND_COLOURS: Final = ("#dfe8d2", "#f3e3c3", "#e4dbee", "#f4d9cf", "#d3e6e4", "#f2f0c4")
"""Territories that touch have different ones."""
COAST: Final = "#2b3a42"
BORDER: Final = "#8a6d3b"
CLASH: Final = "#b00020"

INWARD: Final = 4.0
"""How far names and clans stand away from the notch of a tile."""
TOKEN_STEP: Final = 37.0
SIGN_STEP: Final = 31.0
SIGN_LINE: Final = 24.0


def mainland(sheet: Sheet, view: InisView, plan: Plan) -> None:
    """Draw all tiles, the borders between them, and what is on them."""
    colours = coloured(plan.mainland)
    for land in plan.mainland:
        shapes = "".join(
            f'<polygon points="{_points(plan.corners(each))}" fill="{colours[land.territory]}" '
            f'stroke="{colours[land.territory]}" stroke-width="1.5"/>'
            for each in hexagons(land.location)
        )
        sheet.draw(f'<g class="tile" data-territory="{escape(land.territory)}">{shapes}</g>')
    fought = view.clash.territory if view.clash is not None else None
    _outlines(sheet, plan, fought)
    for land in plan.mainland:
        tip, (x, y) = plan.tip(land.location), plan.row(land.location)
        y += INWARD if tip[1] > y else -INWARD
        marks(sheet, view, land, name=(x, y - 13), clans=(x, y + 9), signs=tip)


def coloured(lands: Sequence[LandView]) -> Mapping[TerritoryId, str]:
    """Return a colour for each territory, other than those of the territories before it that touch it."""
    colours: dict[TerritoryId, str] = {}
    for place, land in enumerate(lands):
        near = {colours.get(each) for each in land.beside}
        order = [LAND_COLOURS[(place + shift) % len(LAND_COLOURS)] for shift in range(len(LAND_COLOURS))]
        colours[land.territory] = next((each for each in order if each not in near), order[0])
    return colours


def _outlines(sheet: Sheet, plan: Plan, fought: TerritoryId | None) -> None:
    """Draw coasts as strong lines, borders that can be crossed as broken ones, and a red line around a clash."""
    around = []
    for ((x, y), (to_x, to_y)), sides in plan.edges().items():
        line = f'x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"'
        kind, style = ("coast", f'stroke="{COAST}" stroke-width="3.5"')
        if len(sides) > 1:
            kind, style = ("border", f'stroke="{BORDER}" stroke-width="2.5" stroke-dasharray="7 5"')
        sheet.draw(f'<line class="{kind}" data-sides="{escape(" ".join(sides))}" {line} {style}/>')
        if fought in sides:
            around.append(f"<line {line}/>")
    if around:
        style = f'stroke="{CLASH}" stroke-width="5" stroke-linecap="round" opacity="0.75"'
        sheet.draw(f'<g class="fought" {style}>{"".join(around)}</g>')


def marks(sheet: Sheet, view: InisView, land: LandView, *, name: Point, clans: Point, signs: Point) -> None:
    """Draw a territory's name, its clans by seat, and what else lies there, each around its point."""
    sheet.words(name, spoken(land.territory), anchor="middle", bold=True, size=14, kind="name")
    there = [(Seat(seat), each) for seat, each in enumerate(land.clans) if each]
    for place, (seat, each) in enumerate(there):
        at = (clans[0] + (place - (len(there) - 1) / 2) * TOKEN_STEP, clans[1])
        if land.chieftain == seat:
            sheet.ring(at)
        sheet.token(seat, at, of=land.territory, clans=each)
    lying = list(_lying(view, land))
    rows = [lying[start : start + 3] for start in range(0, len(lying), 3)]
    for line, row in enumerate(rows):
        for place, (sign, count) in enumerate(row):
            x = signs[0] + (place - (len(row) - 1) / 2) * SIGN_STEP - (4 if count is not None else 0)
            y = signs[1] + (line - (len(rows) - 1) / 2) * SIGN_LINE
            sheet.sign(sign, (x, y), of=land.territory, count=count)


def _lying(view: InisView, land: LandView) -> Iterator[tuple[str, int | None]]:
    """Return the signs of what lies in a territory, with their number where there may be several."""
    more = view.expansion
    capital = land.territory == view.capital
    if capital:
        yield "capital", None
    if land.citadels > capital:
        yield "citadel", land.citadels - capital
    if land.sanctuaries:
        yield "sanctuary", land.sanctuaries
    if land.territory == view.festival:
        yield "festival", None
    if more is not None and land.territory == more.fili:
        yield "fili", None
    if more is not None and land.territory == more.macha:
        yield "macha", None
    if view.clash is not None and land.territory == view.clash.territory:
        yield "clash", None


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)
