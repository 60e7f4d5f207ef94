"""Counts by time: what each sender may still do at once, and how that comes back."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import msgspec

BUCKETS: Final = 50_000
"""Senders that are remembered; the one that was longest silent is forgotten first, and then has a full bucket."""


class Bucket(msgspec.Struct):
    """
    What one sender has left.

    Args:
        left: how often at once, at the time ``at`` in seconds.
    """

    left: float
    at: float


class Buckets:
    """
    Fills each bucket by ``rate`` a second up to what comes in ``burst_s`` seconds; with a rate of 0 none is ever empty.

    So nobody does it more often than ``rate * burst_s`` in a moment, and that is at least once.
    """

    def __init__(self, *, rate: float, burst_s: float) -> None:
        self._rate = rate
        self._most = max(1.0, rate * burst_s)
        self._buckets: OrderedDict[bytes, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, sender: bytes, *, now: float) -> float:
        """Return after how many seconds there is one to take; 0 where there is one now."""
        if not self._rate:
            return 0.0
        left = self._filled(sender, now).left
        return 0.0 if left >= 1 else (1 - left) / self._rate

    def take(self, sender: bytes, *, now: float) -> float:
        """Take one, and return 0; or return after how many seconds there will be one."""
        wait = self.wait(sender, now=now)
        if not wait:
            self.pay(sender, now=now)
        return wait

    def pay(self, sender: bytes, *, now: float, times: int = 1) -> None:
        """Take one for what was done already, also where there is none left: then it has to come back, too."""
        if self._rate:
            self._filled(sender, now).left -= times

    def debt(self, sender: bytes, *, now: float) -> float:
        """Return after how many seconds all that was paid for has come back that there was not."""
        return max(0.0, -self._filled(sender, now).left / self._rate) if self._rate else 0.0

    def let_go(self, *, now: float) -> None:
        """Forget who has been silent until their bucket was full: whoever comes again finds a full one anyway."""
        while self._buckets:
            sender, bucket = next(iter(self._buckets.items()))
            if bucket.left + (now - bucket.at) * self._rate < self._most:
                return  # who comes behind was silent for less long
            del self._buckets[sender]

    def _filled(self, sender: bytes, now: float) -> Bucket:
        bucket = self._buckets.get(sender)
        if bucket is None:
            bucket = self._buckets[sender] = Bucket(self._most, now)
            while len(self._buckets) > BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(sender)
        bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._rate)
        bucket.at = now
        return bucket
