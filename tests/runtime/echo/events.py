"""What can happen in the game of echoes."""

from __future__ import annotations

from events.messages import Event, Seat


class Echoed(Event, frozen=True, kw_only=True):
    """Something was said."""

    seat: Seat
    text: str


class Finished(Event, frozen=True, kw_only=True):
    """The game is over."""


EVENTS = Echoed | Finished
