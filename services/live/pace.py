"""Holds whoever says too much at once back to so many messages a second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Pace:
    """
    Lets through so many a second, and a second's worth at once after a silence.

    Args:
        per_s: how many.
        clock: seconds, as the event loop counts them; ``sleep`` lets so many of them pass.
    """

    def __init__(
        self, per_s: int, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._gap = 1 / per_s
        self._clock = clock
        self._sleep = sleep
        self._next = clock()

    async def turn(self) -> None:
        """Return when it is the next one's turn."""
        now = self._clock()
        self._next = max(self._next, now - 1) + self._gap
        if self._next > now:
            await self._sleep(self._next - now)
