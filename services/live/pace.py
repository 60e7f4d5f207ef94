"""Holds whoever says too much at once back to so many messages a second, over how many sockets they may."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from services.api.buckets import Buckets
from services.api.rates import too_fast

SIZE: Final = 1_024
"""A message counts once more for each so many characters."""

PAGE: Final = 4
"""As so many messages counts a page of a story that is read for a follow far behind."""

LONGEST_S: Final = 2.0
"""How long a message waits for others before it is said no to, and not even looked at."""


class Pace:
    """
    Lets through so many of each sender a second, and a second's worth at once after a silence.

    Args:
        per_s: how many.
        clock: seconds, as the event loop counts them; ``sleep`` lets so many of them pass.
    """

    def __init__(
        self, per_s: int, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._said = Buckets(rate=per_s, burst_s=1)
        self._clock = clock
        self._sleep = sleep

    async def turn(self, sender: bytes, size: int) -> None:
        """Return when it is the turn of a message of this size; a problem when too much waits before it."""
        wait = self._said.debt(sender, now=self._clock())
        if wait > LONGEST_S:
            await self._sleep(LONGEST_S)
            raise too_fast(wait)
        await self.spend(sender, 1 + size // SIZE)

    async def spend(self, sender: bytes, messages: int) -> None:
        """Count something as so many messages of a sender, and return when it is its turn, however long that takes."""
        self._said.pay(sender, now=self._clock(), times=messages)
        if wait := self._said.debt(sender, now=self._clock()):
            await self._sleep(wait)

    def let_go(self) -> None:
        """Forget senders of whom nothing has to be remembered any more."""
        self._said.let_go(now=self._clock())
