"""The Python client: tables over HTTP and the live door, typed, for plain programs and for asyncio alike."""

from __future__ import annotations

from services.client.asynchronous import AsyncClient
from services.client.conversation import Conversation
from services.client.news import Follow, News, Rewound, Seen, Told, Unfollowed
from services.client.problems import ProblemError
from services.client.results import (
    Accepted,
    Game,
    Guest,
    Invitation,
    Key,
    Readiness,
    Rematch,
    RematchSeat,
    SeatGiven,
    SeatRange,
    SeatToken,
    SpectatorToken,
    TableRow,
)
from services.client.synchronous import Client
from services.client.views import Asked, Chapter, Legal, SeatView, TableView

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
