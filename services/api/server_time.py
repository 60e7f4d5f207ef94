"""Tells the server's time with every answer, so that a client can tell how long is left whatever its own clock says."""

from __future__ import annotations

import time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SERVER_TIME: Final = "Fidchell-Time"
"""Milliseconds since 1970, when the answer began to be sent."""


class ServerTime:
    """Adds the time to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[SERVER_TIME] = str(time.time_ns() // 1_000_000)
            await send(message)

        await self._app(scope, receive, sending)
