"""Finds tables with bot seats through the lobby, and plays all of them as any client would."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Any, Final

import httpx
import msgspec
import structlog

from services.bots.doors import BotDoors
from services.bots.table import TablePlayer
from services.ending import end

LOOK_S: Final = 1.0
"""How often the lobby is looked at; a running table is followed without looking."""

log = structlog.get_logger()


class BotService:
    """
    Plays every bot seat of every running table.

    Args:
        delay_s: how long a bot takes for each answer, always the same, so that it tells nothing.
    """

    def __init__(self, doors: BotDoors, *, delay_s: float, random: Random) -> None:
        self._doors = doors
        self._delay_s = delay_s
        self._random = random
        self._players: dict[str, asyncio.Task[None]] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Play until told to stop."""
        try:
            while not stop.is_set():
                try:
                    await self.look()
                except (httpx.HTTPError, msgspec.DecodeError) as fault:
                    log.warning("lobby_was_away", reason=type(fault).__name__)
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
        for row in await self._doors.running():
            if row["bots"] and row["table"] not in self._players:
                self._sit_down(row)

    def _sit_down(self, row: dict[str, Any]) -> None:
        table = row["table"]
        player = TablePlayer(self._doors, table, delay_s=self._delay_s, random=Random(self._random.random()))  # noqa: S311  no secret
        self._players[table] = asyncio.create_task(player.play())
        log.info("bots_sat_down", table=table, seats=row["bots"])
