"""Writes what each player has, from top to bottom beside the island."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from events.messages import Seat
from projections.inis.picture.sheet import LINE, Sheet, spoken, width_of, wrapped
from projections.inis.table import ContenderView, ExpansionView, InisView

INSET: Final = 40.0
"""How far lines stand in, beside a seat's token."""


def players(sheet: Sheet, view: InisView, *, left: float, top: float, width: float) -> float:
    """Draw one block for each seat, and return where the last one ends."""
    for contender in view.contenders:
        top = _player(sheet, view, contender, left, top, width) + LINE * 0.6
    return top


def _player(sheet: Sheet, view: InisView, contender: ContenderView, left: float, top: float, width: float) -> float:
    seat = contender.seat
    name = f"seat {seat}"
    middle = top + LINE
    sheet.token(seat, (left + 16, middle), of=name)
    sheet.words((left + INSET, middle + 5), name, bold=True, size=14, kind="seat")
    x = left + INSET + width_of(name, bold=True, size=14) + 14
    for sign, count in tokens_of(view, contender):
        sheet.sign(sign, (x, middle), of=name, count=count)
        x += 27 if count is None else 27 + width_of(str(count), bold=True)
    standing = ", ".join(standing_of(view, seat))
    if standing:
        sheet.words((left + width, middle + 5), standing, anchor="end", bold=True, kind="standing")
    y = middle + LINE + 6
    for line in holdings(contender):
        for words in wrapped(line, width - INSET):
            sheet.words((left + INSET, y), words, kind="holding")
            y += LINE
    return y - LINE / 2


def tokens_of(view: InisView, contender: ContenderView) -> Iterator[tuple[str, int | None]]:
    """Return the signs of what a player has before them, with their number where there may be several."""
    more = view.expansion or ExpansionView()
    seat = contender.seat
    if view.brenn == seat:
        yield "brenn", None
    if contender.pretender:
        yield "pretender", None
    if contender.deeds:
        yield "deed", contender.deeds
    if seat in more.banshee:
        yield "banshee", None
    if more.bran is not None and more.bran.seat == seat:
        yield "bran", more.bran.clans
    if view.cauldron is not None and view.cauldron.seat == seat:
        yield "cauldron", view.cauldron.clans


def standing_of(view: InisView, seat: Seat) -> Iterator[str]:
    """Return what a seat is at now, in words."""
    more = view.expansion or ExpansionView()
    if seat == view.winner or seat in more.winners:
        yield "king"
    if view.phase == "season" and view.turn == seat:
        yield "on turn"
    if seat in view.passed:
        yield "passed"
    if more.claim == seat:
        yield "claims Hy Breasil"


def holdings(contender: ContenderView) -> Iterator[str]:
    """Return in words what a player counts and holds, as far as the viewpoint knows it."""
    counts = " · ".join(f"{name} {value}" for name, value in contender.conditions.items())
    yield f"{counts} · met {contender.met}"
    yield (f"reserve {contender.reserve} · Action cards {contender.action_count} · Epic Tales {contender.tale_count}")
    for name, cards in (
        ("Advantages", contender.advantages),
        ("Actions", contender.actions),
        ("Tales", contender.tales),
    ):
        if cards:
            yield f"{name}: {', '.join(map(spoken, cards))}"
