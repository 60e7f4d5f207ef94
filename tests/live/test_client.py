"""The client follows tables over the live door, and comes back by itself."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator

import pytest

from services.client import AsyncClient, Chapter, Client, Follow, ProblemError, Rewound, Seen, Told, Unfollowed
from services.client.news import News
from services.live.closing import Closing
from tests.live.door import Door
from tests.ports import free_port
from tests.services.house import House, Table
from tests.until import PATIENCE_S


def url(door: Door) -> str:
    return f"http://127.0.0.1:{door.port}"


def versions(chapters: list[Chapter]) -> list[int]:
    return [version for each in chapters for version in range(each.first, each.last + 1)]


@pytest.fixture
async def ann(door: Door) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(url(door)) as client:
        yield client


async def play(client: AsyncClient, table: Table, moves: int) -> None:
    """Let both seats answer in turn, and the first give up at the end."""
    seats = [client.using(token) for token in table.tokens]
    for move in range(moves):
        seat = seats[move % 2]
        view = await seat.view(table.name)
        if view.legal:
            await seat.send(table.name, view.legal[0], version=view.version)
    await seats[0].send(table.name, {"kind": "concede", "seat": 0})


async def test_a_table_is_followed_to_its_end(door: Door, ann: AsyncClient) -> None:
    """Every step comes once and in order, the newest view behind them, and then it is over."""
    table = await door.client.open()
    seat = ann.using(table.tokens[0])
    playing = asyncio.create_task(play(ann, table, 6))
    news = [each async for each in seat.follow(Follow(table=table.name, after=0))]
    await playing
    told = [each.chapter for each in news if isinstance(each, Told)]

    assert [each async for each in seat.history(table.name)] == told
    assert [*range(1, told[-1].last + 1)] == versions(told)
    assert isinstance(news[-1], Seen)
    assert await seat.view(table.name) == news[-1].view
    assert {0} == {each.seat for each in news}


async def test_a_line_that_breaks_is_taken_up_again(door: Door, ann: AsyncClient) -> None:
    """However often the socket is closed, nothing is missed and nothing comes twice."""
    table = await door.client.open()
    seat = ann.using(table.tokens[1])
    playing = asyncio.create_task(play(ann, table, 8))
    told: list[Chapter] = []
    sockets = 0
    async for news in seat.follow(Follow(table=table.name, after=0)):
        if isinstance(news, Told):
            told.append(news.chapter)
        if sockets < 3:
            sockets += 1
            for socket in list(door.live.sockets):
                socket.drop(Closing.INTERNAL_ERROR)
    await playing

    assert 3 == sockets
    assert [*range(1, told[-1].last + 1)] == versions(told)


@pytest.mark.parametrize("views", [True, False])
@pytest.mark.parametrize("after", [None, 0, 3])
async def test_a_cancelled_table_ends_a_follow(door: Door, ann: AsyncClient, *, after: int | None, views: bool) -> None:
    """With views and without, whether it is cancelled while it is followed or was before."""
    table = await door.client.open()
    platform = ann.using(door.client.house.key)
    news = platform.follow(Follow(table=table.name, after=0, views=views))
    told = [await anext(news)]
    await door.client.settled(f"/v1/tables/{table.name}/cancel", None)
    async with asyncio.timeout(PATIENCE_S):
        told += [each async for each in news]
        late = [each async for each in platform.follow(Follow(table=table.name, after=after, views=views))]

    assert "table_cancelled" in [step["kind"] for each in told if isinstance(each, Told) for step in each.chapter.steps]
    assert views == any(isinstance(each, Seen) for each in late)


async def test_a_table_that_is_over_ends_a_follow_at_once(door: Door, ann: AsyncClient) -> None:
    """Behind its last step there is nothing to wait for."""
    table = await door.client.open()
    seat = ann.using(table.tokens[1])
    await play(ann, table, 2)
    last = (await seat.view(table.name)).version
    async with asyncio.timeout(PATIENCE_S):
        news = [each async for each in seat.follow(Follow(table=table.name, after=last, views=False))]

    assert [] == news


async def test_who_wants_no_views_follows_a_table_that_goes_on(door: Door, ann: AsyncClient) -> None:
    """From now to the end, every step once."""
    table = await door.client.open()
    seat = ann.using(table.tokens[1])
    begun = (await seat.view(table.name)).version
    news = seat.follow(Follow(table=table.name, after=begun - 1, views=False))
    told = [await anext(news)]
    playing = asyncio.create_task(play(ann, table, 6))
    async with asyncio.timeout(PATIENCE_S):
        told += [each async for each in news]
    await playing
    chapters = [each.chapter for each in told if isinstance(each, Told)]

    assert len(told) == len(chapters)
    assert [each async for each in seat.history(table.name, after=begun - 1)] == chapters


async def test_whoever_has_tokens_of_tables_alone_follows_these(door: Door, ann: AsyncClient) -> None:
    """The client itself needs none then, whether it is the plain one or not."""
    table = await door.client.open()
    await play(ann, table, 0)
    wish = Follow(table=table.name, token=table.tokens[1])
    with Client(url(door)) as plain:
        told = await asyncio.to_thread(lambda: list(plain.follow(wish)))

    assert [1] == [each.seat for each in told]
    assert told == [each async for each in ann.follow(wish)]


async def test_many_tables_are_followed_at_once(door: Door, ann: AsyncClient) -> None:
    """One line serves them all, each in the name of its own token, and ends with the last of them."""
    tables = [await door.client.open() for _ in range(3)]
    follows = [Follow(table=each.name, token=each.tokens[0], views=False, after=0) for each in tables]
    playing = [asyncio.create_task(play(ann, each, 2)) for each in tables]
    news = [each async for each in ann.using(door.client.house.key).follow(*follows)]
    await asyncio.gather(*playing)

    assert all(isinstance(each, Told) for each in news)
    assert {each.name for each in tables} == {each.table for each in news}


async def test_a_wrong_token_is_told(ann: AsyncClient, door: Door) -> None:
    """No second try changes it."""
    table = await door.client.open()
    with pytest.raises(ProblemError, match="wrong_token"):
        await anext(aiter(ann.using("fst_nobody.nothing").follow(table.name)))


async def test_no_token_is_logged(ann: AsyncClient, door: Door, caplog: pytest.LogCaptureFixture) -> None:
    """Not even for those who debug."""
    caplog.set_level(logging.DEBUG)
    table = await door.client.open()
    await play(ann, table, 0)
    news = [each async for each in ann.using(table.tokens[0]).follow(table.name)]
    lines = [each.getMessage() for each in caplog.records if each.name != "uvicorn.error"]  # that is the service's

    assert news
    assert not [line for line in lines if table.tokens[0][:20] in line]


async def test_a_table_that_is_not_there_is_told(ann: AsyncClient, door: Door) -> None:
    """Alone it ends the following; beside others it is one piece of news."""
    table = await door.client.open()
    platform = ann.using(door.client.house.key)
    with pytest.raises(ProblemError, match="unknown_table"):
        await anext(aiter(platform.follow("nains-nowhere")))
    await play(ann, table, 0)
    news = [each async for each in platform.follow("nains-nowhere", table.name)]
    ended = [each for each in news if isinstance(each, Unfollowed)]

    assert ["unknown_table"] == [each.code for each in ended]


async def test_a_service_that_is_away_is_given_up_in_time() -> None:
    """Patience ends it with a word."""
    async with AsyncClient(f"http://127.0.0.1:{free_port()}", "fst_x", patience_s=0.2) as client:
        with pytest.raises(ProblemError, match="unreachable"):
            await anext(aiter(client.follow("nains-a")))
        with pytest.raises(ProblemError, match="unreachable"):
            await client.view("nains-a")


async def test_the_plain_client_does_the_same(door: Door, house: House) -> None:
    """From opening to outcome, from a thread of its own."""
    news = await asyncio.to_thread(whole_table, url(door), house.key)
    told = [each.chapter for each in news if isinstance(each, Told)]
    seen = [each.view for each in news if isinstance(each, Seen)]

    assert [*range(1, told[-1].last + 1)] == versions(told)
    assert "over" == seen[-1].status
    assert not any(isinstance(each, Rewound | Unfollowed) for each in news)


def whole_table(service: str, key: str) -> list[News]:
    with Client(service, key) as platform:
        table = platform.open_table("nains", seats=2).table
        ann, bo = (platform.using(platform.take_seat(table, seat, f"p{seat}").token) for seat in (0, 1))
        platform.start(table)
        running = {each.table for each in platform.tables(game="nains", status="running")}
        news: list[News] = []
        for each in ann.follow(Follow(table=table, after=0)):
            if not any(isinstance(one, Seen) for one in news) and isinstance(each, Seen):
                offered = ann.legal(table)
                sent = ann.send(table, offered.legal[0], version=offered.version)
                bo.send(table, {"kind": "concede", "seat": 1})
            news.append(each)
        told = [each.chapter for each in news if isinstance(each, Told)]

        assert table in running
        assert sent == ann.answer(table, uuid.UUID(sent.command_id))
        assert list(ann.history(table)) == told
        return news
