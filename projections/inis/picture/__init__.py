"""Draws the table as a viewpoint sees it, as SVG of the view alone: the island, the players, and what lies beside."""

from __future__ import annotations

from html import escape
from typing import Final

from projections.inis.picture.land import mainland
from projections.inis.picture.legend import legend
from projections.inis.picture.plan import HEADER, Plan
from projections.inis.picture.players import players
from projections.inis.picture.sea import harbors, islands
from projections.inis.picture.sheet import Sheet, number
from projections.inis.picture.spoken import description, title
from projections.inis.picture.tray import tray
from projections.inis.table import InisView

PANEL: Final = 420.0
"""Width of the words beside the island; ``INSET`` is the room around them."""
INSET: Final = 18.0
WATER: Final = "#a9c7d8"
PAPER: Final = "#f6f4ee"


def picture(view: InisView) -> str:
    """Return an SVG document of the table; its size is in its ``viewBox``, in pixels."""
    plan = Plan(view)
    sheet = Sheet()
    harbors(sheet, view, plan)
    mainland(sheet, view, plan)
    islands(sheet, view, plan)
    left, width = plan.width + INSET, PANEL - 2 * INSET
    below = tray(sheet, view, left=left, top=INSET, width=width)
    below = players(sheet, view, left=left, top=below + INSET / 2, width=width)
    below = legend(sheet, left=left, top=below, width=width)
    height = max(plan.height, below + INSET)
    sheet.words((INSET, HEADER - 12), title(view), bold=True, size=16, kind="title")
    whole = f'width="{number(plan.width + PANEL)}" height="{number(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(plan.width + PANEL)} {number(height)}" {whole} '
        'role="img" aria-labelledby="title about" font-family="Helvetica, Arial, sans-serif">'
        f'<title id="title">{escape(title(view))}</title><desc id="about">{escape(description(view))}</desc>'
        f'<rect {whole} fill="{PAPER}"/><rect width="{number(plan.width)}" height="{number(height)}" fill="{WATER}"/>'
        f"{sheet}</svg>"
    )
