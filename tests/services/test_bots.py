"""Bots are clients: they find their tables, see their own seats only, and play to the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import httpx
import pytest

from services.bots.choosing import choose_any, chooser
from services.bots.service import BotService
from services.client import AsyncClient
from tests.services.house import Client, House, Table, client_of


@pytest.fixture
async def doors(client: Client) -> AsyncIterator[AsyncClient]:
    transport = client.http._transport  # noqa: SLF001  the connection to the application under test
    async with AsyncClient("http://doors", client.house.bots, transport=transport) as bots:
        yield bots


@asynccontextmanager
async def bots_at_work(doors: AsyncClient) -> AsyncIterator[None]:
    stop = asyncio.Event()
    random = Random(1)
    playing = asyncio.create_task(BotService(doors, delay_s=0, random=random).run(stop))
    yield
    stop.set()
    await playing


async def asked(doors: AsyncClient, table: Table) -> list[int]:
    return [each.seat for each in (await doors.view(table.name)).asked]


async def test_a_table_of_bots_is_found_and_played_to_the_end(client: Client, doors: AsyncClient) -> None:
    """Nobody tells the service where to play; when it is done the table has an outcome."""
    table = await client.open(seats=3, bots=3)
    async with bots_at_work(doors):
        version = 0
        while (view := await doors.view(table.name, at_least=version)).status != "over":
            version = view.version + 1

    assert view.outcome is not None
    assert [0, 1, 2] == sorted(seat for group in view.outcome.ranking for seat in group)


async def test_a_bot_waits_for_people(client: Client, doors: AsyncClient) -> None:
    """Where a person is asked nothing happens for them; the bot's own answer is given."""
    table = await client.open(seats=2, bots=1)
    async with bots_at_work(doors):
        while await asked(doors, table) != [0]:
            await asyncio.sleep(0.01)
        answered = await client.play(table, 0, (await client.legal(table, 0))[0])

    assert 200 == answered.status_code


async def test_a_seat_given_up_is_played_on(client: Client, doors: AsyncClient) -> None:
    """With three seats a bot stands in for whoever concedes, although nobody invited it."""
    table = await client.open(seats=3)
    await client.play(table, 2, {"kind": "concede", "seat": 2})
    async with bots_at_work(doors):
        while 2 in await asked(doors, table):
            await asyncio.sleep(0.01)


async def test_a_lost_answer_is_asked_for_again_with_the_same_key(house: House) -> None:
    """Whether or not it happened, the decision happens once."""
    async with client_of(house) as client:
        table = await client.open(seats=2, bots=1)
        lossy = Lossy(client.http._transport)  # noqa: SLF001  the connection to the application under test
        async with AsyncClient("http://doors", house.bots, transport=lossy) as bots:
            view = await bots.view(table.name, seat=1)
            sent = await bots.send(table.name, view.legal[0], version=view.version)

    assert view.version + 1 == sent.last
    assert [1, 2] == [len(lossy.keys), lossy.posts]


class Lossy(httpx.AsyncBaseTransport):
    """Loses the answer to the first command."""

    def __init__(self, inner: Any) -> None:  # noqa: ANN401  a transport
        self._inner = inner
        self.posts = 0
        self.keys: set[str] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response: httpx.Response = await self._inner.handle_async_request(request)
        if request.method == "POST":
            self.posts += 1
            self.keys.add(request.headers["Idempotency-Key"])
            if self.posts == 1:
                raise httpx.ReadError("lost")
        return response


def test_an_unknown_bot_plays_at_random() -> None:
    """A table whose bot this program does not know does not stand still."""
    assert choose_any is chooser("nains", "bot:grandmaster")
    assert choose_any is chooser("nains", "a person who gave up")
