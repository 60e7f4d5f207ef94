"""Draws what lies beside the island: round, crows, season wheel, King tile, supplies, and what is going on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, get_args

from events.inis.vocabulary import CardId, KingSide, SeasonId
from events.messages import Seat
from projections.inis.picture.plan import Point
from projections.inis.picture.sheet import INK, LINE, PALE, Sheet, number, spoken, wrapped
from projections.inis.table import ClashView, ExpansionView, InisView

WHEEL: Final = 40.0
"""Radius of the Season board."""
WHEEL_COLOURS: Final = ("#b7d8a5", "#f7e08a", "#e9b27c", "#cfe0ee")
"""From Imbolc clockwise, the first quarter right above."""
KING_TILE: Final = (84.0, 52.0)


def tray(sheet: Sheet, view: InisView, *, left: float, top: float, width: float) -> float:
    """Draw all of it, and return where it ends."""
    more = view.expansion or ExpansionView()
    sheet.sign(view.direction, (left + 16, top + 12), of="crows")
    sheet.words((left + 40, top + 17), f"Flock of Crows: {view.direction}", kind="crows")
    y = top + 2 * LINE
    if more.season is not None:
        _wheel(sheet, more.season, (left + width * 0.36, y + WHEEL + 4))
    if more.king_tile is not None:
        _king_tile(sheet, more.king_tile, (left + width - KING_TILE[0], y + WHEEL + 4 - KING_TILE[1] / 2))
    y += 2 * WHEEL + 14 if more.season is not None or more.king_tile is not None else 0
    for line in (*supplies(view), *going_on(view)):
        for place, words in enumerate(wrapped(line, width - 12)):
            sheet.words((left + (12 if place else 0), y + LINE * 0.7), words, kind="tray")
            y += LINE
    return y


def _wheel(sheet: Sheet, season: SeasonId, middle: Point) -> None:
    """Draw the Season board, a quarter for each season, and the marker on the one that is now."""
    x, y = middle
    seasons: Sequence[SeasonId] = get_args(SeasonId)
    sheet.draw(f'<g class="wheel" data-season="{season}">')
    for place in range(len(seasons)):
        (from_x, from_y), (to_x, to_y) = _rim(place * 90 - 90), _rim(place * 90)
        arc = f"A{number(WHEEL)},{number(WHEEL)} 0 0 1 {number(x + to_x)},{number(y + to_y)}"
        path = f"M{number(x)},{number(y)} L{number(x + from_x)},{number(y + from_y)} {arc} Z"
        sheet.draw(f'<path d="{path}" fill="{WHEEL_COLOURS[place]}" stroke="{INK}" stroke-width="1.5"/>')
    now_x, now_y = _rim(seasons.index(season) * 90 - 45)
    sheet.draw(
        f'<circle class="marker" cx="{number(x + now_x * 0.58)}" cy="{number(y + now_y * 0.58)}" r="9" fill="{INK}" '
        f'stroke="{PALE}" stroke-width="2.5"/></g>'
    )
    for place, each in enumerate(seasons):
        aside, below = _rim(place * 90 - 45)
        at = x + math.copysign(WHEEL + 6, aside), y + 5 + math.copysign(WHEEL / 2, below)
        sheet.words(at, each, anchor="start" if aside > 0 else "end", bold=each == season, kind="season")


def _rim(degrees: float) -> Point:
    return WHEEL * math.cos(math.radians(degrees)), WHEEL * math.sin(math.radians(degrees))


def _king_tile(sheet: Sheet, side: KingSide, at: Point) -> None:
    """Draw the King tile; the side of the last chance is dark."""
    x, y = at
    paper, ink = (PALE, INK) if side == "want" else (INK, PALE)
    sheet.draw(
        f'<g class="king-tile" data-side="{side}"><rect x="{number(x)}" y="{number(y)}" width="{number(KING_TILE[0])}" '
        f'height="{number(KING_TILE[1])}" rx="7" fill="{paper}" stroke="{INK}" stroke-width="2"/>'
    )
    sheet.words((x + KING_TILE[0] / 2, y + 21), "King tile", anchor="middle", colour=ink)
    sheet.words((x + KING_TILE[0] / 2, y + 40), side, anchor="middle", bold=True, colour=ink)
    sheet.draw("</g>")


def supplies(view: InisView) -> Iterator[str]:
    """Return in words what lies beside the island."""
    yield f"supply: citadels {view.citadels} · sanctuaries {view.sanctuaries} · tiles {view.stack}"
    yield f"Epic Tales: deck {view.deck} · discarded {len(view.discards)}"
    yield f"Action cards: discarded {view.pile}"
    if view.aside:
        yield f"set aside: {spoken(view.aside_card) if view.aside_card is not None else '1 Action card'}"
    yield from _cards("Advantages face up", view.face_up)
    yield from _cards("Advantages face down", view.face_down)


def going_on(view: InisView) -> Iterator[str]:
    """Return in words what is being played, asked or fought out."""
    for play in view.plays:
        yield f"seat {play.seat} plays {spoken(play.card)}{', cancelled' if play.cancelled else ''}"
    if view.window is not None:
        yield f"window: {spoken(view.window)}"
    yield from _cards("revealed", view.revealed or ())
    yield from _cards("tiles to choose of", tuple(map(CardId, view.tiles or ())))
    if view.draft is not None:
        yield f"draft: keep {view.draft.keep}"
        yield from _cards("in front", view.draft.front or ())
        yield from _cards("kept", view.draft.kept or ())
    if view.clash is not None:
        yield from _clash(view.clash, view.expansion or ExpansionView())


def _clash(clash: ClashView, more: ExpansionView) -> Iterator[str]:
    yield f"clash in {spoken(clash.territory)}, instigator seat {clash.instigator}"
    for seat, exposed in enumerate(clash.exposed):
        hidden = more.mist[seat] if more.mist else 0
        numbers = {"exposed": exposed, "in citadels": clash.protected[seat], "in the mist": hidden}
        if any(numbers.values()):
            told = ", ".join(f"{number} {where}" for where, number in numbers.items() if number)
            yield f"seat {seat}: {told}{' · to maneuver' if clash.acting == Seat(seat) else ''}"
    if clash.attacked is not None:
        yield f"seat {clash.attacked} is attacked" + (" with Nuada's Sword" if more.sword else "")
    if clash.spear:
        yield "no Triskel card may be played"
    if more.allies:
        yield f"allies: seats {more.allies[0]} and {more.allies[1]}"


def _cards(name: str, cards: tuple[CardId, ...]) -> Iterator[str]:
    if cards:
        yield f"{name}: {', '.join(map(spoken, cards))}"
