"""Readers notice nothing of a rebuild, but that what was wrong is right."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import redis

from events.log.redis_log import RedisLog
from events.streams import numbered, partition_of, view_of_all
from projections.lobby.lobby import LOBBY, TABLES
from projections.tables.projections import STORY, TABLE
from tests.services.house import Client, Table
from tests.until import PATIENCE_S


async def everything(client: Client, table: Table) -> list[Any]:
    """Return what the doors show of a table."""
    paths = [*(f"/v1/tables/{table.name}/{what}" for what in ("view", "legal", "history")), "/v1/tables"]
    return [(await client.ask("GET", path, table.tokens[0])).json() for path in paths]


async def test_readers_follow_a_rebuild(client: Client) -> None:
    """What was removed by hand is there again, the same as before, through a door that knew the old version."""
    table = await client.open()
    await client.play(table, 0, (await client.legal(table, 0))[0])
    before = await everything(client, table)
    log = RedisLog(client.house.url)
    place = partition_of(table.name, len(log.partitions("nains")))
    live = log.standing(place)[1]
    views, story = (place.view(numbered(each, live.number(each)), table.name) for each in (TABLE, STORY))
    lobby = view_of_all(numbered(LOBBY, log.courses_of_all().number(LOBBY)), TABLES)
    with redis.Redis.from_url(client.house.url) as store:
        assert 3 == store.delete(views, story, lobby)

    coming = [log.ask_rebuild(scope, each) for scope, each in ((place, TABLE), (place, STORY), (None, LOBBY))]
    async with asyncio.timeout(PATIENCE_S):
        while await everything(client, table) != before:
            await asyncio.sleep(0.02)

    assert live.number(TABLE) + 1 == coming[0] == log.standing(place)[1].number(TABLE)
    played = await client.play(table, 1, (await client.legal(table, 1))[0])
    assert (200, "accepted") == (played.status_code, played.json()["status"])
    log.close()


async def test_a_view_can_be_awaited_across_a_switch(client: Client) -> None:
    """Whoever waits for a version gets it, whichever version of the projection shows it."""
    table = await client.open()
    log = RedisLog(client.house.url)
    place = partition_of(table.name, len(log.partitions("nains")))
    legal = (await client.legal(table, 0))[0]
    version = (await everything(client, table))[0]["version"]

    async def wait() -> httpx.Response:
        path = f"/v1/tables/{table.name}/view?at_least={version + 1}"
        return await client.ask("GET", path, table.tokens[0])

    waiting = asyncio.create_task(wait())
    number = log.ask_rebuild(place, TABLE)
    async with asyncio.timeout(PATIENCE_S):
        while log.standing(place)[1].number(TABLE) != number:
            await asyncio.sleep(0.02)
        await client.play(table, 0, legal)

        assert version + 1 == (await waiting).json()["version"]
    log.close()
