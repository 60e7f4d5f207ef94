"""A client's line as the live door has it: text alone, and nothing between the door and the protocol under it."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope, Send

from services.api import rates
from services.api.caching import tell_own
from services.api.server_time import tell_time
from services.live.closing import Closed, Closing


class Gone(Exception):
    """The client has gone: nothing more can be said or heard."""


class Line:
    """
    A WebSocket of ASGI; whatever is said over one whose client has gone raises ``Gone``.

    Args:
        address: who is at the other end, by the rule that counts requests.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.address = rates.address_of(scope).hex()
        self._receive = receive
        self._send = send

    async def accept(self) -> None:
        """Answer the handshake with a yes, which tells what every answer of the doors does."""
        await self._receive()
        yes: Message = {"type": "websocket.accept", "headers": []}
        tell_time(yes)
        tell_own(yes)
        await self._pass(yes)

    async def say(self, text: str) -> None:
        """Say something, as soon as the client has taken most of what was said before."""
        await self._pass({"type": "websocket.send", "text": text})

    async def hear(self) -> str:
        """Return what the client says next."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        text = message.get("text")
        if not isinstance(text, str):
            raise Closed(Closing.UNSUPPORTED)
        return text

    async def close(self, why: Closing) -> None:
        """Say the last word."""
        await self._pass({"type": "websocket.close", "code": why.value, "reason": why.reason})

    async def _pass(self, message: Message) -> None:
        try:
            await self._send(message)
        except OSError:
            raise Gone from None
