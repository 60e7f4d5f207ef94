"""Shares the partitions out among projection processes, so that none does the work of another."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from events.log.errors import NodeAwayError
from events.log.rebuilds import ProjectionStore
from events.streams import Partition

TTL_MS: Final = 4_000
"""How long a process that says nothing is still taken for live."""

RENEW_S: Final = 1.0


class Shares:
    """
    This process's partitions.

    There is no lease: positions are compared before they move, so two that both hold a partition for a moment do no
    harm. All that live are named in one order, and take turns. What a process has to give up it keeps for one more
    look, until the other has noticed. While the node of a cluster where they are named is silent, each keeps what it
    has.
    """

    def __init__(self, store: ProjectionStore, games: Sequence[str], *, owner: str, ttl_ms: int = TTL_MS) -> None:
        self._store = store
        self._games = tuple(games)
        self._owner = owner
        self._ttl_ms = ttl_ms
        self._renewed = 0.0
        self._share: tuple[Partition, ...] = ()
        self._mine: tuple[Partition, ...] = ()

    def mine(self) -> tuple[Partition, ...]:
        """Return the partitions to work on now."""
        now = time.monotonic()
        if now - self._renewed > RENEW_S:
            try:
                share = tuple(partition for game in self._games for partition in self._share_of(game))
            except NodeAwayError:
                if not self._mine:
                    raise
            else:
                self._mine = tuple(dict.fromkeys((*share, *self._share)))
                self._share = share
            self._renewed = now
        return self._mine

    def leave(self) -> None:
        """Say that this process ends, so that others need not wait."""
        for game in self._games:
            self._store.withdraw_projections(game, owner=self._owner)

    def _share_of(self, game: str) -> Sequence[Partition]:
        live = list(self._store.announce_projections(game, owner=self._owner, ttl_ms=self._ttl_ms))
        return self._store.partitions(game)[live.index(self._owner) :: len(live)]
