"""One socket of the client for ever other tables: it follows, plays and comes back."""

from __future__ import annotations

import asyncio
import tracemalloc
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any

import pytest

from services.client import AsyncClient, Conversation, ProblemError, Seen, conversation
from services.client.news import Follow
from services.ending import end
from services.live.closing import Closing
from tests.live.door import Door, a_door
from tests.services.house import House, Table
from tests.until import PATIENCE_S
from workers.runtime.table import MAX_REFUSALS

ID = uuid.UUID(int=7)


class Ear:
    """Reads a conversation; ``seen`` is the newest version of each table and seat."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._moved = asyncio.Condition()
        self.seen: dict[tuple[str, int | None], int] = {}

    async def listen(self) -> None:
        async with aclosing(self._conversation.news()) as stream:
            async for news in stream:
                if isinstance(news, Seen):
                    async with self._moved:
                        self.seen[news.table, news.seat] = news.view.version
                        self._moved.notify_all()

    async def version(self, table: str, seat: int | None, version: int) -> None:
        """Return once it was seen."""
        async with asyncio.timeout(PATIENCE_S), self._moved:
            await self._moved.wait_for(lambda: self.seen.get((table, seat), 0) >= version)


@asynccontextmanager
async def talking(door: Door, token: str) -> AsyncIterator[tuple[Conversation, Ear]]:
    """Give a conversation that somebody reads."""
    async with AsyncClient(f"http://127.0.0.1:{door.port}", token) as client:
        conversation = client.converse()
        ear = Ear(conversation)
        listening = asyncio.create_task(ear.listen())
        try:
            yield conversation, ear
        finally:
            await end([listening])


async def first_seat(door: Door, table: Table) -> dict[str, Any]:
    """Return what the first seat of a table of bots sees."""
    answer = await door.client.ask("GET", f"/v1/tables/{table.name}/view?seat=0", door.client.house.bots)
    return dict(answer.json())


async def test_tables_come_and_go_on_one_socket(door: Door) -> None:
    """Each is followed from when it is asked for; commands go the same way."""
    first, second = [await door.client.open(bots=2) for _ in range(2)]
    async with talking(door, door.client.house.bots) as (conversation, ear):
        conversation.follow(Follow(table=first.name, seat=0))
        await ear.version(first.name, 0, 1)
        conversation.follow(Follow(table=second.name, seat=0))
        await ear.version(second.name, 0, 1)
        view = await first_seat(door, second)
        sent = await conversation.send(second.name, view["legal"][0], version=view["version"])
        await ear.version(second.name, 0, sent.last)
        with pytest.raises(ProblemError, match="stale_version") as told:
            await conversation.send(second.name, view["legal"][0], version=view["version"])
        conversation.unfollow(first.name)
        while len(door.live.feeds) > 1:
            await asyncio.sleep(0.005)

        assert {"version": sent.last} == told.value.details
        assert 1 == len(door.live.sockets)


async def test_a_command_whose_line_breaks_is_sent_again(door: Door) -> None:
    """Once the answer is waited for the line is cut; on the next one it comes, and nothing happens twice."""
    table = await door.client.open(bots=2)
    async with talking(door, door.client.house.bots) as (conversation, ear):
        conversation.follow(Follow(table=table.name, seat=0))
        await ear.version(table.name, 0, 1)
        view = await first_seat(door, table)
        with door.client.house.rules_at_rest():
            sending = asyncio.create_task(conversation.send(table.name, view["legal"][0], version=view["version"]))
            while not door.live.desk.sends:
                await asyncio.sleep(0.005)
            for socket in list(door.live.sockets):
                socket.drop(Closing.INTERNAL_ERROR)
        sent = await sending
        await ear.version(table.name, 0, sent.last)

        assert view["version"] + 1 == sent.first


async def test_who_sends_the_same_command_beside_another_hears_the_same(door: Door) -> None:
    """Both wait for one answer; one that gives up does not take it from the other."""
    table = await door.client.open(bots=2)
    async with talking(door, door.client.house.bots) as (conversation, ear):
        conversation.follow(Follow(table=table.name, seat=0))
        await ear.version(table.name, 0, 1)
        view = await first_seat(door, table)
        name = uuid.uuid4()
        with door.client.house.rules_at_rest():
            sending = [
                asyncio.create_task(conversation.send(table.name, view["legal"][0], command_id=name)) for _ in range(3)
            ]
            while not door.live.desk.sends:
                await asyncio.sleep(0.005)
            sending[0].cancel()
        one, other = await asyncio.gather(*sending[1:])

        assert one == other
        assert sending[0].cancelled()


async def test_a_command_that_is_too_large_ends_nothing(door: Door) -> None:
    """The service would close the socket of all tables."""
    table = await door.client.open(bots=2)
    async with talking(door, door.client.house.bots) as (conversation, _):
        await conversation.welcomed.wait()
        with pytest.raises(ProblemError, match="too_large"):
            await conversation.send(table.name, {"kind": "x" * 70_000})
        with pytest.raises(ProblemError, match="malformed"):
            await conversation.send(table.name, {"kind": "x"})

        assert 1 == len(door.live.sockets)


async def test_too_many_refusals_are_no_reason_to_try_again(door: Door) -> None:
    """The same stale command would be stale for ever; why it was refused is told, though it is no longer kept."""
    table = await door.client.open(bots=2)
    async with talking(door, door.client.house.bots) as (conversation, ear):
        conversation.follow(Follow(table=table.name, seat=0))
        await ear.version(table.name, 0, 1)
        view = await first_seat(door, table)
        await conversation.send(table.name, view["legal"][0], version=view["version"])
        late = partial(conversation.send, table.name, view["legal"][0], version=view["version"])
        told = await asyncio.gather(*(late() for _ in range(MAX_REFUSALS + 1)), return_exceptions=True)

        assert all(isinstance(each, ProblemError) and each.refused == "stale_version" for each in told)
        assert "rate_limited" in {each.code for each in told if isinstance(each, ProblemError)}


async def test_who_waits_hears_when_there_is_no_use_any_more(door: Door) -> None:
    """A key that is none: whoever sends is told, now and later."""
    table = await door.client.open(bots=2)
    async with AsyncClient(f"http://127.0.0.1:{door.port}", "fck_no_no") as client:
        conversation = client.converse()
        sending = asyncio.create_task(conversation.send(table.name, {"kind": "concede", "seat": 0}))
        await asyncio.sleep(0)
        with pytest.raises(ProblemError, match="wrong_token"):
            await anext(conversation.news())
        for later in (sending, asyncio.create_task(conversation.send(table.name, {"kind": "concede", "seat": 0}))):
            with pytest.raises(ProblemError, match="wrong_token"):
                await later


async def unanswered(talk: Conversation, table: Table, *, wait_s: float = 0.1) -> ProblemError:
    """Send a command that nobody answers so soon, and return what is said of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversation, "ANSWER_S", wait_s)
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(ProblemError) as told:
                await talk.send(table.name, {"kind": "concede", "seat": 0}, command_id=ID)
    return told.value


async def test_who_sends_while_nobody_reads_is_told(door: Door) -> None:
    """Before the first news is read, and in the loop that reads; what happened of it all the same is told later."""
    table = await door.client.open(bots=2)
    async with AsyncClient(f"http://127.0.0.1:{door.port}", door.client.house.bots, patience_s=0.1) as client:
        talk = client.converse()
        talk.follow(Follow(table=table.name, seat=0))
        unread = [await unanswered(talk, table) for _ in range(3)]
        async with aclosing(talk.news()) as stream, asyncio.timeout(PATIENCE_S):
            await anext(stream)
            unread.append(await unanswered(talk, table))
            sending = asyncio.create_task(talk.send(table.name, {"kind": "concede", "seat": 0}, command_id=ID))
            while not sending.done():
                reading = asyncio.create_task(anext(stream))
                await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
            await end([reading])

    details = {"table": table.name, "command_id": str(ID), "reason": "news_unread"}
    assert [("unreachable", details)] * 4 == [(each.code, each.details) for each in unread]
    assert sending.result().first > 0


async def test_what_nobody_reads_is_not_kept(door: Door) -> None:
    """However much is sent, followed and left in vain."""
    table = await door.client.open(bots=2)
    async with AsyncClient(f"http://127.0.0.1:{door.port}", door.client.house.bots) as client:
        talk = client.converse()
        tracemalloc.start()
        try:
            for _ in range(200):
                sending = asyncio.create_task(talk.send(table.name, {"kind": "x" * 10_000}))
                await asyncio.sleep(0)
                await end([sending])
                talk.follow(table.name)
                talk.unfollow(table.name)
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert kept < 200_000


async def test_a_command_without_an_answer_is_told(house: House) -> None:
    """As pending where the service says so, as unanswered where it says nothing; both name the command."""
    async with a_door(house, answer_s=2.0) as door:
        table = await door.client.open(bots=2)
        async with AsyncClient(f"http://127.0.0.1:{door.port}", house.bots, patience_s=0.1) as client:
            talk = client.converse()
            reading = asyncio.create_task(Ear(talk).listen())
            await talk.welcomed.wait()
            with house.rules_at_rest():
                silent = await unanswered(talk, table)
                pending = await unanswered(talk, table, wait_s=PATIENCE_S)
            await end([reading])

    named = {"table": table.name, "command_id": str(ID)}
    assert ("unreachable", {**named, "reason": "no_answer"}) == (silent.code, silent.details)
    assert ("pending", named) == (pending.code, pending.details)


async def test_one_task_reads_the_news(door: Door) -> None:
    """Two would take them from each other; who does not listen any more can be followed by another."""
    table = await door.client.open(bots=2)
    async with AsyncClient(f"http://127.0.0.1:{door.port}", door.client.house.bots) as client:
        talk = client.converse()
        talk.follow(Follow(table=table.name, seat=0))
        first = talk.news()
        reading = asyncio.create_task(anext(first))
        await talk.welcomed.wait()
        with pytest.raises(RuntimeError, match="another task"):
            await anext(talk.news())
        await reading
        async with aclosing(talk.news()) as second, asyncio.timeout(PATIENCE_S):
            talk.follow(Follow(table=table.name, after=0))
            await anext(second)
            with pytest.raises(StopAsyncIteration):
                await anext(first)
            sending = asyncio.create_task(talk.send(table.name, {"kind": "concede", "seat": 0}))
            while not sending.done():
                reading = asyncio.create_task(anext(second))
                await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
            await end([reading])

        assert sending.result().first > 0
