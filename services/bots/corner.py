"""Tables that are played over one socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Final

import structlog

from services.bots.table import TablePlayer
from services.client import AsyncClient, News, Rewound, Seen, Told, Unfollowed
from services.ending import end

AFTER_TROUBLE_S: Final = 5.0
"""How long a table is left alone that cannot be looked at."""

log = structlog.get_logger()


class Corner:
    """
    Plays at tables until there is no use in it, and leaves each when it is over.

    Args:
        delay_s: how long a bot takes for each answer, always the same, so that it tells nothing.
        tables: where it plays, or would not play for a while.
    """

    def __init__(self, client: AsyncClient, *, delay_s: float) -> None:
        self._conversation = client.converse()
        self._delay_s = delay_s
        self.tables: dict[str, TablePlayer] = {}

    @property
    def room(self) -> int:
        """Return how many seats more can be played."""
        return self._conversation.room

    async def welcomed(self) -> None:
        """Return once it is known how many there can be."""
        await self._conversation.welcomed.wait()

    async def run(self) -> None:
        """Play; ``ProblemError`` when the service will not hear of it any more."""
        try:
            async for news in self._conversation.news():
                self._take(news)
        finally:
            left = [task for each in self.tables.values() for task in each.stand_up()]
            self.tables.clear()
            await end(left)

    def sit_down(self, table: str, seats: Iterable[int], random: Random) -> None:
        """Play bot seats of a table."""
        player = TablePlayer(
            self._conversation, table, delay_s=self._delay_s, random=random, failed=self._leave_for_a_while
        )
        self.tables[table] = player
        player.sit_down(seats)

    def _take(self, news: News) -> None:
        player, seat = self.tables.get(news.table), news.seat
        if player is None or seat is None:
            return
        match news:
            case Seen(table=table, view=view) if view.status == "over":
                player.stand_up()
                del self.tables[table]
            case Seen(view=view):
                player.see(seat, view)
            case Rewound():
                player.begin_again(seat)
            case Unfollowed(table=table, code=code):
                log.warning("bot_could_not_look", table=table, code=code)
                self._leave_for_a_while(table)
            case Told():
                pass

    def _leave_for_a_while(self, table: str) -> None:
        player = self.tables.get(table)
        if player is not None:
            player.stand_up()
            asyncio.get_running_loop().call_later(AFTER_TROUBLE_S, self.tables.pop, table, None)
