"""What one viewpoint sees of a game of Inori."""

from __future__ import annotations

import msgspec

from events.messages import Seat, Viewpoint
from workers.inori.state import InoriState


class InoriView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole board; nothing of this game is hidden."""

    stones: int
    turn: Seat


def table_view(state: InoriState, _viewpoint: Viewpoint) -> InoriView:
    """Return what a seat or the spectator sees now."""
    return InoriView(stones=state.stones, turn=state.turn)
