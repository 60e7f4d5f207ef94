"""Shares the partitions out among projection processes, so that none does the work of another."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from events.log.errors import DamagedError, NodeAwayError
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
    has, and takes whatever is left alone.
    """

    def __init__(self, store: ProjectionStore, games: Sequence[str], *, owner: str, ttl_ms: int = TTL_MS) -> None:
        self._store = store
        self._games = tuple(games)
        self._owner = owner
        self._ttl_ms = ttl_ms
        self._renewed = 0.0
        self._share: tuple[Partition, ...] = ()
        self._mine: tuple[Partition, ...] = ()
        self._waiting: dict[Partition, tuple[Mapping[str, int], float]] = {}
        """Positions of others' partitions where something new waits, and since when it waits behind these."""

    def mine(self) -> tuple[Partition, ...]:
        """Return the partitions to work on now."""
        now = time.monotonic()
        if now - self._renewed > RENEW_S:
            try:
                share = tuple(partition for game in self._games for partition in self._share_of(game))
            except NodeAwayError:
                self._mine = (*self._mine, *self._left_alone(now))
            else:
                self._mine = tuple(dict.fromkeys((*share, *self._share)))
                self._share = share
                self._waiting.clear()
            self._renewed = now
        return self._mine

    def leave(self) -> None:
        """Say that this process ends, so that others need not wait."""
        for game in self._games:
            self._store.withdraw_projections(game, owner=self._owner)

    def _share_of(self, game: str) -> Sequence[Partition]:
        live = list(self._store.announce_projections(game, owner=self._owner, ttl_ms=self._ttl_ms))
        return self._store.partitions(game)[live.index(self._owner) :: len(live)]

    def _left_alone(self, now: float) -> Sequence[Partition]:
        """Return partitions where something new waits, and nobody has taken in anything for as long as one is named."""
        found = []
        for partition in (each for game in self._games for each in self._store.partitions(game)):
            if partition in self._mine:
                continue
            with suppress(NodeAwayError, DamagedError):
                standing, _ = self._store.standing(partition)
                if standing.end <= max(standing.positions.values(), default=0):
                    self._waiting.pop(partition, None)
                    continue
                positions, since = self._waiting.setdefault(partition, (standing.positions, now))
                if positions != standing.positions:
                    self._waiting[partition] = standing.positions, now
                elif now - since > self._ttl_ms / 1000:
                    found.append(partition)
        return found
