"""In which order the wishes of a socket are taken: those for one table in turn, those for others beside them."""

from __future__ import annotations

import asyncio


class Turn:
    """
    A wish's turn among those for its table.

    Args:
        turns: the newest turn of each table; it stands there until it ends, or another is the newest.
        over: set when it has ended.
    """

    def __init__(self, turns: dict[str, Turn], table: str) -> None:
        self.over: asyncio.Event = asyncio.Event()
        before = turns.get(table)
        self._before = None if before is None else before.over
        self._turns = turns
        self._table = table
        turns[table] = self

    async def come(self) -> None:
        """Return when all turns before it have ended."""
        if self._before is not None:
            await self._before.wait()

    def end(self) -> None:
        """Let the next one come; again it does nothing."""
        self.over.set()
        if self._turns.get(self._table) is self:
            del self._turns[self._table]
