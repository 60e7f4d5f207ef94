"""Who sends, and what each sender has of what there is for all."""

from __future__ import annotations

from starlette.websockets import WebSocket

from services.api import rates


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


def address_of(line: WebSocket) -> str:
    """Return who is at the other end, by the rule that counts requests."""
    return rates.address_of(line.scope).hex()
