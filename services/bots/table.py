"""All bot seats of one table: wait until one is asked, look, choose, answer."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, Final

import structlog

from services.bots.choosing import chooser
from services.bots.doors import BotDoors, Refusal

AFTER_REFUSAL_S: Final = 1.0
"""Pause after a refusal that looking again may not cure."""

log = structlog.get_logger()


class TablePlayer:
    """
    Plays the bot seats of a table until it is over.

    Each seat decides by its own view alone; the spectator's only tells which seats are asked.
    """

    def __init__(self, doors: BotDoors, table: str, *, delay_s: float, random: Random) -> None:
        self._doors = doors
        self._table = table
        self._delay_s = delay_s
        self._random = random

    async def play(self) -> None:
        """Return when the table is over."""
        version = 0
        while True:
            view = await self._doors.view(self._table, seat=None, at_least=version)
            if view["status"] == "over":
                return
            bots = {each["seat"] for each in view["seats"] if each["bot"]}
            asked = [each["seat"] for each in view["asked"] if each["seat"] in bots]
            reached = await asyncio.gather(*(self._answer(seat, view["version"]) for seat in asked))
            version = max((view["version"] + 1, *reached))

    async def _answer(self, seat: int, version: int) -> int:
        """Answer a seat's question and return the version reached; what went stale is looked at again."""
        await asyncio.sleep(self._delay_s)
        view = await self._doors.view(self._table, seat=seat, at_least=version)
        if not view["legal"]:
            return int(view["version"])
        try:
            return await self._doors.send(self._table, self._choice(view), version=view["version"])
        except Refusal as refused:
            log.info("bot_was_refused", table=self._table, seat=seat, code=refused.code, version=view["version"])
            if refused.code != "stale_version":
                await asyncio.sleep(AFTER_REFUSAL_S)
            return int(view["version"])

    def _choice(self, view: dict[str, Any]) -> dict[str, Any]:
        seat = next(each for each in view["seats"] if each["seat"] == view["viewpoint"])
        choose = chooser(view["game"], seat["player"])
        return dict(view["legal"][choose(view, view["legal"], self._random)])
