"""All bot seats of one table: wait until one is asked, look, choose, answer."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

import structlog

from services.bots.choosing import chooser
from services.client import AsyncClient, ProblemError, TableView
from services.client.results import Wish

AFTER_REFUSAL_S: Final = 1.0
"""Pause after a refusal that looking again may not cure."""
AFTER_TROUBLE_S: Final = 5.0
"""Pause before whoever wants to may sit down again at a table that cannot be looked at."""

log = structlog.get_logger()


class TablePlayer:
    """
    Plays the bot seats of a table until it is over.

    Each seat decides by its own view alone; the spectator's only tells which seats are asked.
    """

    def __init__(self, client: AsyncClient, table: str, *, delay_s: float, random: Random) -> None:
        self._client = client
        self._table = table
        self._delay_s = delay_s
        self._random = random

    async def play(self) -> None:
        """Return when the table is over, or after a while when the service says that it cannot be played."""
        try:
            await self._play()
        except ProblemError as problem:
            log.warning("bot_could_not_look", table=self._table, code=problem.code)
            await asyncio.sleep(AFTER_TROUBLE_S)

    async def _play(self) -> None:
        version = 0
        while True:
            view = await self._client.view(self._table, at_least=version)
            if view.status == "over":
                return
            bots = {each.seat for each in view.seats if each.bot}
            asked = [each.seat for each in view.asked if each.seat in bots]
            reached = await asyncio.gather(*(self._answer(seat, view.version) for seat in asked))
            version = max((view.version + 1, *reached))

    async def _answer(self, seat: int, version: int) -> int:
        """Answer a seat's question and return the version reached; what went stale is looked at again."""
        await asyncio.sleep(self._delay_s)
        view = await self._client.view(self._table, seat=seat, at_least=version)
        if not view.legal:
            return view.version
        try:
            sent = await self._client.send(self._table, self._choice(view, seat), version=view.version)
        except ProblemError as refused:
            log.info("bot_was_refused", table=self._table, seat=seat, code=refused.code, version=view.version)
            if refused.code != "stale_version":
                await asyncio.sleep(AFTER_REFUSAL_S)
            return view.version
        return sent.last

    def _choice(self, view: TableView, seat: int) -> Wish:
        choose = chooser(view.game, view.seats[seat].player)
        return view.legal[choose(view.document, view.legal, self._random)]
