"""Finds tables with bot seats through the lobby, and plays all of them as any client would."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from random import Random
from typing import Final

import structlog

from services.bots.table import TablePlayer
from services.client import AsyncClient, ProblemError, TableRow
from services.ending import end

LOOK_S: Final = 1.0
"""How often the lobby is looked at; a running table is followed without looking."""

log = structlog.get_logger()


class BotService:
    """
    Plays every bot seat of every running table.

    Args:
        client: with the bot service's own key.
        delay_s: how long a bot takes for each answer, always the same, so that it tells nothing.
    """

    def __init__(self, client: AsyncClient, *, delay_s: float, random: Random) -> None:
        self._lobby = client.patient_for(0)
        self._tables = client.patient_for(math.inf)
        self._delay_s = delay_s
        self._random = random
        self._players: dict[str, asyncio.Task[None]] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Play until told to stop."""
        try:
            while not stop.is_set():
                try:
                    await self.look()
                except ProblemError as problem:
                    log.warning("lobby_was_away", code=problem.code)
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await stop.wait()
        finally:
            await end(self._players.values())

    async def look(self) -> None:
        """Sit down at every running table that has bot seats and is not followed yet."""
        for table, player in list(self._players.items()):
            if player.done():
                del self._players[table]
                if not player.cancelled() and (fault := player.exception()) is not None:
                    log.error("bot_failed", table=table, exc_info=fault)
        async for row in self._lobby.tables(status="running"):
            if row.bots and row.table not in self._players:
                self._sit_down(row)

    def _sit_down(self, row: TableRow) -> None:
        random = Random(self._random.random())  # noqa: S311  no secret
        player = TablePlayer(self._tables, row.table, delay_s=self._delay_s, random=random)
        self._players[row.table] = asyncio.create_task(player.play())
        log.info("bots_sat_down", table=row.table, seats=list(row.bots))
