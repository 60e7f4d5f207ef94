"""A store that falls silent is told to be away in time, by every door, and all goes on when it wakes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from events.streams import META
from tests.clusters import MASTERS, running_cluster
from tests.services.house import Client, House, Table, a_house, client_of, settled, silent

STORE_S = 1.0
MOST_S = 10 * STORE_S
"""The client of the store tries some connections again, so that a few of a crowd wait longer than one question may."""
AWAY = (503, "store_away")


async def said(client: Client, table: Table, legal: Any) -> list[tuple[int, str]]:  # noqa: ANN401  a command
    """Return what each door says, asked all at once by more than there are connections to the store."""
    house, path = client.house, f"/v1/tables/{table.name}"
    async with asyncio.timeout(MOST_S):
        answers = await asyncio.gather(
            *[client.ask("GET", "/readyz") for _ in range(20)],
            *[client.ask("GET", f"{path}/{what}", table.tokens[0]) for what in ("view", "legal", "history") * 5],
            *[client.ask("GET", "/v1/tables", house.key) for _ in range(5)],
            *[client.ask("POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2}) for _ in range(5)],
            client.play(table, 0, legal),
        )
    return [(each.status_code, each.json().get("code", "ok")) for each in answers]


async def seen(client: Client, table: Table) -> tuple[int, str]:
    """Return what the door of a view says, which has to come in time."""
    async with asyncio.timeout(MOST_S):
        answer = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])
    return answer.status_code, answer.json().get("code", "ok")


async def until_well(client: Client, table: Table) -> None:
    """Return as soon as the doors read and write again."""
    async with asyncio.timeout(30):
        while (await client.ask("GET", "/readyz")).status_code != 200:
            await asyncio.sleep(0.02)
        while await seen(client, table) != (200, "ok"):
            await asyncio.sleep(0.02)


async def test_a_silent_store_is_away_for_all_and_taken_up_when_it_wakes(tmp_path: Path) -> None:
    """However many ask, nobody waits much longer than the store is given to answer."""
    with a_house(tmp_path) as house:
        async with client_of(house, store_s=STORE_S) as client:
            table = await client.open()
            legal = (await client.legal(table, 0))[0]
            with house.silent_store():
                assert {AWAY} == set(await said(client, table, legal))
                assert {AWAY} == set(await said(client, table, legal)), "nor with fresh connections"
            await until_well(client, table)

            assert (await client.open()).name != table.name


async def test_a_silent_node_is_away_by_itself(tmp_path: Path) -> None:
    """Tables at other nodes are read meanwhile, and its own are when it wakes."""
    with running_cluster(tmp_path) as cluster:
        for node in range(MASTERS):
            cluster.client(node).config_set("cluster-require-full-coverage", "no")
        with settled(House(cluster.url)) as house:
            async with client_of(house, store_s=STORE_S) as client:
                opened = [await client.open() for _ in range(12)]
                tables = {_holder(client, each, cluster.holder): each for each in opened}
                chosen = next(node for node in tables if node != cluster.holder(META))
                table, other = tables[chosen], next(each for node, each in tables.items() if node != chosen)
                with silent(cluster.nodes[chosen].process.pid):
                    assert (200, "ok") == await seen(client, other)
                await until_well(client, table)


def _holder(client: Client, table: Table, holder: Any) -> int:  # noqa: ANN401  of a key
    return int(holder(client.doors.store.partition(table.name).cursor))
