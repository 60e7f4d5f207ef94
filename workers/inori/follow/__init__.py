"""What happens by itself after an event: what nobody is asked, and what leaves a chief no choice."""

from __future__ import annotations

from collections.abc import Sequence

from events.chance import Chance
from events.inori.events import InoriEvent
from workers.inori.evolve import evolve
from workers.inori.follow.offerings import STEPS
from workers.inori.follow.seasons import PHASES
from workers.inori.state import InoriState


def follow(state: InoriState, *first: InoriEvent, chance: Chance) -> tuple[Sequence[InoriEvent], InoriState]:
    """Return events and all after them until somebody has a choice or the game is over, with the state they make."""
    events = list(first)
    for event in first:
        state = evolve(state, event)
    while (happens := next_event(state, chance)) is not None:
        events.append(happens)
        state = evolve(state, happens)
    return events, state


def next_event(state: InoriState, chance: Chance) -> InoriEvent | None:
    """Return what happens now without anybody's choice; nothing when a question is open or the game is over."""
    if state.agenda:
        step = state.agenda[0]
        return STEPS[type(step)](state, state.turn, step, chance)
    by_itself = PHASES.get(state.phase)
    return None if by_itself is None else by_itself(state)
