"""Wishes for one table are taken in the order in which they came, those for others beside them, and never too many."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from services.api.doorkeeper import Look
from services.live.socket import AT_ONCE
from tests.live.door import Door
from tests.live.test_commands import named
from tests.services.house import House


class Gate:
    """
    What follows ask before they may: where a test can stop them.

    Args:
        waiting: the tables that somebody wants to follow and waits for.
    """

    def __init__(self, door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
        self._look = door.live._access.look  # noqa: SLF001  where it may be slow
        self.waiting: list[str] = []
        self.shut: set[str] = set()
        monkeypatch.setattr(door.live._access, "look", self.look)  # noqa: SLF001

    async def look(self, token: str, table: str, seat: int | None) -> Look:
        self.waiting.append(table)
        try:
            while table in self.shut:
                await asyncio.sleep(0.001)
        finally:
            self.waiting.remove(table)
        return await self._look(token, table, seat)

    @asynccontextmanager
    async def shut_for(self, *tables: str) -> AsyncIterator[None]:
        """Let nobody follow these tables while the block is alive."""
        self.shut.update(tables)
        yield
        self.shut.difference_update(tables)

    async def waited_for(self, count: int) -> None:
        """Return when so many wait."""
        while len(self.waiting) < count:
            await asyncio.sleep(0.001)


@pytest.fixture
def gate(door: Door, monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(door, monkeypatch)


async def test_wishes_for_one_table_are_taken_in_order_and_hold_up_no_other(door: Door, gate: Gate) -> None:
    """A command is sent in the name of the follow that came before it, however long that takes."""
    table, other = [await door.client.open() for _ in range(2)]
    command = (await door.client.legal(table, 1))[0]
    async with door.line(table.tokens[0]) as line:
        async with gate.shut_for(table.name):
            follow = await line.say(follow=table.name, token=table.tokens[1])
            send = await line.say(send=command, table=table.name, id=named())
            end = await line.say(unfollow=table.name)
            again = await line.say(follow=table.name)
            await gate.waited_for(1)
            assert "following" == (await line.ask(follow=other.name, token=other.tokens[0]))["kind"]
            assert "unfollowed" == (await line.ask(unfollow=other.name))["kind"]
            assert "pong" == (await line.ask(ping=1))["kind"]
            assert [table.name] == gate.waiting
        answers = [await line.answer(number) for number in (follow, send, end, again)]

    assert ["following", "accepted", "unfollowed", "following"] == [each["kind"] for each in answers]
    assert [1, 1, 0] == [answers[place]["seat"] for place in (0, 2, 3)]


async def test_a_new_token_is_for_what_comes_behind_it(door: Door, gate: Gate) -> None:
    """What came before, and waits, goes in the name of the one before."""
    table, other = [await door.client.open() for _ in range(2)]
    async with door.line(table.tokens[0]) as line:
        async with gate.shut_for(table.name):
            follow = await line.say(follow=table.name)
            await line.ask(token=other.tokens[1])
            behind = await line.ask(follow=other.name)
        before = await line.answer(follow)

    assert ("following", 1) == (behind["kind"], behind["seat"])
    assert ("following", 0) == (before["kind"], before["seat"])


async def test_so_many_wishes_are_begun_and_the_rest_has_to_wait(door: Door, gate: Gate) -> None:
    """The socket is read no further, until one of them has ended."""
    names = [f"nains-{number}" for number in range(AT_ONCE + 1)]
    async with door.line(door.client.house.key) as line:
        async with gate.shut_for(*names[1:]):
            async with gate.shut_for(names[0]):
                for name in names:
                    await line.say(follow=name)
                pinged = await line.say(ping=1)
                await gate.waited_for(AT_ONCE)
                (socket,) = door.live.sockets
                while not socket.room.locked() or not socket.room._waiters:  # noqa: SLF001  the one beyond waits
                    await asyncio.sleep(0.001)
                assert names[:-1] == gate.waiting
            assert "pong" == (await line.answer(pinged))["kind"]
        codes = {(await line.answer(number))["code"] for number in range(2, 2 + len(names))}

    assert {"unknown_table"} == codes
    assert not socket.turns


async def test_follows_that_begin_together_are_no_more_than_may_be(house: House, door: Door, gate: Gate) -> None:
    """Of those of a socket that wait for their tables each counts."""
    tables = [(await door.client.open()).name for _ in range(4)]
    door.live.settings.follows_of_socket = 2
    async with door.line(house.key) as line:
        async with gate.shut_for(*tables):
            numbers = [await line.say(follow=table) for table in tables]
            await gate.waited_for(len(tables))
        kinds = [(await line.answer(number))["kind"] for number in numbers]

    assert (2, 2) == (kinds.count("following"), kinds.count("failed"))


async def test_who_goes_leaves_no_wish_behind(door: Door, gate: Gate) -> None:
    """What has begun ends with its socket."""
    table = await door.client.open()
    async with gate.shut_for(table.name):
        async with door.line(table.tokens[0]) as line:
            for _ in range(3):
                await line.say(follow=table.name)
            await gate.waited_for(1)
        while door.live.sockets:
            await asyncio.sleep(0.001)

        assert [] == gate.waiting
    assert (0, 0) == (door.live.feeds.follows, len(door.live.feeds))
