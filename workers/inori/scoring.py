"""How a game of Inori ends."""

from __future__ import annotations

from events.messages import Outcome, Seat
from workers.inori.state import InoriState


def outcome(state: InoriState) -> Outcome | None:
    """Return the ranking once the heap is gone, or ``None`` while there are stones."""
    if not state.is_over or state.last is None:
        return None
    last = (state.last,)
    others = tuple(Seat(seat) for seat in range(state.seats) if seat != state.last)
    return Outcome(reason="heap_gone", ranking=(others, last) if state.options.last_stone_loses else (last, others))
