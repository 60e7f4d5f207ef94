"""What a seat may do: exactly what ``decide`` accepts."""

from __future__ import annotations

from collections.abc import Sequence

from events.inori.commands import InoriCommand, TakeStones
from events.messages import Seat
from workers.inori.state import InoriState, Take


def legal_commands(state: InoriState, seat: Seat) -> Sequence[InoriCommand]:
    """Return every command the seat may send now."""
    match state.prompts.get(seat):
        case Take(most=most):
            return [TakeStones(seat=seat, stones=stones) for stones in range(1, most + 1)]
        case _:
            return []
