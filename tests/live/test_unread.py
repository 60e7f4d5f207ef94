"""A table that cannot be read now is read again after a while, however often it is looked at, if anybody follows."""

from __future__ import annotations

import asyncio

import pytest
import redis

from events.streams import numbered
from projections.tables.projections import STORY
from services.live import reading
from services.live.feeds import Feeds
from services.live.live import Live
from tests.live.door import Door, Line
from tests.services.house import House, Table
from tests.until import PATIENCE_S


async def a_timer() -> int:
    """Return how many timers of the live door wait for their time, as soon as any does: between two there is a look."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := timers()):
            await asyncio.sleep(0.005)
    return found


def timers() -> int:
    """Return how many there are now."""
    waiting = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]  # noqa: SLF001  nobody else knows
    names = [each._callback.__qualname__ for each in waiting if not each.cancelled()]  # noqa: SLF001
    return sum(name.partition(".")[0] in {Feeds.__name__, Live.__name__} for name in names)


async def looked_at(door: Door, times: int) -> None:
    """Have everything read so many times, as when push was lost and nobody knows what moved."""
    for _ in range(times):
        reads = door.live.feeds.reads
        door.live.feeds.heard(None)
        while door.live.feeds.reads == reads:
            await asyncio.sleep(0)


async def without_story(door: Door, line: Line, table: Table) -> None:
    """Have somebody follow a table from its beginning whose story is gone."""
    place = door.app.state.doors.store.partition(table.name)
    with redis.Redis.from_url(door.client.house.url) as store:
        store.delete(place.view(numbered(STORY, 1), table.name))
    await line.ask(follow=table.name, after=0, views=False)


@pytest.mark.parametrize("known", [True, False], ids=["behind what is known", "nothing known"])
async def test_a_story_that_cannot_be_read_has_one_timer_while_it_is_followed(
    house: House, door: Door, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    """Whether one follower is further behind than what is kept here, or nothing could be read of it ever."""
    monkeypatch.setattr(reading, "NEWEST", 1)
    table = await door.client.open()
    async with door.line(house.key) as line, door.line(house.key) as other:
        if known:
            await other.ask(follow=table.name)
        await without_story(door, line, table)
        await looked_at(door, 20)
        for number in range(3):  # answers go before news
            await line.ask(ping=number)
        waiting = await a_timer()
        for each in (line, other):
            await each.ask(unfollow=table.name)

        assert 1 == waiting
        assert 0 == timers()
