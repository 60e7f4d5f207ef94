"""What one viewpoint is told of each step of a game of Inori."""

from __future__ import annotations

from events.inori.events import InoriEvent
from events.messages import Viewpoint
from workers.inori.state import InoriState


def told(_state: InoriState, event: InoriEvent, _viewpoint: Viewpoint) -> InoriEvent | None:
    """Return what a viewpoint is told of an event; nothing of this game is hidden."""
    return event
