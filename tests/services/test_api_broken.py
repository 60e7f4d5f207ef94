"""A table whose views could not be drawn is told as such, and not as one that nobody knows."""

from __future__ import annotations

import redis

from events.streams import META, numbered, partition_of
from projections.kit.projection import BROKEN
from projections.tables.projections import STORY, TABLE, VIEW_BROKEN
from tests.services.house import Client, House


async def test_a_broken_view_and_the_end_of_a_broken_story_are_told(client: Client, house: House) -> None:
    """What was told before the fault is still told; other tables notice nothing."""
    table, other = await client.open(), await client.open()
    path = f"/v1/tables/{table.name}"
    version = (await client.ask("GET", f"{path}/view", table.tokens[0])).json()["version"]
    with redis.Redis.from_url(house.url) as store:
        place = partition_of(table.name, _partitions(store))
        store.hset(place.view(numbered(TABLE, 1), table.name), "status", VIEW_BROKEN)
        store.hset(place.view(numbered(STORY, 1), BROKEN), table.name, b"KeyError at somewhere")
    view = await client.ask("GET", f"{path}/view", table.tokens[0])
    told = await client.ask("GET", f"{path}/history?from=0", table.tokens[0])
    behind = await client.ask("GET", f"{path}/history?from={version}", table.tokens[0])
    whole = await client.ask("GET", f"/v1/tables/{other.name}/view", other.tokens[0])

    assert [(503, "view_broken")] * 2 == [(each.status_code, each.json()["code"]) for each in (view, behind)]
    assert [200, 200] == [told.status_code, whole.status_code]
    assert b"KeyError" not in behind.content


def _partitions(store: redis.Redis) -> int:
    return int(store.hget(META, "partitions:nains") or 0)
