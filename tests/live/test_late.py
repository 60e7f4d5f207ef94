"""Who sees a table late follows it live all the same: every step once and in order, and nothing that is too young."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from events.log.redis_log import RedisLog
from events.streams import partition_of
from projections.tables.projections import STORY, TABLE
from services.api import sending, views
from services.live import feeds, reading
from tests.live.door import Door, Json, Line, a_door
from tests.live.test_following import is_whole
from tests.services.house import House, Table
from tests.until import PATIENCE_S

DELAY_S = 600
DELAY_MS = DELAY_S * 1000
SLICE_MS = DELAY_MS // 4


class Hour:
    """A clock of the doors that stands where a test sets it; the store has its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time_ns() // 1_000_000
        for module in (reading, feeds, sending, views):
            monkeypatch.setattr(module, "now_ms", lambda: self.now)
        monkeypatch.setattr(feeds, "SURE_S", 0.05)


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    """Return a clock that stands still, and doors that look round often."""
    return Hour(monkeypatch)


@asynccontextmanager
async def late_table(door: Door, *, moves: int = 4, delay_s: int = DELAY_S) -> AsyncIterator[tuple[Table, list[Json]]]:
    """Give a table that was played a little, and what an arbiter is told of it."""
    table = await door.client.open(spectator_delay=delay_s, bots=0)
    for _ in range(moves):
        await one_move(door, table)
    yield table, await door.history(table, door.client.house.arbiter)


async def one_move(door: Door, table: Table) -> int:
    view = (await door.client.ask("GET", f"/v1/tables/{table.name}/view", door.client.house.arbiter)).json()
    return await door.play(table, view["asked"][0]["seat"])


def before_play(chapters: list[Json]) -> list[Json]:
    """Return the chapters that spectators are told at once."""
    begun = [any(step["kind"] == "table_started" for step in each["steps"]) for each in chapters]
    return chapters[: begun.index(True)]


async def read_again(door: Door, line: Line) -> None:
    """Have everything read, and return when what is to be told of it was told."""
    feeds, sockets = door.live.feeds, door.live.sockets
    feeds.heard(None)
    while feeds._readers or any(each._work.done() for each in sockets):  # noqa: SLF001  who has something to do still
        await asyncio.sleep(0.005)
    await line.ask(ping=1)  # and what was said before has come


async def test_each_step_is_told_when_it_is_old_enough_and_no_moment_before(door: Door, hour: Hour) -> None:
    """By the millisecond; the view comes behind its steps, and is that of HTTP."""
    async with late_table(door) as (table, chapters), door.line(door.client.house.key) as line:
        followed = await line.ask(follow=table.name, after=0)
        before = before_play(chapters)
        for chapter in chapters[len(before) :]:
            hour.now = chapter["at"] + DELAY_MS - 1
            await read_again(door, line)
            told = [each for each in chapters if each in before or each["at"] < chapter["at"]]

            assert told == line.chapters(table.name, None)
            hour.now += 1
            await line.told(table.name, None, chapter["last"])
        hour.now = chapters[-1]["at"] + DELAY_MS + SLICE_MS
        shown = await line.version(chapters[-1]["last"])
        over_http = await door.client.ask("GET", f"/v1/tables/{table.name}/view", door.client.house.key)

        assert (0, before[-1]["last"]) == (followed["after"], followed["version"])
        assert chapters == line.chapters(table.name, None)
        assert over_http.json() == shown["view"]


async def test_nobody_is_behind_before_play_begins(door: Door, hour: Hour) -> None:
    """Who follows a table that is open sees it at once, and who sits down; that play began is told late."""
    table = await door.client.open(start=False, bots=1, spectator_delay=DELAY_S)
    path = f"/v1/tables/{table.name}"
    async with door.line(door.client.house.key) as line:
        followed = await line.ask(follow=table.name)
        first = await line.kind("view")
        await door.client.ask("DELETE", f"{path}/seats/1", door.client.house.key)
        left = await line.version(first["version"] + 1)
        await door.client.settled(f"{path}/seats/1", {"player": "bo"})
        taken = await line.version(left["version"] + 1)
        started = await door.client.settled(f"{path}/start", None)
        await read_again(door, line)
        early = line.chapters(table.name, None)
        over_http = (await door.client.ask("GET", f"{path}/history", door.client.house.key)).json()["chapters"]
        hour.now += 2 * DELAY_MS
        begun = await line.version(started["last"])

    assert followed["after"] == followed["version"] == first["version"]
    assert [None, "bo"] == [each["view"]["seats"][1]["player"] for each in (left, taken)]
    assert is_whole(early, after=first["version"], last=taken["version"])
    assert early == [each for each in over_http if each["first"] > first["version"]]
    assert ("open", "running") == (taken["view"]["status"], begun["view"]["status"])


async def test_views_come_as_they_are_shown_over_http(door: Door, hour: Hour) -> None:
    """Wherever the clock stands, the newest view is that of HTTP, unless its steps are still too young."""
    async with late_table(door, moves=2) as (table, chapters), door.line(door.client.house.key) as line:
        await line.ask(follow=table.name, after=0)
        before = before_play(chapters)
        for later in (0, SLICE_MS, SLICE_MS, SLICE_MS, SLICE_MS, SLICE_MS, SLICE_MS):
            hour.now += later
            await read_again(door, line)
            shown = (await door.client.ask("GET", f"/v1/tables/{table.name}/view", door.client.house.key)).json()
            old = hour.now - DELAY_MS
            told = max(each["last"] for each in chapters if each in before or each["at"] <= old)
            newest = [each["version"] for each in line.heard if each["kind"] == "view"][-1:]

            assert ([shown["version"]] if shown["version"] <= told else []) == newest
        kinds = [(each["kind"], each.get("last") or each["version"]) for each in line.heard if "seat" in each][1:]

        assert [("steps", before[-1]["last"]), ("view", told)] == [kinds[0], kinds[-1]]


async def test_who_comes_in_the_middle_begins_with_a_view_and_goes_on_behind_it(door: Door, hour: Hour) -> None:
    """Without a version, what comes joins on to the view that came first, which may be older than the steps."""
    async with late_table(door, moves=2) as (table, chapters):
        hour.now = chapters[-1]["at"] + DELAY_MS
        async with door.line(door.client.house.key) as line:
            followed = await line.ask(follow=table.name)
            first = await line.kind("view")
            last = await line.told(table.name, None, chapters[-1]["last"])

            assert ["welcome", "following", "view", "steps"] == [each["kind"] for each in line.heard][:4]
            assert followed["after"] == first["version"] < followed["version"] == last
            assert is_whole(line.chapters(table.name, None), after=first["version"], last=last)


@pytest.mark.usefixtures("hour")
async def test_seats_and_arbiters_see_the_same_table_as_it_is(door: Door) -> None:
    """Also beside spectators who see it late, and over the same socket."""
    async with late_table(door) as (table, chapters), door.line(door.client.house.key) as line:
        last = chapters[-1]["last"]
        late = await line.ask(follow=table.name, after=0)
        seat = await line.ask(follow=table.name, after=0, token=table.tokens[0])
        await line.version(last, seat=0)
        await read_again(door, line)
        async with door.line(door.client.house.arbiter) as other:
            await other.ask(follow=table.name, after=0)
            await other.version(last, seat=None)

        assert (before_play(chapters)[-1]["last"], last) == (late["version"], seat["version"])
        assert before_play(chapters) == line.chapters(table.name, None)
        assert 2 == len(door.live.feeds)


async def test_all_who_are_late_share_one_reading(door: Door, hour: Hour) -> None:
    """Thirty who follow late cost no more than one."""
    async with late_table(door) as (table, chapters), asyncio.TaskGroup() as group:
        last = chapters[-1]["last"]
        ready, go = asyncio.Barrier(31), asyncio.Event()

        async def follow() -> None:
            async with door.line(door.client.house.key) as line:
                await line.ask(follow=table.name, after=0)
                await ready.wait()
                await go.wait()
                await line.version(last)

                assert chapters == line.chapters(table.name, None)

        tasks = [group.create_task(follow()) for _ in range(30)]
        await ready.wait()
        feeds_before, reads = len(door.live.feeds), door.live.feeds.reads
        hour.now += DELAY_MS * 2
        go.set()
        await asyncio.wait(tasks)

        assert 1 == feeds_before
        assert door.live.feeds.reads - reads < 10


async def test_nothing_stays_of_a_table_that_nobody_follows(door: Door) -> None:
    """Neither it nor the timer that would have read it, which may be an hour off."""
    async with late_table(door) as (table, _), door.line(door.client.house.key) as line:
        await line.ask(follow=table.name)
        await line.kind("view")
        ((follow,),) = [socket.follows.values() for socket in door.live.sockets]
        waking = follow.feed.waking
        await line.ask(unfollow=table.name)

        assert waking is not None
        assert waking.cancelled()
        assert 0 == len(door.live.feeds)


async def test_from_goes_on_at_another_process(house: House, door: Door, hour: Hour) -> None:
    """After the line broke, or the process is another: each step once; how far the table is now is told to nobody."""
    async with late_table(door) as (table, chapters):
        middle = chapters[3]
        hour.now = middle["at"] + DELAY_MS
        async with door.line(house.key) as line:
            await line.ask(follow=table.name, after=0)
            await line.told(table.name, None, middle["last"])
            first = line.chapters(table.name, None)
        async with a_door(house) as another, another.line(house.key) as line:
            ahead = await line.ask(follow=table.name, after=middle["last"] + 1)
            followed = await line.ask(follow=table.name, after=first[-1]["last"])
            hour.now += DELAY_MS * 2
            await line.version(chapters[-1]["last"])

            assert ("version_ahead", {"version": first[-1]["last"]}) == (ahead["code"], ahead["details"])
            assert "following" == followed["kind"]
            assert chapters == first + line.chapters(table.name, None)


async def test_the_end_comes_late_too(door: Door, hour: Hour) -> None:
    """That a table is over is told when it is old enough, and shown then."""
    async with late_table(door) as (table, chapters), door.line(door.client.house.key) as line:
        await door.client.play(table, 0, {"kind": "concede", "seat": 0})
        ended = (await door.history(table, door.client.house.arbiter))[-1]
        await line.ask(follow=table.name, after=0)
        hour.now = ended["at"] + DELAY_MS - 1
        await line.told(table.name, None, chapters[0]["last"])
        early = [step["kind"] for each in line.chapters(table.name, None) for step in each["steps"]]
        hour.now += SLICE_MS + 1
        shown = await line.version(ended["last"])
        late = [step["kind"] for each in line.chapters(table.name, None) for step in each["steps"]]

        assert "table_ended" not in early
        assert "table_ended" in late
        assert "over" == shown["view"]["status"]
        assert shown["view"]["secret"]


async def test_a_rebuild_is_not_noticed(door: Door, house: House, hour: Hour) -> None:
    """What was read before and after it joins on."""
    async with late_table(door) as (table, chapters), door.line(house.key) as line:
        await line.ask(follow=table.name, after=0)
        hour.now = chapters[2]["at"] + DELAY_MS
        await line.told(table.name, None, chapters[2]["last"])
        log = RedisLog(house.url)
        place = partition_of(table.name, len(log.partitions("nains")))
        coming = {each: log.ask_rebuild(place, each) for each in (TABLE, STORY)}
        async with asyncio.timeout(PATIENCE_S):
            while any(log.standing(place)[1].number(each) != number for each, number in coming.items()):
                await asyncio.sleep(0.02)
        log.close()
        hour.now += DELAY_MS * 2
        shown = await line.version(chapters[-1]["last"])

        assert chapters == line.chapters(table.name, None)
        assert "running" == shown["view"]["status"]


async def test_a_table_followed_late_while_it_is_played_is_told_whole(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock as it goes: nothing younger than the delay, everything once, and the end; time alone wakes it."""
    monkeypatch.setattr(feeds, "SURE_S", 3600.0)
    delay_s = 1
    async with (
        late_table(door, moves=0, delay_s=delay_s) as (table, chapters),
        door.line(door.client.house.key) as line,
    ):
        early, begun = list[Json](), before_play(chapters)[-1]["last"]

        async def watch() -> None:
            await line.ask(follow=table.name, after=0)
            while True:
                news = await line.hear(lambda each: each["kind"] in {"steps", "view"})
                now = time.time_ns() // 1_000_000
                told = [each for each in news.get("chapters", ()) if each["last"] > begun]
                early.extend(each for each in told if each["at"] > now - delay_s * 1000)
                if news["kind"] == "view" and news["view"]["status"] == "over":
                    return

        watching = asyncio.create_task(watch())
        for _ in range(6):
            await one_move(door, table)
        await door.client.play(table, 0, {"kind": "concede", "seat": 0})
        await watching

        assert [] == early
        assert await door.history(table, door.client.house.arbiter) == line.chapters(table.name, None)
