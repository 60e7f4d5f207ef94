"""Finds tables with bot seats through the lobby, and plays all of them as any client would."""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import suppress
from http import HTTPStatus
from random import Random
from typing import Final

import structlog

from events.process import tell
from services.bots.corner import Corner
from services.client import AsyncClient, ProblemError, TableRow
from services.client.problems import UNREACHABLE
from services.ending import end

LOOK_S: Final = 1.0
"""How often the lobby is looked at; a running table is followed without looking."""

AGAIN_S: Final = 60.0
"""How often it is logged that the lobby is still away."""

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
        self._corners: dict[Corner, asyncio.Task[None]] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Play until told to stop; ``ProblemError`` when the key no longer holds."""
        is_new, away = True, _Away()
        try:
            while not stop.is_set():
                try:
                    await self.look()
                    away.is_over()
                except ProblemError as problem:
                    if problem.status == HTTPStatus.UNAUTHORIZED:
                        raise
                    if is_new:
                        tell(_waits(self._lobby.url, problem))
                    away.note(problem.code)
                is_new = False
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await stop.wait()
        finally:
            await end(self._corners.values())

    async def look(self) -> None:
        """Sit down at every running table that has bot seats and is not played yet."""
        self._tidy()
        async for row in self._lobby.tables(status="running"):
            if row.bots and not any(row.table in corner.tables for corner in self._corners):
                corner = await self._corner_for(row)
                corner.sit_down(row.table, row.bots, Random(self._random.random()))  # noqa: S311  no secret

    async def _corner_for(self, row: TableRow) -> Corner:
        """Return a corner with room for a table's bots, a new one if need be."""
        for corner in self._corners:
            if corner.room >= len(row.bots):
                return corner
        newest = next(reversed(self._corners), None)
        if newest is None or newest.tables:
            newest = Corner(self._tables, delay_s=self._delay_s)
            self._corners[newest] = asyncio.create_task(newest.run())
        try:
            async with asyncio.timeout(LOOK_S):
                await newest.welcomed()
        except TimeoutError:
            raise ProblemError(UNREACHABLE) from None
        return newest

    def _tidy(self) -> None:
        """Let go of corners that have ended; their tables are found again."""
        for corner, playing in list(self._corners.items()):
            if playing.done():
                del self._corners[corner]
                if not playing.cancelled() and (fault := playing.exception()) is not None:
                    log.error("bots_were_cut_off", exc_info=fault)


class _Away:
    """Logs that the lobby is away: at once, when it is for another reason, and rarely while it stays so."""

    def __init__(self) -> None:
        self._code = ""
        self._again = 0.0

    def note(self, code: str) -> None:
        """Take note that it was away."""
        now = time.monotonic()
        if code != self._code or now >= self._again:
            log.warning("lobby_was_away", code=code)
            self._code, self._again = code, now + AGAIN_S

    def is_over(self) -> None:
        """Take note that it is there."""
        if self._code:
            log.info("lobby_is_back")
        self._code = ""


def _waits(url: str, problem: ProblemError) -> str:
    """Return what is told of a service that bots wait for."""
    if problem.code == UNREACHABLE:
        return f"Waiting for the service at {url}: it does not answer. Start it, or name another with --url."
    return f"Waiting until the service at {url} says something else than {problem.code}."
