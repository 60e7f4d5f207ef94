"""What each sender has of what there is for all, and how often one was wrong of late."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.websockets import WebSocket

from services.api import rates

REMEMBERED: Final = 50_000
"""Addresses that are remembered for their wrong tokens."""


class Held:
    """How many of a kind each sender holds."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def by(self, sender: str) -> int:
        """Return how many a sender holds."""
        return self._held.get(sender, 0)

    def take(self, sender: str) -> None:
        """Note one more."""
        self._held[sender] = self.by(sender) + 1

    def give_back(self, sender: str) -> None:
        """Note one less."""
        self._held[sender] = self.by(sender) - 1
        if self._held[sender] <= 0:
            del self._held[sender]


class Tries:
    """
    Lets each address be wrong so often a second, with a reserve for so many seconds.

    Args:
        rate: how often; 0 for as often as it likes.
        clock: seconds, as the event loop counts them.
    """

    def __init__(self, *, rate: float, reserve_s: float, clock: Callable[[], float]) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._reserve_s = reserve_s
        self._clock = clock
        self._paid_until: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str) -> float:
        """Return in how many seconds an address may try again."""
        return max(0.0, self._paid_until.get(address, 0.0) - self._clock())

    def missed(self, address: str) -> None:
        """Note that an address was wrong."""
        if not self._gap:
            return
        now = self._clock()
        paid = max(self._paid_until.pop(address, 0.0), now - self._reserve_s)
        self._paid_until[address] = paid + self._gap
        while len(self._paid_until) > REMEMBERED:
            self._paid_until.popitem(last=False)


def address_of(line: WebSocket) -> str:
    """Return who is at the other end, by the rule that counts requests."""
    return rates.address_of(line.scope).hex()
