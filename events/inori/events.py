"""What can happen in a game of Inori, in steps a person could watch."""

from __future__ import annotations

from events.messages import Event, Seat


class HeapPiled(Event, frozen=True, kw_only=True):
    """Chance decided how high the heap is."""

    reveals = True

    stones: int


class StonesTaken(Event, frozen=True, kw_only=True):
    """A seat took stones off the heap."""

    seat: Seat
    stones: int


InoriEvent = HeapPiled | StonesTaken
EVENTS = InoriEvent
