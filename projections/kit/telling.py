"""To whom an event is told whole, and what everybody else is told of it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from events.messages import Event, Viewpoint

Shape = type[msgspec.Struct] | None
"""A shape in which something is told; ``None`` for nothing at all."""


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a kind of event is told.

    Args:
        whole_to: names of the event's members that say which seats are told it as it stands.
        others: what everybody else is told; one of several, where that depends on how the table stands.
    """

    whole_to: tuple[str, ...] = ()
    others: tuple[Shape, ...]

    def is_whole_to(self, event: Event, viewpoint: Viewpoint) -> bool:
        """Whether a viewpoint is told the event as it stands, however the table stands."""
        return viewpoint is not None and any(getattr(event, name) == viewpoint for name in self.whole_to)


Tellings = Mapping[type[Event], Telling]
"""How events are told that are not told everybody as they stand, by their kind."""


def is_told_whole(tellings: Tellings, event: Event, viewpoint: Viewpoint) -> bool:
    """Whether a viewpoint is told an event as it stands, however the table stands."""
    telling = tellings.get(type(event))
    return telling is None or telling.is_whole_to(event, viewpoint)


def open_telling(event: type[Event]) -> Telling:
    """Return how an event is told that holds nothing hidden: as it stands, to everybody."""
    return Telling(others=(event,))
