"""Sockets one after another, and what is said on them."""

from __future__ import annotations

import asyncio
import math
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from copy import copy
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from events.messages import Command
from services.client.common import GONE, SOCKET, why_gone
from services.client.given import command_of, id_or_new, text_of, whole_of
from services.client.life import Life, aborter
from services.client.line import Line
from services.client.news import Follow, News, wishes
from services.client.patience import Patience
from services.client.problems import PASSING, PENDING, UNREACHABLE, ProblemError
from services.client.results import Accepted
from services.client.talk import Talk
from services.client.views import Wish

ANSWER_S: Final = 10.0
"""How long an answer is waited for however small patience is: the service answers sooner, if only ``pending``."""


async def one_after_another(
    url: str, line: Line, talk: Callable[[ClientConnection], AsyncGenerator[News, None]], life: Life
) -> AsyncGenerator[News, None]:
    """Give the news of one socket after another, until the line is done; ``talk`` gives those of each."""
    while not line.done:
        code, reason = None, ""
        try:
            async with life.waiting():
                opened = await connect(url, **SOCKET)
            async with life.hold(opened, aborter()) as socket, aclosing(talk(socket)) as told:
                async for news in told:
                    life.require()
                    yield news
        except GONE as fault:
            life.require()
            code, reason = why_gone(fault)
        if not line.done:
            async with life.waiting():
                await asyncio.sleep(line.lost(code, reason))


class Conversation:
    """
    One socket for whoever follows ever other tables and plays at them; when it breaks there is another.

    One task reads ``news``, for as long as others follow and send.

    Args:
        welcomed: set once the service said what the socket may do.
    """

    def __init__(self, url: str, *, token: str, patience: Patience, life: Life) -> None:
        self._url = url
        self._token = token
        self._patience = patience
        self._life = life
        self._talk = Talk(token=token, patience=patience)
        self._unsaid = asyncio.Event()
        self._answers: dict[str, set[asyncio.Future[Accepted]]] = {}
        self._over: ProblemError | None = None
        self._reading: object = None
        self._hears = False
        self.welcomed = asyncio.Event()

    @property
    def room(self) -> int:
        """Return how many follows more there may be; 0 before the welcome."""
        return self._talk.room

    async def news(self) -> AsyncGenerator[News, None]:
        """
        Give what happens at the tables that are followed; ``ProblemError`` when there is no use to go on.

        Who begins to read takes over from who does not listen any more; beside one who does it is a ``RuntimeError``.
        """
        if self._hears:
            raise RuntimeError("another task reads the news of this conversation")
        reading = self._reading = object()
        self._hears, self._over = True, None
        why = ProblemError(UNREACHABLE)
        try:
            async with aclosing(one_after_another(self._url, self._talk, self._session, self._life)) as stream:
                async for news in stream:
                    self._hears = False
                    yield news
                    if self._reading is not reading:
                        return
                    self._hears = True
        except ProblemError as problem:
            why = problem
            raise
        finally:
            if self._reading is reading:
                self._hears, self._over = False, why
                for each in set().union(*self._answers.values()):
                    if not each.done():
                        each.set_exception(copy(why))

    def follow(self, *follows: str | Follow) -> None:
        """Follow tables, too; each follow that fails is told as ``Unfollowed``, however it failed."""
        for each in wishes(follows, token=self._token):
            self._talk.follow(each)
        self._unsaid.set()

    def unfollow(self, table: str) -> None:
        """Follow a table no more; nothing more is told of it."""
        self._talk.unfollow(text_of(table, called="a table's name"))
        self._unsaid.set()

    async def send(
        self,
        table: str,
        command: Command | Wish,
        *,
        version: int | None = None,
        command_id: uuid.UUID | str | None = None,
    ) -> Accepted:
        """
        Send a seat's command and return once it happened, which its views may show a little later.

        It is sent again with its id, on another socket when this one breaks, until there is an answer or patience is
        at an end: ``pending`` or ``unreachable``, also when nobody reads the news.
        """
        name = str(id_or_new(command_id))
        message: dict[str, Any] = {
            "send": command_of(command),
            "table": text_of(table, called="a table's name"),
            "id": name,
        }
        if version is not None:
            message["expected_version"] = whole_of(version, called="version")
        pauses, limit_s = self._patience.begin(), max(ANSWER_S, self._patience.limit_s)
        why: ProblemError | None = None
        try:
            async with self._life.waiting(), asyncio.timeout(None if math.isinf(limit_s) else limit_s):
                while True:
                    try:
                        return await self._answer(name, message)
                    except ProblemError as problem:
                        why = problem
                        pause = (
                            pauses.pause(at_least_s=problem.wait_s) if problem.refused in (PENDING, *PASSING) else None
                        )
                        if pause is None:
                            raise
                    await asyncio.sleep(pause)
        except TimeoutError:
            reason = "no_answer" if self._hears else "news_unread"
            details = {"table": table, "command_id": name, "reason": reason}
            raise why or ProblemError(UNREACHABLE, details=details) from None

    async def _answer(self, command_id: str, message: dict[str, Any]) -> Accepted:
        if self._over is not None:
            raise copy(self._over)
        answer: asyncio.Future[Accepted] = asyncio.get_running_loop().create_future()
        self._talk.send(command_id, message)
        self._unsaid.set()
        waiting = self._answers.setdefault(command_id, set())
        waiting.add(answer)
        try:
            return await answer
        finally:
            waiting.discard(answer)
            if not waiting and self._answers.get(command_id) is waiting:
                del self._answers[command_id]
                self._talk.drop(command_id)

    async def _session(self, socket: ClientConnection) -> AsyncGenerator[News, None]:
        speaking = asyncio.create_task(self._speak(socket, self._talk.greet()))
        try:
            async for heard in socket:
                told = self._talk.hear(heard)
                self._unsaid.set()
                self._settle()
                if self._talk.most:
                    self.welcomed.set()
                for news in told:
                    yield news
        finally:
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    async def _speak(self, socket: ClientConnection, texts: list[str]) -> None:
        """Say what is to be said, in order, while another task hears: who only spoke would never be heard out."""
        while True:
            for text in texts:
                try:
                    await socket.send(text)
                except ConnectionClosed:
                    return  # whoever hears it finds out, too
            with suppress(TimeoutError):
                async with asyncio.timeout(self._talk.wait_s):
                    await self._unsaid.wait()
            self._unsaid.clear()
            texts = self._talk.replies()
            self._settle()

    def _settle(self) -> None:
        answers, self._talk.answers = self._talk.answers, []
        for each in answers:
            for waiting in self._answers.pop(each.id, ()):
                if waiting.done():
                    continue
                if isinstance(each.result, Accepted):
                    waiting.set_result(each.result)
                else:
                    waiting.set_exception(copy(each.result))
