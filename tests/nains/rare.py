"""Messages of Nains that random tables hardly ever bring about, for the golden samples."""

from __future__ import annotations

from events.messages import Seat
from events.nains.events import RecruitLost

RARE = (RecruitLost(seat=Seat(0)),)
