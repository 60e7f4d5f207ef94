"""All sockets of a process, and who looks after them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from services.api.damage import StoreDamagedError
from services.api.doors import Doors
from services.api.problems import CODES, Problem
from services.ending import end
from services.live.access import FRESH_S, Access
from services.live.asyncapi import PATH
from services.live.closing import Closing
from services.live.desk import Desk
from services.live.ebb import Ebb
from services.live.feed import Piece
from services.live.feeds import AWAY, Feeds
from services.live.follow import Follow
from services.live.line import Gone, Line
from services.live.pace import PAGE, Pace
from services.live.reading import Reader
from services.live.senders import Held
from services.live.settings import LiveSettings
from services.live.socket import Socket

LOOK_S: Final = 1.0
"""How often somebody looks after the sockets, and how soon what failed is tried again."""

LASTING: Final = frozenset(("needs_newer_program", "view_broken", "store_damaged", "internal_error"))
"""Faults of the service that a follow does not outlive; others pass."""

log = structlog.get_logger()


class Live:
    """The live door of a process."""

    def __init__(self, doors: Doors, settings: LiveSettings) -> None:
        self.settings = settings
        self.sockets: set[Socket] = set()
        self._held = Held()
        self._ebb = Ebb()
        self._clock = asyncio.get_running_loop().time
        self.pace = Pace(settings.messages_per_s, self._clock)
        self._access = Access(doors.keeper, fresh_s=min(settings.check_s, FRESH_S), clock=self._clock)
        reader = Reader(doors.store)
        self.feeds = Feeds(reader, doors.wakes, lambda follow, why: follow.socket.unfollow(follow, problem=why))
        self.desk = Desk(
            doors, settings=settings, access=self._access, feeds=self.feeds, reader=reader, clock=self._clock
        )

    async def serve(self, line: Line) -> None:
        """Serve a client until one of both goes."""
        address = line.address
        if len(self.sockets) >= self.settings.sockets or self._held.by(address) >= self.settings.sockets_of_address:
            await line.accept()
            await line.close(Closing.TOO_MANY_SOCKETS)
            return
        socket = Socket(self, line)
        self.sockets.add(socket)
        self._ebb.rose(len(self.sockets))
        self._held.take(address)
        try:
            await socket.run()
        finally:
            self.sockets.discard(socket)
            self._held.give_back(address)
            self.desk.gone(socket)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look after sockets and tables while the block is alive."""
        async with self.feeds.running():
            tasks = [asyncio.create_task(each()) for each in (self._look_round_for_ever, self._check_for_ever)]
            try:
                yield
            finally:
                await end([*tasks, *self.desk.sends])

    async def next_of(self, follow: Follow) -> str | None:
        """Return the next message of a follow, or ``None`` when there is nothing to send now."""
        try:
            return await self._next_of(follow)
        except Problem as problem:
            if _lasts(problem):
                follow.socket.unfollow(follow, problem=problem)
                return None
        except StoreDamagedError as fault:
            log.warning("store_damaged", table=follow.table, key=fault.key)
            follow.socket.unfollow(follow, problem=Problem(CODES[type(fault)]))
            return None
        except AWAY as fault:
            log.debug("follow_waits_for_store", table=follow.table, reason=type(fault).__name__)
        self.feeds.read_within(follow.feed, LOOK_S)
        return None

    async def _next_of(self, follow: Follow) -> str | None:
        if not follow.alive:  # its client has not been told yet that it follows, or wants it no more
            return None
        feed = follow.feed
        if follow.players != (players := feed.players):
            await self._check(follow)  # somebody sits there now who may not have before
            follow.players = players
        if not follow.alive:
            return None
        text: str | None = None
        if follow.view_due:
            text = feed.view(follow.viewpoint)
            if text is None:
                self.feeds.read(feed)
                return None
            follow.seen = feed.shown
        elif follow.behind:
            piece = feed.steps(follow.viewpoint, follow.last) or await self._page(follow)
            if piece is None:
                self.feeds.read_within(follow.feed, LOOK_S)
                return None
            follow.last, text = piece.last, piece.text
        if follow.behind or follow.view_due:
            follow.socket.look_at(follow)
        return text

    async def _page(self, follow: Follow) -> Piece | None:
        """Return steps that are no longer kept here; whoever is sent them has a pace for that, too."""
        if follow.socket.sender is not None:
            await self.pace.spend(follow.socket.sender, PAGE)
        return await self.feeds.pages.after(follow)

    async def _check(self, follow: Follow) -> None:
        """Raise a problem when the follow's token no longer lets its holder look from there."""
        follow.checked = self._clock()
        looks = await self._access.look(follow.token, follow.table, follow.asked)
        if looks.viewpoint != follow.viewpoint or looks.behind_ms != follow.feed.behind_ms:
            raise Problem("not_your_seat")

    async def _look_round_for_ever(self) -> None:
        """Drop who is slow, forget who has gone, and give back what a crowd took."""
        while True:
            await asyncio.sleep(LOOK_S)
            self._access.let_go()  # what little stays of each token would keep a page of memory from going back
            self.pace.let_go()
            self._ebb.look(len(self.sockets))
            self._drop_slow()

    def _drop_slow(self) -> None:
        now = self._clock()
        for socket in list(self.sockets):
            since = socket.sending_since
            if since is not None and since + self.settings.slow_s < now:
                socket.drop(Closing.TOO_SLOW)

    async def _check_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self._check_all()

    async def _check_all(self) -> None:
        before = self._clock() - self.settings.check_s
        for socket in list(self.sockets):
            for follow in [each for each in socket.follows.values() if each.checked < before]:
                await self._check_again(follow)

    async def _check_again(self, follow: Follow) -> None:
        try:
            await self._check(follow)
        except Problem as problem:
            if _lasts(problem) and follow.alive:
                follow.socket.unfollow(follow, problem=problem)
        except AWAY as fault:
            log.debug("token_not_looked_at", table=follow.table, reason=type(fault).__name__)
        except Exception:  # one that cannot be looked at must not keep the others from it
            log.exception("token_check_failed", table=follow.table)
            follow.socket.unfollow(follow, problem=Problem("internal_error"))


def _lasts(problem: Problem) -> bool:
    return problem.status in range(400, 500) or problem.code in LASTING


class LiveDoor:
    """Takes the handshakes that are for it before all layers that are there for requests: no message passes those."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        live: Live = scope["app"].state.live
        with suppress(Gone):
            await live.serve(Line(scope, receive, send))
