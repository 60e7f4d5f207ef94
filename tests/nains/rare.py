"""Messages of Nains that random tables hardly ever bring about, for the golden samples."""

from __future__ import annotations

from events.messages import Seat
from events.nains.commands import ReturnMarkers
from events.nains.events import MarkersReturned, RecruitLost
from events.nains.vocabulary import CardId

FREED = CardId("D1-WAN-8"), CardId("D2-WAN-4")

RARE = (
    RecruitLost(seat=Seat(0)),
    ReturnMarkers(seat=Seat(1), cards=FREED),
    MarkersReturned(seat=Seat(1), cards=FREED),
)
