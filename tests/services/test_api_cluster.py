"""The doors over a cluster: the same tables, wherever their slots lie."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clusters import Cluster
from tests.services.house import House, client_of


@pytest.fixture
def on_cluster(cluster: Cluster) -> Iterator[House]:
    """Return rules and views at work over a cluster."""
    cluster.flush()
    house = House(cluster.url)
    house.start()
    yield house
    house.stop()


async def test_tables_are_opened_played_and_read_over_a_cluster(on_cluster: House) -> None:
    """Opening, seats, commands, views, stories and the lobby work for tables of every node."""
    async with client_of(on_cluster) as client:
        tables = [await client.open(seats=2) for _ in range(6)]
        for table in tables:
            command = (await client.legal(table, 0))[0]
            played = await client.play(table, 0, command)
            assert 200 == played.status_code, played.text
            story = await client.ask("GET", f"/v1/tables/{table.name}/history", table.tokens[1])
            assert played.json()["version"] == story.json()["chapters"][-1]["last"]
        lobby = (await client.ask("GET", "/v1/tables")).json()["tables"]

    assert {table.name for table in tables} == {row["table"] for row in lobby}


async def test_doors_pass_over_a_seed_that_is_gone(on_cluster: House) -> None:
    """Of several addresses the first that answers leads to the cluster; what is pushed is heard, too."""
    on_cluster.url = f"redis://127.0.0.1:1,{on_cluster.url}"
    async with client_of(on_cluster) as client:
        table = await client.open(seats=2)
        ready = (await client.ask("GET", "/readyz")).json()

    assert table.name
    assert ready["listening"]
