"""One socket: what its client says is read in order, what it is told is sent as fast as it reads."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final

import structlog

from events.messages import Viewpoint
from services.api.problems import Problem
from services.ending import end
from services.live.access import BAD_TOKEN
from services.live.closing import Closed, Closing
from services.live.follow import Follow
from services.live.line import Gone, Line
from services.live.news import Failed, News, Unfollowed, now_ms, written
from services.live.turns import Turn

if TYPE_CHECKING:
    from services.live.live import Live

WRONG_TOKENS: Final = 5
"""How many wrong tokens a socket may show."""

AT_ONCE: Final = 64
"""Follows, and ends of follows, that may have begun before the client's next message is read."""

ANSWERS: Final = 64
"""Answers that may wait to be sent before the client's next message is read."""

log = structlog.get_logger()


class Socket:
    """
    A client's line, and what it follows.

    Args:
        token: who speaks, where nothing else is said.
        address: from where.
        sender: whose messages are counted with those of this socket; nobody's where they are the service's own bots'.
        follows: each by its table and viewpoint; ``beginning`` how many more there may soon be.
        turns: the newest turn of each table that something is wished for now.
        begun: what was begun, and ends with the socket; ``room`` for more of it.
    """

    def __init__(self, live: Live, line: Line) -> None:
        self.live = live
        self.token = ""
        self.address = line.address
        self.sender: bytes | None = None
        self.follows: dict[tuple[str, Viewpoint], Follow] = {}
        self.beginning = 0
        self.turns: dict[str, Turn] = {}
        self.begun: set[asyncio.Task[None]] = set()
        self.room = asyncio.Semaphore(AT_ONCE)
        self.commands = asyncio.Semaphore(live.settings.commands_at_once)
        self.sending_since: float | None = None
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._answers: deque[News] = deque()
        self._due: dict[Follow, None] = {}
        self._work: asyncio.Future[None] = self._loop.create_future()
        self._room = asyncio.Event()
        self._main: asyncio.Task[None] | None = None
        self._why: Closing | None = None
        self._wrong = 0

    # what happens to it

    async def run(self) -> None:
        """Serve the client until one of both goes."""
        self._main = asyncio.current_task()
        sender: asyncio.Task[None] | None = None
        try:
            await self._line.accept()
            await self._first()
            sender = asyncio.create_task(self._send_for_ever())
            await self._receive_for_ever()
        except Closed as fault:
            self._why = fault.why
        except Gone:
            pass
        except asyncio.CancelledError:
            if self._why is None or self._main is None:
                raise
            self._main.uncancel()
        except Exception:
            log.exception("socket_failed")
            self._why = Closing.INTERNAL_ERROR
        finally:
            await end(self.begun)
            follows = len(self.follows)
            for follow in list(self.follows.values()):
                self.forget(follow)  # none may hold this, or both would stay until somebody looks for such circles
            if sender is not None:
                await end([sender])
        if self._why is not None:
            log.info("socket_closed", code=self._why.value, reason=self._why.reason, follows=follows)
            await self._close(self._why)

    def drop(self, why: Closing) -> None:
        """Close it, whatever is under way."""
        if self._why is None and self._main is not None:
            self._why = why
            self._main.cancel()

    def missed(self) -> None:
        """Note that it showed a wrong token; it may not go on with that for long."""
        self._wrong += 1
        if self._wrong >= WRONG_TOKENS:
            self.drop(Closing.BAD_TOKEN)

    async def _close(self, why: Closing) -> None:
        try:
            await self._line.close(why)
        except (RuntimeError, Gone):  # it was closed meanwhile, or has gone
            log.debug("socket_was_gone", code=why.value)

    # what it is told

    def tell(self, news: News) -> None:
        """Have an answer sent."""
        self._answers.append(news)
        self._wake()

    def fail(self, problem: Problem, *, re: int) -> None:
        """Have it told that a message did nothing."""
        self.tell(_failed(problem, re=re))

    def look_at(self, follow: Follow) -> None:
        """Have what is new of a follow sent."""
        self._due[follow] = None
        self._wake()

    def unfollow(self, follow: Follow, *, problem: Problem | None = None, re: int | None = None) -> None:
        """End a follow and say so, unless it has ended; another may have taken its place."""
        if self.follows.get((follow.table, follow.viewpoint)) is not follow:
            return
        self.forget(follow)
        code, details = (problem.code, problem.details) if problem is not None else (None, {})
        self.tell(
            Unfollowed(table=follow.table, seat=follow.viewpoint, re=re, code=code, details=details, now=now_ms())
        )

    def forget(self, follow: Follow) -> None:
        """End a follow without a word."""
        self.live.feeds.leave(follow)
        self._due.pop(follow, None)
        key = follow.table, follow.viewpoint
        if self.follows.get(key) is follow:
            del self.follows[key]

    def _wake(self) -> None:
        if not self._work.done():
            self._work.set_result(None)

    async def _send_for_ever(self) -> None:
        try:
            while True:
                while self._answers:
                    await self._put(written(self._answers.popleft()))
                    self._room.set()
                if not self._due:
                    self._work = self._loop.create_future()  # an event costs three times as much
                    await self._work
                    continue
                follow = next(iter(self._due))
                del self._due[follow]
                text = await self.live.next_of(follow)
                if text is not None and follow.alive:
                    await self._put(text)
        except Gone:
            return  # the reader hears of it, too
        except Exception:
            log.exception("socket_failed")
            self.drop(Closing.INTERNAL_ERROR)

    async def _put(self, text: str) -> None:
        self.sending_since = self._loop.time()
        await self._line.say(text)
        self.sending_since = None

    # what its client says

    async def _first(self) -> None:
        """Find out who speaks."""
        try:
            async with asyncio.timeout(self.live.settings.first_s):
                text = await self._line.hear()
        except TimeoutError:
            raise Closed(Closing.NO_FIRST_MESSAGE) from None
        try:
            await self.live.desk.welcome(self, text)
        except Problem as problem:
            await self._put(written(_failed(problem, re=1)))
            raise Closed(_closing_of(problem)) from None
        await self._put(written(self._answers.popleft()))

    async def _receive_for_ever(self) -> None:
        number = 1
        while True:
            text = await self._line.hear()
            number += 1
            try:
                if self.sender is not None:
                    await self.live.pace.turn(self.sender, len(text))
                await self.live.desk.take(self, text, re=number)
            except Problem as problem:
                self.fail(problem, re=number)
            while len(self._answers) > ANSWERS:
                self._room.clear()
                await self._room.wait()


def _failed(problem: Problem, *, re: int) -> Failed:
    return Failed(re=re, code=problem.code, details=problem.details, path=problem.path, now=now_ms())


def _closing_of(problem: Problem) -> Closing:
    """Return with what a socket is closed whose first message came to this."""
    if problem.code in BAD_TOKEN:
        return Closing.BAD_TOKEN
    if problem.code in {"rate_limited", "too_many_sockets"}:
        return Closing[problem.code.upper()]
    return Closing.STORE_AWAY if problem.status >= 500 else Closing.BAD_FIRST_MESSAGE  # noqa: PLR2004  a status
