"""A hole in a table's chronicle is never passed over: whoever follows waits until it is filled, or hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from events.streams import numbered
from projections.tables.projections import STORY
from services.live import feeds, reading
from tests.live.door import Door, Json, a_door
from tests.live.test_following import is_whole
from tests.live.test_late import DELAY_MS, Hour, late_table, one_move
from tests.services.house import House, Table
from tests.until import PATIENCE_S


@contextmanager
def a_hole(door: Door, table: Table, last: int) -> Iterator[None]:
    """Leave a chapter out of a table's story while the block is alive."""
    story = door.app.state.doors.store.partition(table.name).view(numbered(STORY, 1), table.name)
    with redis.Redis.from_url(door.client.house.url) as store:
        whole = store.dump(story)
        assert 1 == store.xdel(story, f"{last}-0")
        yield
        store.restore(story, 0, whole, replace=True)


async def noticed(logged: list[MutableMapping[str, Any]], times: int) -> None:
    """Return when a hole was noticed so many times."""
    async with asyncio.timeout(PATIENCE_S):
        while times > [each["event"] for each in logged].count("chronicle_has_a_gap"):
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("missing", [0, 1], ids=["before what is new", "amid what is new"])
async def test_what_comes_behind_a_hole_is_not_told_before_it_is_filled(
    house: House, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    """In time and late; nor shown. It is read again by itself."""
    hour = Hour(monkeypatch)
    monkeypatch.setattr(feeds, "SURE_S", 3_600.0)
    async with a_door(house) as door, late_table(door) as (table, chapters):
        hour.now += 2 * DELAY_MS
        known = chapters[-1]["last"]
        async with door.line(house.arbiter) as line, door.line(house.key) as late:
            for each in (line, late):
                await each.ask(follow=table.name, after=0)
                await each.version(known)
            door.app.state.doors.wakes.tell_no_more(door.live.feeds.heard)
            new = [await one_move(door, table) for _ in range(3)]
            hour.now += 2 * DELAY_MS
            with capture_logs() as logged:
                with a_hole(door, table, new[missing]):
                    door.live.feeds.heard(None)
                    await noticed(logged, 2)
                    for each in (line, late):
                        await each.ask(ping=1)

                        assert known == max(news["version"] for news in each.heard if news["kind"] == "view")
                        assert is_whole(each.chapters(table.name, None), after=0, last=known)
                for each in (line, late):
                    await each.version(new[-1])

                    assert is_whole(each.chapters(table.name, None), after=0, last=new[-1])


@pytest.mark.parametrize("kept", [1, 100], ids=["before all that is kept", "amid what is kept"])
async def test_who_is_behind_a_hole_hears_of_it(
    house: House, door: Door, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """Steps before it may come; none behind it does, and the follow ends as a fault of the service."""
    monkeypatch.setattr(reading, "NEWEST", kept)
    table = await door.client.open(bots=0)
    versions = [await one_move(door, table) for _ in range(3)]
    async with door.line(house.arbiter) as line:
        with capture_logs() as logged, a_hole(door, table, versions[0]):
            await line.ask(follow=table.name, after=0)
            ended = await line.kind("unfollowed")

        told = line.chapters(table.name, None)
        assert "internal_error" == ended["code"]
        assert "chronicle_has_a_gap" in [each["event"] for each in logged]
        assert is_whole(told, after=0, last=told[-1]["last"] if told else 0)
        assert not [each for each in line.heard if each["kind"] == "view"]


async def test_over_http_a_story_ends_before_a_hole_and_is_damaged_behind_it(door: Door) -> None:
    """So whoever reads page by page hears of it, and is told nothing that came later."""
    table = await door.client.open()
    versions = [await one_move(door, table) for _ in range(3)]
    path = f"/v1/tables/{table.name}/history"

    async def asked(query: str) -> Json:
        answer = await door.client.ask("GET", f"{path}?{query}", door.client.house.arbiter)
        return {"status": answer.status_code, **answer.json()}

    with a_hole(door, table, versions[1]):
        pages = [await asked("limit=500"), await asked(f"from={versions[0]}&limit=1")]
        behind = await asked(f"from={versions[1]}")

    assert (200, versions[0], versions[0]) == (pages[0]["status"], pages[0]["chapters"][-1]["last"], pages[0]["next"])
    assert (503, "store_damaged") == (pages[1]["status"], pages[1]["code"])
    assert [versions[2]] == [each["last"] for each in behind["chapters"]]
