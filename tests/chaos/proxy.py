"""
A bad line between the processes and their server: it delays, loses replies and breaks.

``python -m tests.chaos.proxy SERVER_SOCKET FOLDER LINE...`` listens on ``FOLDER/LINE.sock`` for each line, and obeys
what is written to its input: ``cut LINE``, ``drop LINE``, ``delay LINE SECONDS FOR_SECONDS``.
It ends with its input.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path


class Line:
    """All connections of one process to the server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._open: set[asyncio.StreamWriter] = set()
        self._lost_replies = 0
        self._delay = self._delay_until = 0.0

    async def accept(self, near_reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """Carry a connection until either side ends it."""
        try:
            far_reader, far = await asyncio.open_unix_connection(self._server)
        except OSError:
            near.close()
            return
        self._open |= {near, far}
        there = asyncio.create_task(self._carry(near_reader, far, replies=False))
        back = asyncio.create_task(self._carry(far_reader, near, replies=True))
        await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        for task in (there, back):
            task.cancel()
        self._open -= {near, far}
        near.close()
        far.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, replies: bool) -> None:
        with suppress(OSError):
            while piece := await reader.read(65_536):
                if asyncio.get_running_loop().time() < self._delay_until:
                    await asyncio.sleep(self._delay)
                if replies and self._lost_replies:
                    self._lost_replies -= 1
                    return
                writer.write(piece)
                await writer.drain()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._open:
            writer.transport.abort()

    def drop(self) -> None:
        """Lose the next replies, and the connections with them: nobody knows whether the call was carried out."""
        self._lost_replies = 2

    def delay(self, seconds: float, lasting: float) -> None:
        """Hold back everything for a while."""
        self._delay, self._delay_until = seconds, asyncio.get_running_loop().time() + lasting


async def main(server: str, folder: Path, names: list[str]) -> None:
    """Carry until the input ends."""
    lines = {name: Line(server) for name in names}
    for name, line in lines.items():
        await asyncio.start_unix_server(line.accept, folder / f"{name}.sock")
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    print("ready", flush=True)
    while order := (await orders.readline()).decode().split():
        match order:
            case ["cut", name]:
                lines[name].cut()
            case ["drop", name]:
                lines[name].drop()
            case ["delay", name, seconds, lasting]:
                lines[name].delay(float(seconds), float(lasting))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
