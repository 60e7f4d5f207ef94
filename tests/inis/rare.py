"""One message of every kind that only tables of Seasons of Inis bring about."""

from __future__ import annotations

from typing import Final

from events.inis.commands import MoveForBeltaine
from events.inis.events.seasons import (
    AsideSeen,
    BansheeReturned,
    BansheesTaken,
    BeltaineMoved,
    BranDeparted,
    BranReturned,
    CapitalMoved,
    CardForetold,
    ClansSwapped,
    HarborBuilt,
    KingsCrowned,
    KingTileTurned,
    SeasonDrawn,
    TaleRecovered,
    TalesKept,
    TokenPut,
    TokensCleared,
    WheelTurned,
)
from events.inis.vocabulary import CardId, Location, Part, TerritoryId
from events.messages import Command, Event, Seat

ANN, BO, CY = map(Seat, range(3))
FOREST, MOOR = map(TerritoryId, ("forest", "moor"))
MARCH: Final = Part(territory=FOREST, to=MOOR, amount=2)

RARE: Final[tuple[Command | Event, ...]] = (
    MoveForBeltaine(seat=BO),
    SeasonDrawn(season="imbolc"),
    WheelTurned(season="samhain"),
    HarborBuilt(territory=FOREST, spot=Location("H-1,1")),
    TokenPut(token="macha", territory=MOOR),  # noqa: S106  a token of cardboard
    TokensCleared(),
    KingTileTurned(seats=(ANN, CY)),
    KingsCrowned(seats=(ANN, BO)),
    BeltaineMoved(seat=BO, parts=(Part(card=CardId("bard")), MARCH)),
    ClansSwapped(seat=ANN, territory=FOREST, owner=CY, to=MOOR),
    CardForetold(seat=BO, card=CardId("conquest")),
    CapitalMoved(territory=MOOR),
    AsideSeen(seat=CY, card=CardId("druid")),
    TaleRecovered(seat=ANN, card=CardId("eriu")),
    TalesKept(seat=ANN, cards=(CardId("eriu"), CardId("the_fianna"))),
    BansheesTaken(seats=(BO, ANN)),
    BansheeReturned(seat=ANN),
    BranDeparted(seat=BO, territory=FOREST, amount=3),
    BranReturned(seat=BO, territory=MOOR),
)
"""Messages with something in every field."""
