"""All bot seats of one table: each plays by itself; whoever gives up has one that plays on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from random import Random

import structlog

from services.bots.seat import SeatPlayer
from services.client import Conversation, Follow, TableView

log = structlog.get_logger()


class TablePlayer:
    """
    Plays the bot seats of a table over a conversation that others share.

    Args:
        failed: called when a seat of it can play no more.
    """

    def __init__(
        self, conversation: Conversation, table: str, *, delay_s: float, random: Random, failed: Callable[[str], None]
    ) -> None:
        self._conversation = conversation
        self._table = table
        self._delay_s = delay_s
        self._seed = random.random()
        self._failed = failed
        self._seats: dict[int, SeatPlayer] = {}
        self._playing: dict[int, asyncio.Task[None]] = {}

    def sit_down(self, seats: Iterable[int]) -> None:
        """Play these seats, too."""
        new = [seat for seat in seats if seat not in self._seats]
        for seat in new:
            self._begin(seat)
        self._conversation.follow(*(Follow(table=self._table, seat=seat) for seat in new))
        if new:
            log.info("bots_sat_down", table=self._table, seats=new)

    def see(self, seat: int, view: TableView) -> None:
        """Let a seat look at its newest view, which tells, too, where bots play meanwhile."""
        self.sit_down(each.seat for each in view.seats if each.bot)
        self._seats[seat].see(view)

    def begin_again(self, seat: int) -> None:
        """Forget what a seat saw and said: the store lost it."""
        self._playing[seat].cancel()
        self._begin(seat)

    def stand_up(self) -> list[asyncio.Task[None]]:
        """End and return what is left to end."""
        self._conversation.unfollow(self._table)
        for each in self._playing.values():
            each.cancel()
        return list(self._playing.values())

    def _begin(self, seat: int) -> None:
        random = Random(f"{self._seed} {seat}")  # noqa: S311  no secret
        self._seats[seat] = SeatPlayer(self._conversation, self._table, seat, delay_s=self._delay_s, random=random)
        self._playing[seat] = asyncio.create_task(self._seats[seat].play())
        self._playing[seat].add_done_callback(self._ended)

    def _ended(self, playing: asyncio.Task[None]) -> None:
        if not playing.cancelled() and (fault := playing.exception()) is not None:
            log.error("bot_failed", table=self._table, exc_info=fault)
            self._failed(self._table)
