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
    Guest,
    Invitation,
    Legal,
    Rematch,
    RematchSeat,
    SeatGiven,
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
    "Guest",
    "Invitation",
    "Legal",
    "News",
    "ProblemError",
    "Rematch",
    "RematchSeat",
    "Rewound",
    "SeatGiven",
    "SeatToken",
    "SeatView",
    "Seen",
    "SpectatorToken",
    "TableRow",
    "TableView",
    "Told",
    "Unfollowed",
]
