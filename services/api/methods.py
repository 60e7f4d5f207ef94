"""Which methods an address takes; and HEAD, which every address takes that takes GET (RFC 9110, 9.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


def allowed(request: Request) -> Sequence[str]:
    """Return the methods that a request's address takes."""
    scope = request.scope
    taken = [
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]
    return ["GET", "HEAD", *taken[1:]] if taken[:1] == ["GET"] else taken


class Heads:
    """Answers HEAD as it would answer GET, and leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET"}, receive, sending)
