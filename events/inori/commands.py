"""What a seat may wish for; each command answers one question."""

from __future__ import annotations

from events.messages import SeatCommand


class TakeStones(SeatCommand, frozen=True, kw_only=True):
    """Take some stones off the heap."""

    stones: int


InoriCommand = TakeStones
COMMANDS = InoriCommand
