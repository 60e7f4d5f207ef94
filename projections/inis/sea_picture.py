"""Draws what Seasons of Inis adds to the island: harbors, islands at sea, tokens, season and King tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from projections.inis.plan import SIZE, Point, middle, number
from projections.inis.table import ExpansionView, InisView, LandView
from workers.inis.lattice import SEA
from workers.inis.seasons.harbors import cell_of

WIDTH: Final = 150.0
"""Of an island and the water around it."""
BELOW: Final = 120.0
"""How much water the islands need below the mainland."""
HARBOR: Final = 15.0
ISLAND_COLOUR: Final = "#efe6c8"
LEGEND_LINE: Final = 16.0


def _more(view: InisView) -> ExpansionView:
    return view.expansion if view.expansion is not None else ExpansionView()


def harbor_middles(view: InisView) -> list[Point]:
    """Return where Harbor tiles lie on the lattice."""
    return [middle(cell_of(spot)) for spot in _more(view).harbors.values() if spot != SEA]


def harbors(view: InisView) -> str:
    """Draw each Harbor tile as an anchor in its notch, with the name of its territory to whoever points at it."""
    drawn = []
    for territory, spot in _more(view).harbors.items():
        if spot != SEA:
            x, y = middle(cell_of(spot))
            drawn.append(
                f'<g class="harbor" data-territory="{escape(territory)}"><title>harbor of {escape(territory)}</title>'
                f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(HARBOR)}" fill="#5d7f95"/>'
                f'<text x="{number(x)}" y="{number(y + 5)}" text-anchor="middle" fill="#fff">&#9875;</text></g>'
            )
    return "".join(drawn)


def tokens(view: InisView, land: LandView) -> str:
    """Return the signs of the tokens that lie in a territory."""
    more = _more(view)
    fili = " &#9774;" if land.territory == more.fili else ""
    macha = " &#9760;" if land.territory == more.macha else ""
    return fili + macha


class Row:
    """The islands, one beside the other in the water below the mainland."""

    def __init__(self, view: InisView, *, at: Point) -> None:
        self._view = view
        self._left, self._top = at
        self._islands: Sequence[LandView] = [land for land in view.lands if land.location == SEA]

    @property
    def height(self) -> float:
        return BELOW if self._islands else 0.0

    @property
    def width(self) -> float:
        return WIDTH * len(self._islands)

    def drawn(self, marks: Callable[[InisView, LandView, Point], str]) -> str:
        """Draw each island as a round piece of land with an anchor."""
        shapes = []
        for place, land in enumerate(self._islands):
            x, y = self._left + WIDTH * (place + 0.5), self._top + BELOW / 2 - 10
            names = marks(self._view, land, (x, y))
            shapes.append(
                f'<g class="island" data-territory="{escape(land.territory)}">'
                f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(SIZE * 1.4)}" ry="{number(SIZE)}" '
                f'fill="{ISLAND_COLOUR}" stroke="#4a4a42" stroke-width="2.5"/>'
                f'<text x="{number(x + SIZE)}" y="{number(y + SIZE)}">&#9875;</text></g>{names}'
            )
        return "".join(shapes)


def _legend_lines(view: InisView) -> list[str]:
    more = _more(view)
    season = [f"season: {more.season}"] if more.season else []
    return season + ([f"King tile: {more.king_tile}"] if more.king_tile else [])


def legend_height(view: InisView) -> float:
    """Return how much water the legend needs above the mainland."""
    return LEGEND_LINE * len(_legend_lines(view))


def legend(view: InisView, *, at: Point) -> str:
    """Write season and King tile into a corner of the water."""
    x, y = at
    return "".join(
        f'<text class="legend" x="{number(x + 8)}" y="{number(y + LEGEND_LINE * (place + 1))}">{escape(line)}</text>'
        for place, line in enumerate(_legend_lines(view))
    )
