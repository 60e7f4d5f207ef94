"""Messages of Inori that random tables hardly ever bring about, for the golden samples."""

from __future__ import annotations

from events.inori.commands import LayPieceAside
from events.inori.events import PieceLaidAside, RuneMissed
from events.messages import Seat

RARE = (LayPieceAside(seat=Seat(0)), PieceLaidAside(seat=Seat(0)), RuneMissed(seat=Seat(0)))
