"""The doors' way to the store: finds it, checks that it is the one that was opened, and sends single commands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import redis.asyncio as redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as BrokenError

from events.games import GAMES
from events.log.errors import StoreUnusableError
from events.log.redis_log import RedisLog
from events.log.redis_store import LAYOUT, lost, other_layout
from events.log.seeds import living_seed, seeds
from events.process import introduce
from events.streams import META, Partition, partition_of
from services.api.damage import whole
from services.api.problems import Problem
from services.api.together import Together
from services.api.versions import Command, LiveVersions

NOTICED: Final = 0.8
"""Share of the time for an answer after which a connection counts as silent; in the rest its client takes note."""

CONNECTIONS: Final = 32
"""Connections of one process; a request that finds all in use waits for one, however many come at once."""

Client = redis.Redis | redis.RedisCluster


class OpenedStore:
    """
    A store of commands, histories and views, once it was found to be fit.

    Args:
        within_s: seconds within which each question to one server is answered, or fails; in a cluster, the time after
            which a node is silent follows from it, and its client tries others.
    """

    def __init__(self, url: str, *, epoch: str | None = None, within_s: float) -> None:
        self._url = url
        self._epoch = epoch
        self.within_s = within_s
        self.deadline_s: float | None = within_s
        self._node = self._client_of(seeds(url)[0])
        self.client: Client = self._node
        self._together = Together(lambda: self._node, within_s=within_s)
        self._use(self._node)
        self._versions = LiveVersions(lambda: self._fit(self.client), deadline=lambda: self.deadline_s)
        self._partitions: Mapping[str, Sequence[Partition]] = {}
        self._unfit: StoreUnusableError | None = None

    def _use(self, client: Client) -> None:
        self.client = client
        self._execute = Executor(client.execute_command, within_s=self.deadline_s)
        for command in ("XRANGE", "XREVRANGE"):
            client.set_response_callback(command, _as_it_came)

    async def prepare(self) -> None:
        """Check that the store is fit, and learn its partitions; ``StoreUnusableError`` says what to do otherwise."""
        if not self._partitions:
            seed, _ = await asyncio.to_thread(living_seed, self._url)
            try:
                with whole(META):
                    self._epoch, clustered, partitions = await asyncio.to_thread(_opened, seed, self._epoch)
            except StoreUnusableError as fault:
                self._unfit = fault
                raise
            self._unfit = None
            if seed != seeds(self._url)[0]:
                await self._node.aclose()
                self._node = self._client_of(seed)
                self._use(self._node)
            if clustered:  # its client looks for another way by itself, which a deadline would begin anew each time
                self.deadline_s = None
                self._use(redis.RedisCluster.from_url(seed, protocol=2, **self._noticing()))
            self._partitions = partitions

    async def close(self) -> None:
        """Give the connections back, once what is under way has ended: it would only open them again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.within_s):
                await self._execute.idle.wait()
                await self._together.idle.wait()
        for client in {self._node, self.client}:
            await client.aclose()

    async def ping(self) -> None:
        """Return when the store answers and is the one that was opened, laid out as this program knows it."""
        found, layout = await self.read("HMGET", META, "epoch", "layout")
        if self._epoch is not None and found != self._epoch.encode():
            other = found and found.decode(errors="replace")
            raise lost("it is empty" if found is None else f"its epoch is {other}, not {self._epoch}")
        if layout is not None and layout != LAYOUT.encode():
            raise other_layout(layout.decode(errors="replace"))

    def _fit(self, client: Client) -> Client:
        """Return a client of the store, which nobody reads as long as it is known to be unfit."""
        if self._unfit is not None:
            raise self._unfit.with_traceback(None)
        return client

    @property
    def epoch(self) -> str:
        """The epoch of the store that was opened; none before one was."""
        return self._epoch or ""

    @property
    def partitions(self) -> Sequence[Partition]:
        """All partitions of all games; none before the store was prepared."""
        return [each for partitions in self._partitions.values() for each in partitions]

    def partition(self, table: str) -> Partition:
        """Return where a table of a known game lies."""
        game = table.partition("-")[0]
        if game not in self._partitions:
            self._fit(self.client)
            raise Problem("store_away" if game in GAMES else "unknown_table")
        return partition_of(table, len(self._partitions[game]))

    def listener(self) -> PubSub:
        """Return a subscriber to what the partitions push."""
        return self._node.pubsub(ignore_subscribe_messages=True)

    async def read_live(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401
        """Return the answer of a command to the live version of a projection."""
        return await self._versions.read(live, projection, command)

    async def read(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        """Return the answer of a command whose first argument is a key; ``StoreDamagedError`` when that is damaged."""
        self._fit(self.client)
        with whole(str(command[1])):
            return await self._execute(*command)

    def _client_of(self, url: str) -> redis.Redis:
        """Return a client that takes a fresh connection at once for a broken one, and asks no silent one again."""
        pool = redis.BlockingConnectionPool.from_url(
            url,
            protocol=2,
            max_connections=CONNECTIONS,
            timeout=2
            * self.within_s,  # the deadline of the question comes first; a pool that is empty is not asked again
            retry=Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.2), 3, supported_errors=(BrokenError,)),
            **self._noticing(),
        )
        return redis.Redis.from_pool(pool)

    def _noticing(self) -> dict[str, Any]:
        """Return when a connection is silent: soon enough for a cluster's client to look for another node."""
        noticed_s = self.within_s * NOTICED
        return {"socket_timeout": noticed_s, "socket_connect_timeout": noticed_s}


class Executor:
    """
    Sends single commands; ``idle`` is set while none is under way.

    A connection that is found closed is told like one that breaks: uvloop says so in a way of its own.
    What is not answered within ``within_s`` seconds, if any, fails with ``TimeoutError``, however often a client tries.
    """

    def __init__(self, execute: Callable[..., Awaitable[Any]], *, within_s: float | None) -> None:
        self._execute = execute
        self._within_s = within_s
        self._under_way = 0
        self.idle = asyncio.Event()
        self.idle.set()

    async def __call__(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        self._under_way += 1
        self.idle.clear()
        try:
            async with asyncio.timeout(self._within_s):
                return await self._execute(*command)
        except RuntimeError as fault:
            raise BrokenError(str(fault)) from fault
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.idle.set()


def _as_it_came(response: Any, **kwargs: Any) -> Any:  # noqa: ANN401  what the command gives
    return response


def _opened(url: str, epoch: str | None) -> tuple[str, bool, Mapping[str, Sequence[Partition]]]:
    """Return the store's epoch, whether it is a cluster, and its partitions by game."""
    log = RedisLog(url, epoch=epoch)
    introduce(log)
    try:
        return log.epoch, log.is_cluster, {game: log.partitions(game) for game in GAMES}
    finally:
        log.close()
