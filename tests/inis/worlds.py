"""States of Inis that differ in nothing but what a viewpoint may not know."""

from __future__ import annotations

from random import Random

from events.messages import Viewpoint
from workers.inis.state import InisState

HAS_SECRETS = False


def other_world(state: InisState, _viewpoint: Viewpoint, _random: Random) -> InisState:
    """Return the state as it is: nothing of this game is hidden."""
    return state
