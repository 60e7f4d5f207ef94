"""What is told to whoever watches over the doors."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import redis

from events.log.redis_log import RedisLog
from events.streams import Partition
from services.api import survey
from services.api.line import Command
from services.api.survey import Surveyor
from tests.services.house import Client, House
from tests.until import until

PLACE = Partition("nains", 2)


async def health(client: Client) -> tuple[int, Any]:
    """Return the status, and what is told."""
    answer = await client.ask("GET", "/readyz")
    return answer.status_code, answer.json()


def told(*, set_aside: int = 0, takes_commands: bool = True) -> dict[str, object]:
    """Return what is told of doors that are open."""
    status = "ready" if takes_commands and not set_aside else "degraded"
    return {
        "status": status,
        "listening": True,
        "set_aside": set_aside,
        "takes_commands": takes_commands,
        "damaged": [],
        "away": [],
    }


async def test_poison_is_told_until_it_is_dealt_with(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doors stay open, since others would do no better; but what waits for an operator is counted."""
    monkeypatch.setattr("services.api.survey.LOOKED_S", 0.0)
    log = RedisLog(house.url, games=["nains"])
    for noise in (b"noise", b"more noise"):
        log.submit(PLACE, noise)
    letters = until(lambda: found if len(found := log.dead(PLACE)) == 2 else None, what="both are set aside")
    poisoned = await health(client)
    log.drop_dead(PLACE, letters[0].entry)
    eased = await health(client)
    log.drop_dead(PLACE, letters[1].entry)
    log.close()

    assert (200, told(set_aside=2)) == poisoned
    assert (200, told(set_aside=1)) == eased
    assert (200, told(set_aside=0)) == await health(client)


async def test_all_partitions_are_looked_at_once_a_second(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often anybody asks; the next look finds what is there then."""
    now = 1_000.0
    monkeypatch.setattr(survey, "time", SimpleNamespace(monotonic=lambda: now))
    before = await health(client)
    with monkeypatch.context() as patched:
        patched.setattr(client.doors.surveyor, "_store", None)
        now += survey.LOOKED_S
        told = [await health(client) for _ in range(5)]
        now += 0.1
        with pytest.raises(AttributeError):
            await client.doors.surveyor.survey()

    assert [before] * 5 == told


async def test_a_store_that_takes_no_commands_is_told_until_it_does(house: House, client: Client) -> None:
    """Reading goes on, so that the doors stay open; the next command that is taken ends it."""
    with redis.Redis.from_url(house.url) as store:
        await client.open()
        store.config_set("maxmemory", 1)
        refused = await client.ask("POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2})
        full = await health(client)
        store.config_set("maxmemory", 0)
        still = await health(client)
    await client.open()

    assert (503, "store_away") == (refused.status_code, refused.json()["code"])
    assert (200, told(takes_commands=False)) == full == still
    assert (200, told()) == await health(client)


async def test_a_look_takes_one_round_trip_to_each_partition(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one to what they share: whoever watches the doors takes little of the time of those who use them."""
    store = client.doors.store
    ask, asked = store._line.ask, 0  # noqa: SLF001  the only way to the store

    async def counting(commands: Sequence[Command], *, until: float | None = None) -> list[Any]:
        nonlocal asked
        asked += 1
        return await ask(commands, until=until)

    monkeypatch.setattr(store._line, "ask", counting)  # noqa: SLF001
    found = await Surveyor(store).survey()

    assert len(store.partitions) + 1 == asked
    assert (0, [], []) == found
