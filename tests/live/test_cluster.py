"""The live door over a cluster: the same follows, wherever the slots of their tables lie."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from tests.clusters import Cluster
from tests.live.door import a_door
from tests.live.test_following import is_whole
from tests.services.house import House


@pytest.fixture
def on_cluster(cluster: Cluster) -> Iterator[House]:
    """Return rules and views at work over a cluster."""
    cluster.flush()
    house = House(cluster.url)
    house.start()
    yield house
    house.stop()


async def test_tables_of_every_node_are_followed_on_one_socket(on_cluster: House) -> None:
    """Commands, steps and views of all of them."""
    async with a_door(on_cluster) as door:
        tables = [await door.client.open() for _ in range(6)]
        async with door.line(on_cluster.key) as line:
            for table in tables:
                await line.ask(follow=table.name, token=table.tokens[0])
            for table in tables:
                command = (await door.client.legal(table, 0))[0]
                answer = await line.ask(send=command, table=table.name, id=str(uuid.uuid4()))
                await line.told(table.name, 0, answer["last"])

                assert "accepted" == answer["kind"], answer
                assert is_whole(line.chapters(table.name, 0), after=answer["first"] - 1, last=answer["last"]), (
                    line.chapters(table.name, 0)
                )
