"""A store that was emptied is told apart from one that is away, and from one without tables."""

from __future__ import annotations

from pathlib import Path

import redis

from events.log.redis_log import RedisLog
from tests.services.house import a_house, client_of


async def test_doors_to_a_lost_store_are_shut_until_it_is_restored(tmp_path: Path) -> None:
    """Every request says so: none pretends that a table never was; and then all goes on without a restart."""
    with a_house(tmp_path) as house, redis.Redis.from_url(house.url) as store:
        async with client_of(house, answer_s=0.2) as client:
            table = await client.open()
            legal = await client.legal(table, 0)
            house.stop()
            copy = {key: store.dump(key) for key in store.scan_iter()}
            store.flushall()

            async def statuses() -> list[tuple[int, str]]:
                path = f"/v1/tables/{table.name}"
                answers = [
                    await client.play(table, 0, legal[0]),
                    await client.ask("POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2}),
                    *[await client.ask("GET", f"{path}/{what}", table.tokens[0]) for what in ("view", "history")],
                    await client.ask("GET", "/v1/tables"),
                    await client.ask("GET", "/readyz"),
                ]
                return [(each.status_code, each.json().get("code", "ok")) for each in answers]

            assert [(503, "store_lost")] * 6 == await statuses()
            RedisLog(house.url, games=["nains"]).close()
            assert [(503, "store_lost")] * 6 == await statuses()

            store.flushall()
            for key, value in copy.items():
                store.restore(key, 0, value)
            house.start()
            assert {(200, "ok"), (201, "ok")} == set(await statuses())
