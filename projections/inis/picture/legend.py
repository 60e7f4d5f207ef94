"""Writes what the signs in the picture mean."""

from __future__ import annotations

from typing import Final

from projections.inis.picture.land import BORDER, COAST
from projections.inis.picture.sheet import LINE, Sheet, number
from projections.inis.picture.signs import SIGNS

STEP: Final = 27.0


def legend(sheet: Sheet, *, left: float, top: float, width: float) -> float:
    """Draw each sign that was used with its meaning, in two columns, and return where they end."""
    used = [name for name in SIGNS if name in sheet.signs]
    y = top + LINE
    for place, name in enumerate(used):
        at = left + 16 + (place % 2) * width / 2, y + (place // 2) * STEP
        sheet.sign(name, at, of="legend")
        sheet.words((at[0] + 20, at[1] + 4), SIGNS[name].meaning, size=12, kind="legend")
    y += (len(used) + 1) // 2 * STEP
    for colour, dashes, meaning in ((BORDER, ' stroke-dasharray="7 5"', "border"), (COAST, "", "coast")):
        x = left if meaning == "border" else left + width / 2
        sheet.draw(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(x + 30)}" y2="{number(y)}" stroke="{colour}" '
            f'stroke-width="3"{dashes}/>'
        )
        sheet.words((x + 36, y + 4), meaning, size=12, kind="legend")
    return y + LINE
