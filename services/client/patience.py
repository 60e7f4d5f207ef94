"""How long the client tries, and how long it waits before it tries again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

FIRST_S: Final = 0.5
"""The longest first pause; each further one may be twice as long."""
MOST_S: Final = 5.0


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """
    How patient a client is.

    Args:
        limit_s: seconds after which an operation is tried once more and given up; 0 to try once, ``math.inf`` to try
            for ever.
        clock: seconds that only rise.
        random: of the pauses, so that clients that failed together do not come back together.
    """

    limit_s: float = 30.0
    clock: Callable[[], float] = time.monotonic
    random: Random = msgspec.field(default_factory=Random)

    def begin(self, *, most_s: float = MOST_S) -> Backoff:
        """Return the pauses of one operation that begins now."""
        return Backoff(self, most_s=most_s)


class Backoff:
    """The pauses of one operation: random, and longer each time."""

    def __init__(self, patience: Patience, *, most_s: float) -> None:
        self._patience = patience
        self._most_s = most_s
        self.again()

    def again(self) -> None:
        """Begin anew, since something succeeded."""
        self._until = self._patience.clock() + self._patience.limit_s
        self._longest_s = FIRST_S

    def pause(self, *, at_least_s: float = 0.0) -> float | None:
        """Return how many seconds to wait before the next try, or ``None`` to give up."""
        longest, self._longest_s = self._longest_s, min(2 * self._longest_s, self._most_s)
        pause = max(at_least_s, self._patience.random.uniform(longest / 2, longest))
        return self.short(pause, at_least_s=at_least_s)

    def short(self, pause_s: float, *, at_least_s: float = 0.0) -> float | None:
        """
        Return this pause, or ``None`` when there is no time left for it.

        The last one is cut, so that the last try is when the time is up, unless that would be before ``at_least_s``.
        """
        left = self._until - self._patience.clock()
        if left <= 0 or at_least_s > left:
            return None
        if pause_s < left:
            return pause_s
        self._until = -math.inf  # whoever waits may wake a little early, and would find time for one more
        return left
