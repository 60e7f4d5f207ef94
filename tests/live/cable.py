"""A way to the doors that can be cut, line by line or all at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random

from services.ending import end

Ends = tuple[asyncio.StreamWriter, asyncio.StreamWriter]


class Cable:
    """
    A way to ports that can be cut; each line goes to one of them that answers, as a balancer would have it.

    Args:
        port: where it begins.
        lines: how many there have been.
    """

    def __init__(self, *to: int, seed: int = 1) -> None:
        self._to = to
        self._random = Random(seed)
        self.lines = 0
        self._open: list[Ends] = []
        self._flows: set[asyncio.Task[None]] = set()
        self.port = 0

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[None]:
        """Carry what is said while the block is alive."""
        server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            await end(list(self._flows))
            self.cut()

    def cut(self) -> None:
        """Break every line without a word."""
        while self.cut_one():
            pass

    def cut_one(self) -> bool:
        """Break any one line without a word; return whether there was one."""
        if not self._open:
            return False
        for each in self._open.pop(self._random.randrange(len(self._open))):
            each.transport.abort()
        return True

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in self._random.sample(self._to, len(self._to)):
            with suppress(OSError):  # nobody is there now
                there, back = await asyncio.open_connection("127.0.0.1", port)
                break
        else:
            writer.transport.abort()
            return
        self.lines += 1
        ends = writer, back
        self._open.append(ends)
        for flow in (self._flow(reader, back, ends), self._flow(there, writer, ends)):
            task = asyncio.create_task(flow)
            self._flows.add(task)
            task.add_done_callback(self._flows.discard)

    async def _flow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: Ends) -> None:
        with suppress(OSError):
            while said := await reader.read(65_536):
                writer.write(said)
                await writer.drain()
        with suppress(ValueError):  # it was cut, or the other side ended first
            self._open.remove(ends)
        writer.transport.abort()
