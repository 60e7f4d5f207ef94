"""Looks at the keys that many tables share, for whoever watches over the doors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, NamedTuple

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
        count, damaged = 0, []
        try:
            with whole(place.cursor):
                dead, epoch = await self._store.read("HMGET", place.cursor, DEAD, EPOCH)
                count = int(dead or 0)
                if epoch != self._store.epoch.encode():
                    damaged.append(place.cursor)
        except StoreDamagedError as fault:
            damaged.append(fault.key)
        looks = {
            place.commands: lambda: self._store.read("XLEN", place.commands),
            place.live: lambda: self._store.read_live(
                place.live, TABLE, lambda live: ("HLEN", place.view(live, BROKEN))
            ),
        }
        return Survey(count, [*damaged, *await _damaged(looks)])

    async def _look_at_all(self) -> Survey:
        looks: dict[str, Callable[[], Awaitable[object]]] = {
            PLATFORM_KEYS: lambda: self._read_all(PLATFORM_KEYS, read_record),
            PLATFORMS: lambda: self._read_all(PLATFORMS, read_platform),
            SIGNING: self._look_at_signing,
            SIGNING_KEYS: lambda: self._read_all(SIGNING_KEYS, read_signing),
        }
        return Survey(0, [*await _damaged(looks), *await self._damaged_of_lobby()])

    async def _read_all(self, key: str, read: Callable[[bytes], object]) -> None:
        for body in await self._store.read("HVALS", key):
            read(body)

    async def _damaged_of_lobby(self) -> list[str]:
        """Return which of the lobby's keys were written over, after one round trip."""
        sizes = [_size("HLEN", TABLES), *(_size("ZCARD", name) for name in LISTS)]
        faults = [each for each in await self._store.read_all_live(sizes) if isinstance(each, Exception)]
        for fault in faults:
            if not isinstance(fault, StoreDamagedError):
                raise fault
        return list(dict.fromkeys(each.key for each in faults if isinstance(each, StoreDamagedError)))

    async def _look_at_signing(self) -> None:
        if await self._store.read("STRLEN", SIGNING) not in {0, SIGNING_BYTES}:
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


async def _damaged(looks: Mapping[str, Callable[[], Awaitable[object]]]) -> list[str]:
    """Return the keys that were found written over."""
    found = []
    for key, look in looks.items():
        try:
            with whole(key):
                await look()
        except StoreDamagedError as fault:
            found.append(fault.key)
    return list(dict.fromkeys(found))
