"""Looks at the keys that many tables share, for whoever watches over the doors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from events.streams import (
    DEAD,
    LIVE_OF_ALL,
    PLATFORM_KEYS,
    PLATFORMS,
    SIGNING,
    SIGNING_KEYS,
    Partition,
    view_of_all,
)
from projections.kit.projection import BROKEN
from projections.lobby.lobby import LISTS, LOBBY, TABLES
from projections.tables.projections import TABLE
from services.api.damage import StoreDamagedError, whole
from services.api.keys import read_record
from services.api.line import PASSING
from services.api.platforms import read_platform
from services.api.signing import SIGNING_BYTES, read_signing
from services.api.store import ApiStore
from services.api.versions import Read

EPOCH: Final = "epoch"
"""Field of a cursor: that of the store it was made for."""

OF_ALL: Final = "all"
"""Tag of what all partitions share."""

LOOKED_S: Final = 1.0
"""How long what was found stands, however often anybody asks."""


class Survey(NamedTuple):
    """
    How it stands with what many tables share.

    Args:
        set_aside: how many commands the rules could not survive.
        damaged: keys that were written over.
        away: tags of partitions whose node does not answer, and ``OF_ALL`` where that of what they share does not.
    """

    set_aside: int
    damaged: Sequence[str]
    away: Sequence[str] = ()


class Surveyor:
    """Looks again when what it found is too old."""

    def __init__(self, store: ApiStore) -> None:
        self._store = store
        self._found = Survey(0, []), -LOOKED_S

    async def survey(self) -> Survey:
        """Return how it stands with the keys that many tables share; as it was within the last second."""
        now = time.monotonic()
        found, at = self._found
        if now - at > LOOKED_S:
            looked = [_or_away(place.tag, self._look_at(place)) for place in self._store.partitions]
            looked.append(_or_away(OF_ALL, self._look_at_all()))
            counts = await asyncio.gather(*looked)
            found = Survey(
                sum(each.set_aside for each in counts),
                [key for each in counts for key in each.damaged],
                [tag for each in counts for tag in each.away],
            )
            self._found = found, now
        return found

    async def _look_at(self, place: Partition) -> Survey:
        """Return how it stands with a partition, after one round trip."""
        broken = Read(place.live, TABLE, lambda live: ("HLEN", place.view(live, BROKEN)))
        beside = ("HMGET", place.cursor, DEAD, EPOCH), ("XLEN", place.commands)
        tables, cursor, commands = await self._store.read_all_live([broken], beside=beside)
        set_aside = 0

        def read_cursor(fields: Sequence[bytes | None]) -> None:
            nonlocal set_aside
            set_aside = int(fields[0] or 0)
            if fields[1] != self._store.epoch.encode():
                raise StoreDamagedError(place.cursor)

        damaged = _damaged(
            [(place.cursor, cursor, read_cursor), (place.commands, commands, int), (place.live, tables, int)]
        )
        return Survey(set_aside, damaged)

    async def _look_at_all(self) -> Survey:
        """Return how it stands with what all partitions share, after one round trip."""
        sizes = [_size("HLEN", TABLES), *(_size("ZCARD", name) for name in LISTS)]
        beside = ("HVALS", PLATFORM_KEYS), ("HVALS", PLATFORMS), ("STRLEN", SIGNING), ("HVALS", SIGNING_KEYS)
        *lobby, keys, platforms, signing, later_signing = await self._store.read_all_live(sizes, beside=beside)
        looks: list[Look] = [
            (PLATFORM_KEYS, keys, _each(read_record)),
            (PLATFORMS, platforms, _each(read_platform)),
            (SIGNING, signing, _require_signing),
            (SIGNING_KEYS, later_signing, _each(read_signing)),
            *((LIVE_OF_ALL, each, int) for each in lobby),
        ]
        return Survey(0, _damaged(looks))


Look = tuple[str, Any, Callable[[Any], object]]
"""A key, what it was found to hold, or the error in its place, and what reads that."""


def _each(read: Callable[[bytes], object]) -> Callable[[Sequence[bytes]], object]:
    return lambda bodies: [read(each) for each in bodies]


def _require_signing(length: int) -> None:
    if length not in {0, SIGNING_BYTES}:
        raise StoreDamagedError(SIGNING)


def _size(verb: str, name: str) -> Read:
    """Return how it is asked how much one of the lobby's keys holds."""
    return Read(LIVE_OF_ALL, LOBBY, lambda live: (verb, view_of_all(live, name)))


async def _or_away(tag: str, look: Awaitable[Survey]) -> Survey:
    """Return what is found, or that nothing can be."""
    try:
        return await look
    except PASSING:
        return Survey(0, [], [tag])


def _damaged(looks: Iterable[Look]) -> list[str]:
    """Return the keys that were found written over, each once."""
    found = []
    for key, held, read in looks:
        try:
            with whole(key):
                if isinstance(held, Exception):
                    raise held
                read(held)
        except StoreDamagedError as fault:
            found.append(fault.key)
    return list(dict.fromkeys(found))
