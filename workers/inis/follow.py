"""What happens by itself after an event, until somebody is asked or the game is over."""

from __future__ import annotations

from collections.abc import Sequence

from events.inis.events import InisEvent
from workers.inis.evolve import evolve
from workers.inis.lore import lore_of
from workers.inis.state import InisState
from workers.kit.decider import Context


def follow(state: InisState, first: InisEvent | None, context: Context) -> tuple[Sequence[InisEvent], InisState]:
    """Return an event, if one is given, and all after it until somebody is asked, with the state they make."""
    events = []
    event = first or next_event(state, context)
    while event is not None:
        events.append(event)
        state = evolve(state, event)
        event = next_event(state, context)
    return events, state


def next_event(state: InisState, context: Context) -> InisEvent | None:
    """Return what happens now without anybody's choice; nothing when a question is open or the game is over."""
    if not state.agenda:
        return None
    step = state.agenda[0]
    happens = lore_of(state).happens.get(type(step))
    return happens(state, step, context) if happens else None
