"""What the season of the wheel is good for: its festival and its effect, as the catalogue has them (section 4.6)."""

from __future__ import annotations

from typing import Final

from events.inis.vocabulary import Modules, SeasonId, WheelSlot
from workers.inis.state import InisState

BELTAINE_MOVE: Final = "beltaine_move"
"""The effect that opens a fourth turn option (M2); also what is declared for it."""
SHORT_MARCHES: Final = "short_marches"
"""The effect that lets one card move few clans of each owner (M4)."""


def modules_of(state: InisState) -> Modules:
    """Return what the expansion adds to the catalogue."""
    modules = state.catalogue.modules
    if modules is None:
        raise AssertionError("a table of the expansion has its catalogue")
    return modules


def slot(state: InisState) -> WheelSlot | None:
    """Return the season of the wheel, at a table that has one."""
    season = state.more.season if state.more is not None else None
    if season is None:
        return None
    return next(each for each in modules_of(state).wheel if each.id == season)


def effect(state: InisState) -> str:
    """Return the effect of the season in phase 2, empty when there is none."""
    now = slot(state)
    return now.effect if now is not None else ""


def next_season(state: InisState) -> SeasonId | None:
    """Return the season after this one, clockwise (section 3.5, E5)."""
    now = slot(state)
    if now is None:
        return None
    wheel = modules_of(state).wheel
    return wheel[(wheel.index(now) + 1) % len(wheel)].id
