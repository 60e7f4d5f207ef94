"""One bot: sees what its seat sees, and after a while, always the same, answers what it is asked."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

import structlog

from services.bots.choosing import chooser
from services.client import Conversation, ProblemError, TableView
from services.client.views import Wish

AFTER_REFUSAL_S: Final = 1.0
"""Pause after a refusal that looking again may not cure; each further one in a row is twice as long."""
LONGEST_S: Final = 60.0

log = structlog.get_logger()


class SeatPlayer:
    """
    Decides by the newest view of its seat, and by nothing else.

    Args:
        delay_s: how long each answer takes.
    """

    def __init__(self, conversation: Conversation, table: str, seat: int, *, delay_s: float, random: Random) -> None:
        self._conversation = conversation
        self._table = table
        self._seat = seat
        self._delay_s = delay_s
        self._random = random
        self._view: TableView | None = None
        self._moved = asyncio.Event()
        self._known = 0

    def see(self, view: TableView) -> None:
        """Look at a newer view."""
        self._view = view
        self._moved.set()

    async def play(self) -> None:
        """Answer for ever."""
        pause_s = AFTER_REFUSAL_S
        while True:
            await self._asked()
            await asyncio.sleep(self._delay_s)
            view = await self._asked()
            try:
                self._known = await self._answer(view)
                pause_s = AFTER_REFUSAL_S
            except ProblemError as refused:
                log.info("bot_was_refused", table=self._table, seat=self._seat, code=refused.code, version=view.version)
                if refused.refused == "stale_version":
                    self._known = view.version + 1
                    continue
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_S)

    async def _asked(self) -> TableView:
        """Return the newest view once it asks something, and shows what came of the last answer."""
        while (view := self._view) is None or view.version < self._known or not view.legal:
            self._moved.clear()
            await self._moved.wait()
        return view

    async def _answer(self, view: TableView) -> int:
        """Answer and return the version reached."""
        sent = await self._conversation.send(self._table, self._choice(view), version=view.version)
        return sent.last

    def _choice(self, view: TableView) -> Wish:
        choose = chooser(view.game, view.seats[self._seat].player)
        return view.legal[choose(view.document, view.legal, self._random)]
