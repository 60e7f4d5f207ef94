"""A small HTTP client, so that the players cost less than what they play against."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping

TIMEOUT_S = 30.0
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Http:
    """Keeps connections to ports of this machine open, and asks over them."""

    def __init__(self) -> None:
        self._idle: dict[int, list[Line]] = defaultdict(list)

    async def request(
        self, port: int, method: str, path: str, headers: Mapping[str, str], content: bytes = b""
    ) -> tuple[int, bytes]:
        """Return status and body; ``OSError`` or ``EOFError`` when the connection broke, ``TimeoutError`` too."""
        lines = [f"{method} {path} HTTP/1.1", "Host: doors", f"Content-Length: {len(content)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join((*lines, "", "")).encode()
        idle = self._idle[port]
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                writer.write(head + content)
                answer = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(answer.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                body = await reader.readexactly(length)
        except BaseException:
            writer.transport.abort()
            raise
        if b"connection: close" in answer:
            writer.transport.abort()
        else:
            idle.append((reader, writer))
        return int(answer.split(b" ", 2)[1]), body

    def close(self) -> None:
        """Close what is open; who asks again opens anew."""
        for lines in self._idle.values():
            for _, writer in lines:
                writer.transport.abort()
        self._idle.clear()
