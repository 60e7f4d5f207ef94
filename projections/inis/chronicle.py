"""What one viewpoint is told of each step of a game of Inis."""

from __future__ import annotations

from events.inis.events import InisEvent
from events.messages import Viewpoint
from workers.inis.state import InisState


def told(_state: InisState, event: InisEvent, _viewpoint: Viewpoint) -> InisEvent | None:
    """Return what a viewpoint is told of an event; nothing of this game is hidden."""
    return event
