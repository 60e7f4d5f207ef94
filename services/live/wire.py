"""The WebSocket protocol under the live door, as uvicorn runs it: bounds for what is read, and for what waits."""

from __future__ import annotations

import socket
from asyncio.transports import BaseTransport
from typing import Any, Final

import structlog
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from services.api.wire import SIP_BYTES
from services.live.closing import Closing
from services.live.handshake import Handshakes
from services.live.wishes import LARGEST

PING_S: Final = 20.0
"""How often the server pings a socket, and how long it waits for the answer."""

BUFFER_BYTES: Final = 65_536
"""What may wait in this process to be taken by a client; beyond it sending waits."""

KERNEL_BYTES: Final = 131_072
"""What may wait in the kernel; Linux doubles it for its own needs."""

GOODBYE_S: Final = 2.0
"""How long a client may take to read what is left when its socket is closed."""

FIRST_BYTES: Final = 8_192
"""What is read of a socket until its first message is whole: a token, and what little may come before it."""

FRAMES_PER_S: Final = 100
"""Frames that are no message a client may send: pings, pongs, and pieces of messages."""

FRAMES_AT_ONCE: Final = 500
"""How many of those may come at once."""

PIECES: Final = 64
"""Pieces of a message that are kept by themselves; each takes many times the byte that it may hold."""

TEXT: Final = 0x81
"""First byte of a text frame that is whole."""

UVICORN: Final[dict[str, Any]] = {
    "ws_max_size": LARGEST,
    "ws_ping_interval": PING_S,
    "ws_ping_timeout": PING_S,
    "ws_per_message_deflate": False,
}
"""Settings of the server; compression would cost each socket more memory than all else."""


log = structlog.get_logger()


class LiveProtocol(WebSocketsSansIOProtocol):
    """
    uvicorn's protocol, except that messages said in one breath are written together, which costs a third.

    Noes to a handshake are told as every no of the doors.
    What is read in one turn of the event loop, megabytes with uvloop, is taken in sips, one in each turn; whole
    messages are taken as fast as the application asks for them, and of all other frames only so many.
    And a client that does not read cannot keep it: there closing waits until everything written before was taken,
    which such a client never does.
    """

    conn: Handshakes

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as uvicorn calls it
        super().__init__(*args, **kwargs)
        self.conn = Handshakes(max_size=self.config.ws_max_size, logger=self.logger)

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._unwritten: list[bytes] = []
        self._unwritten_bytes = 0
        self._unread = b""
        self._sips = False
        self._spoke = False
        self._first_room = FIRST_BYTES
        self._frames_until = float("-inf")
        self._turned_away = False
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)
        line = self.transport.get_extra_info("socket")
        if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unread = b""

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            self._take_head(data)
        elif not self._unread and len(data) <= SIP_BYTES:
            self._take(data)
        elif not self._turned_away:
            self._unread += data
            self._pause()
            self._sip_soon()

    def _take_head(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:  # a head comes whole, and this one cannot be read
            self.transport.write(self.conn.no_to_send())
            self.transport.close()

    def _take(self, sip: bytes) -> None:
        super().data_received(sip)
        if not self._spoke:
            self._first_room -= len(sip)
            if self._first_room < 0:
                self._turn_away(CloseCode.MESSAGE_TOO_BIG)

    def _sip_soon(self) -> None:
        if not self._sips:
            self._sips = True
            self.loop.call_soon(self._sip)

    def _sip(self) -> None:
        self._sips = False
        if not self._turned_away and not self.transport.is_closing():
            sip, self._unread = self._unread[:SIP_BYTES], self._unread[SIP_BYTES:]
            self._take(sip)
            self._read_on()

    def send_receive_event_to_app(self) -> None:
        self._spoke = True
        said, self.frames = b"".join(self.frames), []
        if self.close_sent:
            self._within()  # behind the last word a message is a frame like any other
            return
        message: Any = {"type": "websocket.receive", "bytes": said}
        if self.curr_msg_data_type == "text":
            try:
                message = {"type": "websocket.receive", "text": said.decode()}
            except UnicodeDecodeError:
                self._turn_away(CloseCode.INVALID_DATA)
                return
        self.queue.put_nowait(message)
        self._pause()

    async def send(self, message: Any) -> None:  # noqa: ANN401  one of ASGI's messages
        if message["type"] == "websocket.send" and self._takes_frames and "text" in message:
            if not self.writable.is_set():
                await self.writable.wait()
            if self.disconnected:
                raise ClientDisconnected
            self._write_soon(message["text"].encode())
            return
        if message["type"] == "websocket.send" and self.close_sent:
            raise ClientDisconnected  # the last word was said here
        self._write()
        if message["type"] == "websocket.close":
            self.writable.set()  # the last word does not wait for room
            self._abort_soon()
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # a no completes it as well, or uvicorn would call it a fault

    async def receive(self) -> Any:  # noqa: ANN401  one of ASGI's messages
        message = await self.queue.get()
        self._read_on()
        return message

    def handle_ping(self) -> None:
        if self._within():
            super().handle_ping()
            if not self.writable.is_set():
                self._pause()

    def handle_pong(self, event: Frame) -> None:
        if self._within():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        if event.fin or self._within():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if event.fin or self._within():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._within() and (event.data or event.fin):  # a message may have pieces that say nothing
            super().handle_cont(event)
        if len(self.frames) > PIECES:
            self.frames = [b"".join(self.frames)]

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # there is no line yet, so there is no last word
            self.transport.abort()
            return
        super().handle_parser_exception()

    def _within(self) -> bool:
        """Count a frame that is no whole message, and return whether it may come; who sends too many has to go."""
        if self._turned_away:
            return False
        now = self.loop.time()
        self._frames_until = max(self._frames_until, now - FRAMES_AT_ONCE / FRAMES_PER_S) + 1 / FRAMES_PER_S
        if self._frames_until > now:
            self._turn_away(Closing.RATE_LIMITED, Closing.RATE_LIMITED.reason)
        return not self._turned_away

    def _turn_away(self, code: int, reason: str = "") -> None:
        """Close the line, and read no more of it; its client has a moment to hear why."""
        log.info("socket_turned_away", code=int(code), reason=reason)
        self._turned_away = True
        self._unread = b""
        self._pause()
        self._write()
        if self._takes_frames:
            if not self._heard_last:
                self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.writable.set()
        self.close_timer = self.close_timer or self.loop.call_later(GOODBYE_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    def _pause(self) -> None:
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _read_on(self) -> None:
        """Read again when what was read is taken, and what was written, too: pongs would else pile up."""
        if self._turned_away or not self.writable.is_set() or not (self.close_sent or self.queue.empty()):
            return
        if self._unread:
            self._sip_soon()
        elif self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    @property
    def _takes_frames(self) -> bool:
        return self.handshake_complete and not self.close_sent and self.initial_response is None

    @property
    def _heard_last(self) -> bool:
        """Whether the client has said the last word, which the library answers by itself: nothing can be said then."""
        return self.conn.close_rcvd is not None

    def _write_soon(self, payload: bytes) -> None:
        """Write a text frame together with those that come before the event loop's next turn."""
        if not self._unwritten:
            self.loop.call_soon(self._write)
        self._unwritten += (_head(len(payload)), payload)
        self._unwritten_bytes += len(payload)
        if self._unwritten_bytes > BUFFER_BYTES:
            self._write()

    def _write(self) -> None:
        if self._unwritten:
            if not self.close_sent and not self.transport.is_closing():
                self.transport.write(b"".join(self._unwritten))
            self._unwritten.clear()
            self._unwritten_bytes = 0

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._abort_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_soon()

    def shutdown(self) -> None:
        self._write()
        if not self._heard_last:
            super().shutdown()
        self._abort_soon()

    def _abort_soon(self) -> None:
        if not self.disconnected:
            self.loop.call_later(GOODBYE_S, self.transport.abort)


def _head(length: int) -> bytes:
    """Return the head of a text frame that is whole and not masked (RFC 6455, 5.2)."""
    if length < 126:  # noqa: PLR2004  lengths that fit into the second byte
        return bytes((TEXT, length))
    if length < 65_536:  # noqa: PLR2004  lengths of two bytes
        return bytes((TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")
