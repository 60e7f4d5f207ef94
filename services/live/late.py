"""A table as those share it in this process who see it late: woken by time, and told nothing that is too young."""

from __future__ import annotations

import sys

from events.messages import SPECTATOR
from services.live.feed import Feed
from services.live.reading import Look, Sight


class LateFeed(Feed):
    """
    What is known of a table as it was a while ago; all who see it late see the same.

    ``version`` is that of the newest steps that are old enough, or came before play. Views come in slices of time
    (docs/decisions/0012-spectators-behind.md), so they may be older than the steps.

    Args:
        behind_ms: how old everything has to be, in milliseconds.
    """

    def __init__(self, table: str, behind_ms: int) -> None:
        super().__init__(table)
        self.behind_ms = behind_ms
        self._shown = 0
        self._reached = 0

    @property
    def look(self) -> Look:
        return Look(self.table, self.version, (SPECTATOR,), behind_ms=self.behind_ms)

    @property
    def reached(self) -> int:
        return self._reached

    @property
    def shown(self) -> int:
        return self._shown

    @property
    def start(self) -> int:
        return min(self._shown, self.version)

    def shows_after(self, last: int) -> bool:
        return self._shown <= last

    def take(self, sight: Sight, *, at: float) -> bool:
        self.looked = at
        if self._is_apart(sight):
            return True
        if sight.chapters:
            self._advance(sight.chapters)
        self.due, self._shown = sight.due, sight.shown
        self._reached = sys.maxsize if sight.young else sight.newest  # what is younger still is found when that is due
        self._show(sight)
        more = not sight.young and self.version < sight.newest
        if not (more and sight.chapters):
            self.known.set()
        return more

    def forget(self) -> None:
        super().forget()
        self.due, self._shown, self._reached = None, 0, 0
