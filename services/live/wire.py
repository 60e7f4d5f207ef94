"""The WebSocket protocol under the live door, as uvicorn runs it: bounds for what is written to whom does not read."""

from __future__ import annotations

import socket
from asyncio.transports import BaseTransport
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from services.live.wishes import LARGEST

PING_S: Final = 20.0
"""How often the server pings a socket, and how long it waits for the answer."""

BUFFER_BYTES: Final = 65_536
"""What may wait in this process to be taken by a client; beyond it sending waits."""

KERNEL_BYTES: Final = 131_072
"""What may wait in the kernel; Linux doubles it for its own needs."""

GOODBYE_S: Final = 2.0
"""How long a client may take to read what is left when its socket is closed."""

UVICORN: Final[dict[str, Any]] = {
    "ws_max_size": LARGEST,
    "ws_ping_interval": PING_S,
    "ws_ping_timeout": PING_S,
    "ws_per_message_deflate": False,
}
"""Settings of the server; compression would cost each socket more memory than all else."""


class LiveProtocol(WebSocketsSansIOProtocol):
    """
    uvicorn's protocol, except that a client that does not read cannot keep it.

    There closing waits until everything written before was taken, which such a client never does.
    """

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)
        line = self.transport.get_extra_info("socket")
        if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    async def send(self, message: Any) -> None:  # noqa: ANN401  one of ASGI's messages
        if message["type"] == "websocket.close":
            self.writable.set()  # the last word does not wait for room
            self._abort_soon()
        await super().send(message)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._abort_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_soon()

    def shutdown(self) -> None:
        super().shutdown()
        self._abort_soon()

    def _abort_soon(self) -> None:
        if not self.disconnected:
            self.loop.call_later(GOODBYE_S, self.transport.abort)
