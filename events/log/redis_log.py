"""The store on one Redis or Valkey server, or on a cluster of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

from events import games as program
from events.log.errors import NodeAwayError, StoreUnusableError
from events.log.redis_cluster import ClusterStore, open_store
from events.log.redis_commands import RedisCommandLog, RedisDoors
from events.log.redis_feed import RedisFeed, RedisViews
from events.log.redis_rebuilds import RedisRebuilds
from events.log.store import MAX_BACKLOG
from events.streams import Partition

PARTITIONS = 4
"""Partitions of a game in a new store; fixed from then on."""


class RedisLog(RedisDoors, RedisCommandLog, RedisFeed, RedisRebuilds, RedisViews):
    """
    Implements ``Doors``, ``CommandLog``, ``Feed``, ``Rebuilds`` and ``Views``; safe to use from several threads.

    Args:
        url: such as ``redis://localhost:6379/0``, ``rediss://...`` or ``unix:///run/valkey.sock``.
        games: the games that need a place in the store; all of this program by default.
        partitions: into how many each game is shared out when the store does not know it yet.
        backlog: commands that may wait in a partition.
        epoch: the one that the store must be of; any by default, also a new one.

    Raises ``StoreUnusableError`` with what to do when the server or the store is not fit.
    """

    def __init__(
        self,
        url: str,
        *,
        games: Sequence[str] | None = None,
        partitions: int = PARTITIONS,
        backlog: int = MAX_BACKLOG,
        epoch: str | None = None,
    ) -> None:
        self._backlog = backlog
        with ExitStack() as stack:
            self._store = stack.enter_context(closing(open_store(url)))
            self._store.check()
            self._partitions = self._store.prepare(program.GAMES if games is None else games, partitions, epoch)
            stack.pop_all()

    def partitions(self, game: str) -> Sequence[Partition]:
        if game not in self._partitions:
            raise StoreUnusableError(f"the store holds no place for the game {game!r}: open it with that game")
        return self._partitions[game]

    @property
    def is_cluster(self) -> bool:
        """Whether the store is spread over the nodes of a cluster."""
        return isinstance(self._store, ClusterStore)

    @property
    def epoch(self) -> str:
        """The random name that the store got when it was created."""
        return self._store.epoch

    @property
    def is_new(self) -> bool:
        """Whether the store was created when it was opened here."""
        return self._store.created

    @property
    def is_durable(self) -> bool:
        """Whether the server writes what it takes in to a file."""
        return self._store.durable

    @property
    def away(self) -> Sequence[NodeAwayError]:
        """What was not there when the store was opened here: nodes of a cluster, which are checked before their use."""
        return self._store.away

    def close(self) -> None:
        """Give the connections back."""
        self._store.close()
