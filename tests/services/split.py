"""A house over a cluster of which one node may fall silent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from events.streams import LIVE_OF_ALL, META, PLATFORM_KEYS, PLATFORMS, SIGNING, SIGNING_KEYS
from tests.clusters import APART, FAILING_OVER, MASTERS, Cluster, running_cluster
from tests.live.door import Door, a_door
from tests.services.house import Client, House, Table, settled, silent

OF_ALL = (META, PLATFORM_KEYS, PLATFORMS, SIGNING, SIGNING_KEYS, LIVE_OF_ALL)
"""Keys that all tables share."""
STORE_S = 4.0
"""Longer than a node stands still of its own accord, so that only one that is made to falls silent."""
TOLD_S = 10 * STORE_S
"""Within this everybody has to hear that a silent store is away, however many they are."""
PATIENT_S = 2 * TOLD_S
"""Longer than anything lasts that is done beside a silent node: who waits for that hears when it wakes, not before."""


class Split(msgspec.Struct):
    """
    A cluster, and two running tables of which one node holds the one and not the other.

    Args:
        node: the one that may fall silent.
    """

    cluster: Cluster
    door: Door
    node: int
    there: Table
    elsewhere: Table

    @property
    def client(self) -> Client:
        """Ask over HTTP."""
        return self.door.client

    @contextmanager
    def silent_node(self) -> Iterator[None]:
        """Have that node answer nothing while the block is alive."""
        with silent(self.cluster.nodes[self.node].process.pid):
            yield

    def holds(self, table: str) -> bool:
        """Whether that node holds a table of this name."""
        return self.cluster.holder(self.client.doors.store.partition(table).cursor) == self.node


@asynccontextmanager
async def split(
    folder: Path,
    *,
    replicas: int = 0,
    of: str | None = None,
    **settings: Any,  # noqa: ANN401  any setting
) -> AsyncIterator[Split]:
    """
    Give doors to a cluster whose other nodes go on when one is silent.

    That is the one that holds the key ``of``, or one where nothing lies that all tables share.
    """
    with (
        running_cluster(folder, replicas=replicas, settings=(*APART, *(FAILING_OVER if replicas else ()))) as cluster,
        settled(House(cluster.urls)) as house,
    ):
        async with a_door(house, **settings) as door:
            shared = set(map(cluster.holder, OF_ALL))
            node = cluster.holder(of) if of else next(each for each in range(MASTERS) if each not in shared)
            tables: dict[bool, Table] = {}
            while len(tables) < 2:
                table = await door.client.open()
                tables[cluster.holder(door.client.doors.store.partition(table.name).cursor) == node] = table
            yield Split(cluster, door, node, there=tables[True], elsewhere=tables[False])
