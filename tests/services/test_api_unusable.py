"""Doors to a store that another release laid out say so, and neither read it nor write to it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import redis
from structlog.testing import capture_logs
from structlog.typing import EventDict

from events.streams import META
from tests.services.house import Client, House, a_house, client_at_once, client_of


def failures(logged: list[EventDict]) -> list[EventDict]:
    """Return where the log says that the store cannot be used."""
    return [line for line in logged if line["event"] == "store_failed"]


async def statuses(client: Client, house: House) -> set[tuple[int, str, str]]:
    """Return status, code and pause of what every kind of request is answered."""
    answers = [
        await client.ask("GET", "/readyz"),
        await client.ask("GET", "/v1/tables"),
        await client.ask("GET", "/v1/tables/nains-a1/view", house.key),
        await client.ask("POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2}),
    ]
    return {(each.status_code, each.json()["code"], each.headers["Retry-After"]) for each in answers}


async def test_doors_to_another_layout_stay_shut_until_it_is_the_right_one(tmp_path: Path) -> None:
    """The log says why, once; a process that is up waits, as it might be led to another store."""
    with a_house(tmp_path) as house, redis.Redis.from_url(house.url) as store:
        house.stop()
        store.hset(META, "layout", "0")
        before = set(store.scan_iter())
        with capture_logs() as logged:
            async with client_at_once(house) as client:
                while not failures(logged):
                    await asyncio.sleep(0.005)
                found = await statuses(client, house)
                store.hset(META, "layout", "1")
                while not client.doors.wakes.listening:
                    await asyncio.sleep(0.005)
                mended = await client.ask("GET", "/readyz")

        assert {(503, "store_unusable", "30")} == found
        assert 200 == mended.status_code
        assert before == set(store.scan_iter())
        (failure,) = failures(logged)
        assert "layout 0, this program needs 1" in failure["problem"]


async def test_a_layout_that_changes_under_the_doors_is_told(tmp_path: Path) -> None:
    """As when an older copy was put in place."""
    with a_house(tmp_path) as house, redis.Redis.from_url(house.url) as store:
        house.stop()
        async with client_of(house) as client:
            assert (await client.ask("GET", "/readyz")).status_code == 200
            store.hset(META, "layout", "2")
            told = await client.ask("GET", "/readyz")

    assert (503, "store_unusable") == (told.status_code, told.json()["code"])
