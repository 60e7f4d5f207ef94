"""A WebSocket client that costs less than what it measures: text frames, and nothing that is not needed."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol, cast

SHORT: Final = 126
"""Lengths below it stand in the second byte of a frame."""
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""First bytes of whole frames."""


class Hearer(Protocol):
    """Whoever is told what came over a line."""

    def heard(self, line: Line, payload: bytes) -> None:
        """Take a message."""


class Line(asyncio.Protocol):
    """
    A client's socket.

    Args:
        opened: done once the other side has taken it; an error when the line was lost before.
    """

    def __init__(self, hearer: Hearer, path: str) -> None:
        self._hearer = hearer
        self._path = path
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def holds(self) -> bool:
        """Whether it was opened, and not lost as far as is known."""
        return self._transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast("asyncio.Transport", transport)
        lines = (
            f"GET {self._path} HTTP/1.1",
            "Host: bench",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(bytes(self._buffer[:end]).decode()))
                return
            del self._buffer[: end + 4]
            self.opened.set_result(None)
        self._frames()

    def connection_lost(self, fault: Exception | None) -> None:
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the line was lost"))

    def _frames(self) -> None:
        at, buffer = 0, self._buffer
        while len(buffer) - at >= 2:  # noqa: PLR2004  the shortest frame
            first, length, start = buffer[at], buffer[at + 1], at + 2
            if length >= SHORT:
                size = 2 if length == SHORT else 8
                length, start = int.from_bytes(buffer[start : start + size], "big"), start + size
            if len(buffer) < start + length:
                break
            payload, at = bytes(buffer[start : start + length]), start + length
            if first == TEXT:
                self._hearer.heard(self, payload)
            elif first == PING:
                self._write(PONG, payload)
        if at:
            del buffer[:at]

    def say(self, payload: bytes) -> None:
        """Send a message, as long as the line holds."""
        self._write(TEXT, payload)

    def _write(self, first: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((first, 0x80 | length)) if length < SHORT else bytes((first, 0xFE)) + length.to_bytes(2, "big")
        if self._transport is not None:
            self._transport.write(head + bytes(4) + payload)  # masked with zeros, which changes nothing

    def stop_reading(self) -> None:
        """Take nothing any more of what the other side sends."""
        if self._transport is not None:
            self._transport.pause_reading()

    def close(self) -> None:
        """Cut it."""
        if self._transport is not None:
            self._transport.abort()


async def open_line(hearer: Hearer, port: int, path: str) -> Line:
    """Return an open socket to a port of this machine."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: Line(hearer, path), "127.0.0.1", port)
    await line.opened
    return line
