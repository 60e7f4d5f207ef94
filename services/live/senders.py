"""What each sender has of what there is for all."""

from __future__ import annotations


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
