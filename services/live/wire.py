"""The WebSocket protocol under the live door, as uvicorn runs it: bounds for what is written to whom does not read."""

from __future__ import annotations

import socket
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

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

PIECE_BYTES: Final = 1_024
"""What is taken at once of all that was read: thousands of small frames would hold up everybody else."""

ASIDES_PER_S: Final = 500
"""Frames of a socket that are no messages, such as pings and pieces, and are taken in a second; more have to wait."""

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


class LiveProtocol(WebSocketsSansIOProtocol):
    """
    uvicorn's protocol, except that messages said in one breath are written together, which costs a third.

    Noes to a handshake are told as every no of the doors.
    And a client that does not read cannot keep it: there closing waits until everything written before was taken,
    which such a client never does. Nor can one that sends frames without an end: they are taken in pieces, and those
    that are no messages at a pace.
    """

    conn: Handshakes

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as uvicorn calls it
        super().__init__(*args, **kwargs)
        self.conn = Handshakes(max_size=self.config.ws_max_size, logger=self.logger)
        self._untaken = bytearray()
        self._asides = 0
        self._free_at = 0.0
        self._held: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._unwritten: list[bytes] = []
        self._unwritten_bytes = 0
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)
        line = self.transport.get_extra_info("socket")
        if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._untaken.clear()
        if self._held is not None:
            self._held.cancel()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated:
            self._untaken += data
            self._take()
            return
        super().data_received(data)
        if not self.handshake_initiated:  # a head comes whole, and this one cannot be read
            self.transport.write(self.conn.no_to_send())
            self.transport.close()

    def _take(self) -> None:
        """Take what was read, as far as nothing has to wait for something."""
        while self._untaken and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self._untaken[:PIECE_BYTES])
            del self._untaken[:PIECE_BYTES]
            super().data_received(piece)
            if self._asides:
                now = self.loop.time()
                self._free_at = max(self._free_at, now - 1) + self._asides / ASIDES_PER_S
                self._asides = 0
                if self._free_at > now:
                    self._hold(self._free_at - now)

    def _hold(self, pause_s: float) -> None:
        """Take nothing for a while; who was told that it is closed is not waited for."""
        if self.close_sent:
            self.transport.abort()
            return
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self._held = self.loop.call_later(pause_s, self._hold_no_more)

    def _hold_no_more(self) -> None:
        self._held = None
        self._read_on()

    async def send(self, message: Any) -> None:  # noqa: ANN401  one of ASGI's messages
        if message["type"] == "websocket.send" and self._takes_frames and "text" in message:
            if not self.writable.is_set():
                await self.writable.wait()
            if self.disconnected:
                raise ClientDisconnected
            self._write_soon(message["text"].encode())
            return
        self._write()
        if message["type"] == "websocket.close":
            self.writable.set()  # the last word does not wait for room
            self._abort_soon()
        await super().send(message)
        self._take()  # what its client says now does not wait either

    async def receive(self) -> Any:  # noqa: ANN401  one of ASGI's messages
        message = await self.queue.get()
        self._read_on()
        return message

    def handle_pong(self, event: Frame) -> None:
        self._asides += 1
        super().handle_pong(event)

    def handle_ping(self) -> None:
        self._asides += 1
        super().handle_ping()
        if not self.writable.is_set() and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_cont(self, event: Frame) -> None:
        self._asides += 1
        if event.data or event.fin:  # a message may be cut into any number of pieces that say nothing
            super().handle_cont(event)
        if len(self.frames) > PIECES:
            self.frames = [b"".join(self.frames)]

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # there is no line yet, so there is no last word
            self.transport.abort()
            return
        super().handle_parser_exception()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    def _read_on(self) -> None:
        """Read again when what was read is taken, and what was written, too: pongs would else pile up."""
        if self.read_paused and self.queue.empty() and self.writable.is_set() and self._held is None:
            self.read_paused = False
            self.transport.resume_reading()
            self._take()

    @property
    def _takes_frames(self) -> bool:
        return self.handshake_complete and not self.close_sent and self.initial_response is None

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
