"""What one viewpoint sees of a game of Inis."""

from __future__ import annotations

import msgspec

from events.messages import Seat, Viewpoint
from workers.inis.state import InisState


class InisView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole board; nothing of this game is hidden."""

    stones: int
    turn: Seat


def table_view(state: InisState, _viewpoint: Viewpoint) -> InisView:
    """Return what a seat or the spectator sees now."""
    return InisView(stones=state.stones, turn=state.turn)
