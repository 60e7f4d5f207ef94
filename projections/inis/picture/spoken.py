"""Says the picture in words, for whoever does not see it."""

from __future__ import annotations

from collections.abc import Iterator

from projections.inis.picture.players import holdings, standing_of, tokens_of
from projections.inis.picture.sheet import spoken
from projections.inis.picture.signs import SIGNS
from projections.inis.picture.tray import going_on, supplies
from projections.inis.table import ContenderView, ExpansionView, InisView, LandView


def title(view: InisView) -> str:
    """Return what the picture shows, in a line."""
    return f"Inis · round {view.round} · {view.phase}"


def description(view: InisView) -> str:
    """Return all of the picture in words: each territory with what is there, what lies beside, and the players."""
    more = view.expansion or ExpansionView()
    parts = [f"{spoken(land.territory)}: {'; '.join(_land(view, more, land))}." for land in view.lands]
    parts.append(f"Flock of Crows: {view.direction}.")
    parts += [f"Season: {more.season}."] if more.season is not None else []
    parts += [f"King tile: {more.king_tile}."] if more.king_tile is not None else []
    parts += [f"{line}." for line in (*supplies(view), *going_on(view))]
    parts += [f"seat {contender.seat}: {'; '.join(_player(view, contender))}." for contender in view.contenders]
    return " ".join(parts)


def _player(view: InisView, contender: ContenderView) -> Iterator[str]:
    for sign, count in tokens_of(view, contender):
        yield SIGNS[sign].meaning if count is None else f"{SIGNS[sign].meaning} {count}"
    yield from standing_of(view, contender.seat)
    yield from holdings(contender)


def _land(view: InisView, more: ExpansionView, land: LandView) -> Iterator[str]:
    yield f"beside {', '.join(map(spoken, land.beside))}" if land.beside else "island"
    clans = [f"seat {seat} {number}" for seat, number in enumerate(land.clans) if number]
    yield f"clans {', '.join(clans)}" if clans else "no clans"
    if land.chieftain is not None:
        yield f"chieftain seat {land.chieftain}"
    if land.citadels:
        yield f"citadels {land.citadels}"
    if land.sanctuaries:
        yield f"sanctuaries {land.sanctuaries}"
    here = {
        "Capital": land.territory == view.capital,
        "Festival": land.territory == view.festival,
        "harbor": land.territory in more.harbors,
        "Fili token": land.territory == more.fili,
        "Macha's Curse token": land.territory == more.macha,
        "clash": view.clash is not None and land.territory == view.clash.territory,
    }
    yield from (name for name, is_here in here.items() if is_here)
