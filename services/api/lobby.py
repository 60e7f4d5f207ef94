"""Pages of the lobby: the lists that may hold what is wished for, merged by when tables were opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from projections.lobby.lobby import STATUSES, left, listed, own
from services.api import late
from services.api.credentials import Caller
from services.api.cursors import Place
from services.api.doors import Doors
from services.api.openings import secret_until
from services.api.sending import now_ms

MOST: Final = 200
"""Rows of one page, and those that are looked at together."""

SCANNED: Final = 2_000
"""Rows looked through for one page, however few of them the caller may know of."""


class Wish(NamedTuple):
    """
    Which tables somebody wants to see.

    Args:
        games: of which games.
        status: of which status alone, as the caller is shown it; ``None`` of any.
        platform: of which platform alone; ``None`` of any.
    """

    games: Sequence[str]
    status: str | None
    platform: str | None = None

    @property
    def lists(self) -> Sequence[str]:
        """The lists of such tables, in the order in which a table goes through them."""
        name = listed if self.platform is None else own
        return [name(game, each) for each in STATUSES if self.status in (None, each) for game in self.games]

    @property
    def left(self) -> Sequence[str]:
        """The lists of tables that may be shown in the status although they are in it no longer."""
        return [left(game, each) for each in STATUSES[:-1] if self.status == each for game in self.games]

    def holds(self, row: late.Row) -> bool:
        """Whether it is for a row, as the caller is shown it."""
        return (
            row["game"] in self.games
            and self.status in (None, row["status"])
            and self.platform in (None, row["platform"])
        )


async def page(
    doors: Doors, caller: Caller, wish: Wish, *, limit: int, after: Place | None
) -> tuple[list[late.Row], Place | None]:
    """
    Return rows behind a place, and the place behind which the next page begins, if there is one.

    A table's place never changes, so whatever comes, goes or moves to another list meanwhile moves no other.
    """
    found: list[late.Row] = []
    place, scanned, count = after, 0, limit
    while scanned < SCANNED:
        places, is_last = await _look(doors, wish, place, count)
        rows = await doors.store.rows([each.table for each in places])
        opened = {each.table: each for each in places}
        known = [row for row in rows if _may_know(caller, row, opened[row["table"]].at)]
        for row in filter(wish.holds, await late.rows(doors, caller, known)):
            found.append(row)
            if len(found) == limit:
                return found, opened[row["table"]]
        if is_last:
            return found, None
        place = places[-1]
        scanned += len(places)
        count = min(2 * count, MOST)  # who may know of few looks further at once
    return found, place


async def _look(doors: Doors, wish: Wish, after: Place | None, count: int) -> tuple[list[Place], bool]:
    """
    Return the next places behind one, newest first, so many at most, and whether these are the last.

    Of a list that was not read to its end nothing is known beyond the last place read of it, so there the look ends.
    """
    until = None if after is None else after.at
    lists, gone = await doors.store.listed(
        wish.lists, wish.left, of=wish.platform, until=until, count=count, now=now_ms()
    )
    behind = [[each for each in places if after is None or each < after] for places in lists]
    cut = [mine for places, mine in zip(lists, behind, strict=True) if len(places) == count]
    if not all(cut):  # more tables than are looked at together were opened in the very millisecond of the place
        return await _look(doors, wish, after, 2 * count)
    end = max(map(min, cut), default=None)
    places = {each for each in (*gone, *(each for mine in behind for each in mine)) if after is None or each < after}
    merged = sorted((each for each in places if end is None or each >= end), reverse=True)
    return merged[:count], end is None and len(merged) <= count


def _may_know(caller: Caller, row: late.Row, opened_at: int) -> bool:
    """Whether a row may be listed; a rematch whose players are watched late tells that they have ended."""
    secret = "parent" in row and now_ms() < secret_until(opened_at, row.get("spectator_delay", 0))
    return caller.may_know(row["platform"]) or not (row.get("private") or secret)
