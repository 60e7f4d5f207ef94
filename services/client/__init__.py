"""The Python client: tables over HTTP and the live door, typed, for plain programs and for asyncio alike."""

from __future__ import annotations

from services.client.asynchronous import AsyncClient
from services.client.conversation import Conversation
from services.client.news import Follow, News, Rewound, Seen, Told, Unfollowed
from services.client.problems import ProblemError
from services.client.results import (
    Accepted,
    Asked,
    Chapter,
    Game,
    Guest,
    Invitation,
    Key,
    Legal,
    Readiness,
    Rematch,
    RematchSeat,
    SeatGiven,
    SeatRange,
    SeatToken,
    SeatView,
    SpectatorToken,
    TableRow,
    TableView,
)
from services.client.synchronous import Client

__all__ = [
    "Accepted",
    "Asked",
    "AsyncClient",
    "Chapter",
    "Client",
    "Conversation",
    "Follow",
    "Game",
    "Guest",
    "Invitation",
    "Key",
    "Legal",
    "News",
    "ProblemError",
    "Readiness",
    "Rematch",
    "RematchSeat",
    "Rewound",
    "SeatGiven",
    "SeatRange",
    "SeatToken",
    "SeatView",
    "Seen",
    "SpectatorToken",
    "TableRow",
    "TableView",
    "Told",
    "Unfollowed",
]
