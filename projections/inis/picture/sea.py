"""Draws what lies at sea: harbors beside the mainland, and islands in the water below it."""

from __future__ import annotations

from html import escape
from typing import Final

from projections.inis.picture.land import CLASH, COAST, marks
from projections.inis.picture.plan import Plan
from projections.inis.picture.sheet import Sheet, number
from projections.inis.table import InisView
from workers.inis.lattice import SEA
from workers.inis.seasons.harbors import cell_of

ISLAND: Final = (106.0, 70.0)
"""Half the width and half the height of an island."""
ISLAND_COLOUR: Final = "#f1ead2"
PIER: Final = "#6b4f2a"
SHALLOW: Final = "#c3dbe7"


def harbors(sheet: Sheet, view: InisView, plan: Plan) -> None:
    """Draw each Harbor tile of the mainland on its cell, with a pier that leads to its territory."""
    spots = view.expansion.harbors if view.expansion is not None else {}
    for land in plan.mainland:
        spot = spots.get(land.territory)
        if spot is not None:
            cell = cell_of(spot)
            (x, y), (to_x, to_y) = plan.middle(cell), plan.heart(land.location)
            corners = " ".join(f"{number(corner_x)},{number(corner_y)}" for corner_x, corner_y in plan.corners(cell))
            sheet.draw(
                f'<polygon class="harbor" points="{corners}" fill="{SHALLOW}"/>'
                f'<line class="pier" x1="{number(x)}" y1="{number(y)}" x2="{number((x + to_x) / 2)}" '
                f'y2="{number((y + to_y) / 2)}" stroke="{PIER}" stroke-width="6"/>'
            )
            sheet.sign("harbor", (x, y), of=land.territory)


def islands(sheet: Sheet, view: InisView, plan: Plan) -> None:
    """Draw each island as a round piece of land, with its harbor at its shore."""
    spots = view.expansion.harbors if view.expansion is not None else {}
    for place, land in enumerate(plan.islands):
        x, y = plan.island(place)
        fought = view.clash is not None and view.clash.territory == land.territory
        style = f'stroke="{CLASH}" stroke-width="6"' if fought else f'stroke="{COAST}" stroke-width="3.5"'
        sheet.draw(
            f'<ellipse class="island" data-territory="{escape(land.territory)}" cx="{number(x)}" cy="{number(y)}" '
            f'rx="{number(ISLAND[0])}" ry="{number(ISLAND[1])}" fill="{ISLAND_COLOUR}" {style}/>'
        )
        marks(sheet, view, land, name=(x, y - 40), clans=(x, y - 14), signs=(x, y + 29))
        if spots.get(land.territory) == SEA:
            sheet.sign("harbor", (x + ISLAND[0] * 0.76, y + ISLAND[1] * 0.8), of=land.territory)
