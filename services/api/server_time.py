"""Tells the server's time with every answer, so that a client can tell how long is left whatever its own clock says."""

from __future__ import annotations

import time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SERVER_TIME: Final = "Fidchell-Time"
"""Milliseconds since 1970, when the answer began to be sent."""


ANSWERS: Final = frozenset(("http.response.start", "websocket.http.response.start"))
"""Messages of ASGI that begin an answer; that to a handshake is a no: a yes comes from the live door, before this."""


def server_time() -> str:
    """Return the time now, as the header tells it."""
    return str(time.time_ns() // 1_000_000)


def tell_time(answer: Message) -> None:
    """Add the time now to what begins an answer."""
    answer.setdefault("headers", [])
    MutableHeaders(scope=answer)[SERVER_TIME] = server_time()


class ServerTime:
    """Adds the time to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] in ANSWERS:
                tell_time(message)
            await send(message)

        await self._app(scope, receive, sending)
