"""The doors' way to the store: finds it, checks that it is the one that was opened, and asks it questions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any

from redis.asyncio.client import PubSub

from events.games import GAMES
from events.log.cluster_slots import Address
from events.log.errors import StoreUnusableError
from events.log.redis_log import RedisLog
from events.log.redis_store import LAYOUT, lost, other_layout
from events.log.seeds import living_seed, seeds
from events.process import introduce, waits_for
from events.streams import META, Partition, partition_of
from services.api.cluster import Cluster
from services.api.damage import whole
from services.api.line import Command, Line
from services.api.problems import Problem
from services.api.together import Together
from services.api.versions import LiveVersions, Read


class OpenedStore:
    """
    A store of commands, histories and views, once it was found to be fit.

    Args:
        within_s: seconds within which each question is answered, or fails; one that a node of a cluster leaves without
            an answer does so beside the answers of others.
    """

    def __init__(self, url: str, *, epoch: str | None = None, within_s: float) -> None:
        self._url = url
        self._epoch = epoch
        self.within_s = within_s
        self._seed = seeds(url)[0]
        self._line = Line(self._seed, within_s=within_s)
        self._cluster: Cluster | None = None
        self._together = Together(self.ask, within_s=within_s)
        self._versions = LiveVersions(self.ask)
        self._partitions: Mapping[str, Sequence[Partition]] = {}
        self._unfit: StoreUnusableError | None = None

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
            if seed != self._seed:
                await self._line.close()
                self._seed, self._line = seed, Line(seed, within_s=self.within_s)
            if clustered:
                self._cluster = Cluster(seed, self._line, within_s=self.within_s)
            self._partitions = partitions
        if self._cluster is not None and not self._cluster.is_known:
            await self._cluster.learn()

    async def close(self) -> None:
        """Give the connections back, as ``Line.close`` does."""
        await asyncio.gather(*(each.close() for each in (self._cluster, self._line) if each is not None))

    async def ask(self, commands: Sequence[Command], *, at: str | None = None) -> list[Any]:
        """
        Return the answers of commands in one round trip to each node, the store's complaints among them.

        What a node of a cluster leaves without an answer has an error in its place; a single server that answers none
        raises it. Commands go where the slots of their keys lie, or all where that of the key ``at`` does.
        """
        self._require_fit()
        if self._cluster is not None:
            return await self._cluster.ask(commands, at=at)
        return await self._line.ask(commands)

    async def read(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        """Return the answer of a command whose first argument is a key; ``StoreDamagedError`` when that is damaged."""
        with whole(str(command[1])):
            return answer_of(await self.ask([command]))

    async def send(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        """Return the answer of a command whose order among others does not matter: they may go together."""
        if self._cluster is not None:  # of many nodes, none of which waits for another
            return answer_of(await self._cluster.ask([command]))
        return await self._together(*command)

    def node_of(self, table: str) -> Address | None:
        """Return the node of a cluster that holds a table, as far as is known; ``None`` where there is one server."""
        if self._cluster is None:
            return None
        return self._cluster.holder(self.partition(table).cursor)

    async def ping(self) -> None:
        """Return when the store answers and is the one that was opened, laid out as this program knows it."""
        found, layout = await self.read("HMGET", META, "epoch", "layout")
        if self._epoch is not None and found != self._epoch.encode():
            other = found and found.decode(errors="replace")
            raise lost("it is empty" if found is None else f"its epoch is {other}, not {self._epoch}")
        if layout is not None and layout != LAYOUT.encode():
            raise other_layout(layout.decode(errors="replace"))

    def _require_fit(self) -> None:
        """Let nobody ask a store that is known to be unfit."""
        if self._unfit is not None:
            raise self._unfit.with_traceback(None)

    def awaited(self, fault: Exception) -> str:
        """Return what a person is told of the store while it cannot be opened."""
        return waits_for(self._url, fault)

    @property
    def is_cluster(self) -> bool:
        """Whether a part of it may be away by itself."""
        return self._cluster is not None

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
            self._require_fit()
            raise Problem("store_away" if game in GAMES else "unknown_table")
        return partition_of(table, len(self._partitions[game]))

    @asynccontextmanager
    async def listener(self) -> AsyncIterator[PubSub]:
        """Give a subscriber to what the partitions push: in a cluster at each node in turn of those that answer."""
        post = None if self._cluster is None else self._cluster.next_post()
        place: dict[str, str | int] = {} if post is None else {"host": post[0], "port": post[1]}
        line = Line(self._seed, within_s=self.within_s, **place)
        try:
            async with line.listener() as listener:
                yield listener
        finally:
            await line.close()

    async def read_live(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401
        """Return the answer of a command to the live version of a projection."""
        return await self._versions.read(live, projection, command)

    async def read_all_live(self, reads: Sequence[Read], *, beside: Sequence[Command] = ()) -> list[Any]:
        """Return the answers of reads of live versions, in one round trip, errors in place of those there are none."""
        return await self._versions.read_all(reads, beside=beside)


def answer_of(answers: Sequence[Any]) -> Any:  # noqa: ANN401  what the command gives
    """Return the only answer; if it is an error, that is raised."""
    (answer,) = answers
    if isinstance(answer, Exception):
        raise answer
    return answer


def _opened(url: str, epoch: str | None) -> tuple[str, bool, Mapping[str, Sequence[Partition]]]:
    """Return the store's epoch, whether it is a cluster, and its partitions by game."""
    with closing(RedisLog(url, epoch=epoch)) as log:
        introduce(log)
        return log.epoch, log.is_cluster, {game: log.partitions(game) for game in GAMES}
