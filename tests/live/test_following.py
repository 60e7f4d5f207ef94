"""Whoever follows a table hears every step once and in order, and sees what the view shows over HTTP."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from services.api.doorkeeper import Look
from services.api.problems import Problem
from services.live.follow import Follow
from tests.live.door import Door, Json, Line
from tests.services.house import House


def is_whole(chapters: list[Json], *, after: int, last: int) -> bool:
    """Whether chapters tell every version behind one exactly once."""
    versions = [number for each in chapters for number in range(each["first"], each["last"] + 1)]
    return versions == list(range(after + 1, last + 1))


async def test_the_whole_story_and_the_view_are_those_of_http(door: Door) -> None:
    """From the beginning, as each seat and the spectator see it, on one socket."""
    table = await door.client.open()
    version = await door.play(table, 0)
    async with door.line(door.client.house.key) as line:
        for token, seat in ((None, None), (table.tokens[0], 0), (table.tokens[1], 1)):
            own = {} if token is None else {"token": token}
            followed = await line.ask(follow=table.name, after=0, **own)
            view = await line.version(version, seat=seat)
            shown = await door.client.ask("GET", f"/v1/tables/{table.name}/view", token or door.client.house.key)
            told = await door.history(table, token or door.client.house.key)

            assert ("following", 0, version, seat) == tuple(
                followed[each] for each in ("kind", "after", "version", "seat")
            )
            assert told == line.chapters(table.name, seat)
            assert shown.json() == view["view"]
            assert is_whole(told, after=0, last=version)


async def test_without_a_version_only_what_comes_is_told(door: Door) -> None:
    """The view of now comes first, then each step as it happens, and its view."""
    table = await door.client.open()
    async with door.line(table.tokens[1]) as line:
        followed = await line.ask(follow=table.name)
        first = await line.kind("view")
        version = await door.play(table, 0)
        steps = await line.kind("steps")
        view = await line.kind("view")

        assert followed["after"] == followed["version"] == first["version"]
        assert is_whole(steps["chapters"], after=followed["after"], last=version)
        assert steps["last"] == view["version"] == version


async def test_nothing_is_told_before_the_word_that_it_is_followed(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is read while a follow of it begins: steps said too soon would be nobody's, and missing for ever."""
    table = await door.client.open()
    version = await door.play(table, 0)
    join, look = door.live.feeds.join, door.live._access.look  # noqa: SLF001  where it may be slow
    joined: list[Follow] = []

    async def join_slowly(follow: Follow) -> None:
        await join(follow)
        joined.append(follow)
        while follow in follow.socket._due:  # noqa: SLF001  until the sender has looked at it
            await asyncio.sleep(0)

    async def look_slowly(token: str, name: str, seat: int | None) -> Look:
        found = await look(token, name, seat)
        while not all(each.alive for each in joined):
            await asyncio.sleep(0)
        return found

    monkeypatch.setattr(door.live.feeds, "join", join_slowly)
    monkeypatch.setattr(door.live._access, "look", look_slowly)  # noqa: SLF001
    async with door.line(table.tokens[0]) as line:
        await line.say(follow=table.name, after=0)
        await line.version(version)

        assert ["welcome", "following", "steps", "view"] == [each["kind"] for each in line.heard]


async def test_who_comes_back_hears_what_was_missed_and_nothing_twice(door: Door) -> None:
    """A second return without anything new brings nothing at all."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name)
        seen = (await line.kind("view"))["version"]
    version = await door.play(table, 1)
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name, after=seen, seen=seen)
        await line.version(version)

        assert is_whole(line.chapters(table.name, 0), after=seen, last=version)
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name, after=version, seen=version)
        await line.ask(ping=1)

        assert ["welcome", "following", "pong"] == [each["kind"] for each in line.heard]


async def test_followed_while_it_is_played_nothing_is_missing(door: Door) -> None:
    """Wherever between two moves a follow begins: each version comes once."""
    table = await door.client.open(bots=0)
    done = asyncio.Event()

    async def play() -> int:
        version = 0
        for _ in range(6):
            view = (await door.client.ask("GET", f"/v1/tables/{table.name}/view", door.client.house.key)).json()
            for asked in view["asked"]:
                version = await door.play(table, asked["seat"])
        done.set()
        return version

    async def watch(token: str, seat: int | None) -> None:
        while not done.is_set():
            async with door.line(token) as line:
                followed = await line.ask(follow=table.name, after=3, views=False)
                last = await line.told(table.name, seat, followed["version"])

                assert is_whole(line.chapters(table.name, seat), after=3, last=last)

    async def stay() -> list[Json]:
        async with door.line(door.client.house.key) as line:
            await line.ask(follow=table.name, after=0, views=False)
            await done.wait()
            await line.told(table.name, None, playing.result())
            return line.chapters(table.name, None)

    async with asyncio.TaskGroup() as group:
        playing = group.create_task(play())
        staying = group.create_task(stay())
        for token, seat in ((table.tokens[0], 0), (table.tokens[1], 1), (door.client.house.key, None)):
            group.create_task(watch(token, seat))

    assert playing.result() > 6
    assert is_whole(staying.result(), after=0, last=playing.result())


async def test_who_joins_later_sees_the_same(door: Door) -> None:
    """Seats and spectators who come one after another, with a move between: each is told and shown all there is."""
    table = await door.client.open(seats=4)
    key = door.client.house.key
    viewpoints = [(table.tokens[seat], seat) for seat in range(4)] + [(key, None)] * 3
    async with AsyncExitStack() as lines:
        joined: list[tuple[Line, str, int | None]] = []
        last = 0
        for token, seat in viewpoints:
            line = await lines.enter_async_context(door.line(token))
            await line.ask(follow=table.name, after=0)
            joined.append((line, token, seat))
            view = (await door.client.ask("GET", f"/v1/tables/{table.name}/view?at_least={last}", key)).json()
            last = await door.play(table, view["asked"][0]["seat"])
        seen = []
        for line, token, seat in joined:
            await line.told(table.name, seat, last)
            told, shown = line.chapters(table.name, seat), await line.version(last)
            over_http = await door.client.ask("GET", f"/v1/tables/{table.name}/view", token)

            assert await door.history(table, token) == told
            assert over_http.json() == shown["view"]
            seen.append((told, shown["view"]))

    assert seen[4] == seen[5] == seen[6]


async def test_views_need_not_be_sent(door: Door) -> None:
    """A follow of steps alone."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name, views=False)
        await door.play(table, 0)
        await line.kind("steps")
        await line.ask(ping=7)

        assert "view" not in {each["kind"] for each in line.heard}


async def test_what_is_no_longer_followed_is_no_longer_told(door: Door, house: House) -> None:
    """And the process forgets a table that nobody follows."""
    table = await door.client.open()
    async with door.line(house.key) as line:
        await line.ask(follow=table.name)
        ended = await line.ask(unfollow=table.name)
        again = await line.ask(unfollow=table.name)
        await door.play(table, 0)
        await line.ask(ping=1)

        assert ("unfollowed", None) == (ended["kind"], ended["seat"])
        assert ("failed", "not_following", "$.unfollow") == (again["kind"], again["code"], again["path"])
        assert not line.chapters(table.name, None)
        assert 0 == len(door.live.feeds)


async def test_what_was_replaced_does_not_end_what_took_its_place(door: Door) -> None:
    """A look at the token of the follow before may fail when that is no longer there: nobody is told."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name)
        (socket,) = door.live.sockets
        (before,) = socket.follows.values()
        await line.ask(follow=table.name)
        socket.unfollow(before, problem=Problem("not_your_seat"))
        last = await door.play(table, 0)
        await line.version(last)

        assert "unfollowed" not in [each["kind"] for each in line.heard]
        assert 1 == len(socket.follows)


async def test_a_lost_wake_up_costs_time_and_nothing_else(door: Door) -> None:
    """What push did not tell is found by looking."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        followed = await line.ask(follow=table.name)
        wakes, heard = door.app.state.doors.wakes, door.live.feeds.heard
        wakes.tell_no_more(heard)
        version = await door.play(table, 0)
        await line.version(version)
        wakes.tell(heard)

        assert is_whole(line.chapters(table.name, 0), after=followed["after"], last=version)


async def test_many_who_follow_a_table_cost_one_read(door: Door, house: House) -> None:
    """Thirty sockets, three viewpoints: a move is read once."""
    table = await door.client.open()
    tokens = [house.key, *table.tokens] * 10
    async with asyncio.TaskGroup() as group:
        ready, go = asyncio.Barrier(len(tokens) + 1), asyncio.Event()
        versions: list[int] = []

        async def follow(token: str) -> None:
            async with door.line(token) as line:
                await line.ask(follow=table.name)
                await line.kind("view")
                await ready.wait()
                await go.wait()
                await line.version(versions[0])

        tasks = [group.create_task(follow(token)) for token in tokens]
        await ready.wait()
        before = door.live.feeds.reads
        versions.append(await door.play(table, 0))
        go.set()
        await asyncio.wait(tasks)

        assert door.live.feeds.reads - before < len(tokens) / 3  # beside the one some to be sure, as time goes by
