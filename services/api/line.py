"""The way to one server of the store: so many questions at once, and each is answered in time or fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import redis.asyncio as redis
from hiredis import pack_command
from redis.asyncio.client import PubSub
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as SlowError

from events.log.errors import StoreAwayError
from services.ending import end

CONNECTIONS: Final = 32
"""Questions that one process asks a server at once; others wait for their turn, however many come."""

PAUSES_S: Final = (0.02, 0.05, 0.1)
"""Pauses before a question is asked again whose connection broke."""

PROBE_S: Final = 0.25
"""Pause before a server that was silent is asked again whether it is there."""

PASSING: Final = (RedisError, OSError, StoreAwayError)
"""How it shows that a server, or a node of a cluster, does not answer."""

Command = Sequence[str | bytes | int]


class Line:
    """
    The way to one server.

    Commands are packed and sent here, since a pipeline of redis-py takes several times as long for each.

    A question waits for its turn, for a connection and for its answer ``within_s`` seconds in all; that is the only
    clock, and its client has none of its own. A server that lets a question run out of time and says nothing else
    meanwhile is silent: questions fail at once until it answers a PING, so that nobody waits for it in turn.

    Args:
        place: ``host`` and ``port`` in place of those of the URL.
    """

    def __init__(self, url: str, *, within_s: float, **place: str | int) -> None:
        self._pool = redis.ConnectionPool.from_url(
            url,
            protocol=2,
            socket_timeout=None,
            socket_connect_timeout=within_s,  # a connection that is closed waits for it as well
            retry=Retry(NoBackoff(), 0),
        )
        self._pool.connection_kwargs.update(place)
        self._within_s = within_s
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._heard_at = float("-inf")
        self._probing: asyncio.Task[None] | None = None
        self._is_closed = False
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def host(self) -> str:
        """Return the server's name, as it was given."""
        return str(self._pool.connection_kwargs.get("host", ""))

    @property
    def is_silent(self) -> bool:
        """Whether it answers nothing."""
        return self._probing is not None

    def listener(self) -> PubSub:
        """Return a subscriber to what is pushed."""
        return PubSub(self._pool)

    async def ask(self, commands: Sequence[Command], *, until: float | None = None) -> list[Any]:
        """
        Return the answers of commands sent in one round trip, the server's complaints among them.

        ``TimeoutError`` or redis-py's ``ConnectionError`` when there are none: what was sent may have happened.
        ``until`` is a time by the loop's clock that comes earlier than its own.
        """
        if self._is_closed:  # who asks now would open a connection that nobody gives back
            raise BrokenError("the line is closed")
        if self._probing is not None:
            raise TimeoutError("the store is silent")
        began = asyncio.get_running_loop().time()
        own = began + self._within_s
        self._under_way += 1
        self._idle.clear()
        try:
            async with asyncio.timeout_at(own if until is None else min(own, until)), self._turns:
                found = await self._round_trips(commands)
        except (TimeoutError, SlowError) as fault:
            if self._heard_at < began:
                self._probe()
            raise TimeoutError("the store did not answer in time") from fault
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()
        return found

    async def close(self) -> None:
        """
        Give the connections back, once what is under way has ended: it would only open them again. Nobody asks it more.

        That takes a deadline at most, and the connections to a silent server another one.
        """
        self._is_closed = True
        if self._probing is not None:
            await end([self._probing])
        with suppress(TimeoutError):
            async with asyncio.timeout(self._within_s):
                await self._idle.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._within_s):
                await self._pool.aclose()

    async def _round_trips(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers, over a fresh connection where one broke: what is sent twice does nothing twice."""
        for pause_s in PAUSES_S:
            with suppress(BrokenError):
                return await self._round_trip(commands)
            await asyncio.sleep(pause_s)
        return await self._round_trip(commands)

    async def _round_trip(self, commands: Sequence[Command]) -> list[Any]:
        packed = b"".join(map(_packed, commands))
        try:
            connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
            try:
                await connection.send_packed_command(packed)
                found = [await _answer(connection) for _ in commands]
            finally:
                await self._pool.release(connection)
        except RuntimeError as fault:  # uvloop's way to say that a connection is closed
            raise BrokenError(str(fault)) from fault
        self._heard_at = asyncio.get_running_loop().time()
        return found

    def _probe(self) -> None:
        if self._probing is None and not self._is_closed:
            self._probing = asyncio.create_task(self._until_it_speaks())
            self._probing.add_done_callback(self._spoke)

    async def _until_it_speaks(self) -> None:
        """Return when the server answers, or is found to be gone: then each question finds that out by itself."""
        while True:
            try:
                async with asyncio.timeout(self._within_s):
                    await self._round_trip([("PING",)])
            except (TimeoutError, SlowError):
                await asyncio.sleep(PROBE_S)
            except (RedisError, OSError):
                return
            else:
                return

    def _spoke(self, probing: asyncio.Task[None]) -> None:
        self._probing = None
        if not probing.cancelled():
            probing.exception()


def _packed(command: Command) -> bytes:
    words: tuple[Any, ...] = tuple(command)
    packed: bytes = pack_command(words)
    return packed


async def _answer(connection: AbstractConnection) -> Any:  # noqa: ANN401  what the command gives
    """Return the answer that comes next; a connection on which none comes is closed by the client itself."""
    try:
        return await connection.read_response()
    except ResponseError as complaint:
        return complaint
