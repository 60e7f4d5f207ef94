"""Bots are clients: they find their tables, see their own seats only, and play to the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from services.bots import corner, seat
from services.bots.choosing import View, choose_any, chooser
from services.bots.seat import SeatPlayer
from services.bots.service import BotService
from services.cli.__main__ import program
from services.client import AsyncClient, ProblemError, TableView
from tests.live.door import Door, a_door
from tests.services.house import Client, House, Table, client_of


@pytest.fixture
async def doors(client: Client) -> AsyncIterator[AsyncClient]:
    transport = client.http._transport  # noqa: SLF001  the connection to the application under test
    async with AsyncClient("http://doors", client.house.bots, transport=transport) as bots:
        yield bots


@asynccontextmanager
async def bots_at_work(house: House, *, live: dict[str, Any] | None = None) -> AsyncIterator[Door]:
    """Let bots play through a door of their own."""
    stop = asyncio.Event()
    async with a_door(house, live=live) as door, AsyncClient(f"http://127.0.0.1:{door.port}", house.bots) as client:
        playing = asyncio.create_task(BotService(client, delay_s=0, random=Random(1)).run(stop))
        yield door
        stop.set()
        await playing


async def over(doors: AsyncClient, table: str) -> TableView:
    """Return what a table shows once it is over."""
    version = 0
    while (view := await doors.view(table, at_least=version)).status != "over":
        version = view.version + 1
    return view


async def asked(doors: AsyncClient, table: Table) -> list[int]:
    return [each.seat for each in (await doors.view(table.name)).asked]


async def test_a_table_of_bots_is_found_and_played_to_the_end(client: Client, doors: AsyncClient) -> None:
    """Nobody tells the service where to play; when it is done the table has an outcome and is let go."""
    table = await client.open(seats=3, bots=3)
    async with bots_at_work(client.house) as door:
        view = await over(doors, table.name)
        while any((table.name, each) in socket.follows for socket in door.live.sockets for each in range(3)):
            await asyncio.sleep(0.01)

        assert 1 == len(door.live.sockets)

    assert view.outcome is not None
    assert [0, 1, 2] == sorted(seat for group in view.outcome.ranking for seat in group)


async def test_a_bot_waits_for_people(client: Client, doors: AsyncClient) -> None:
    """Where a person is asked nothing happens for them; the bot's own answer is given."""
    table = await client.open(seats=2, bots=1)
    async with bots_at_work(client.house):
        while await asked(doors, table) != [0]:
            await asyncio.sleep(0.01)
        answered = await client.play(table, 0, (await client.legal(table, 0))[0])

    assert 200 == answered.status_code


async def test_a_seat_given_up_is_played_on(client: Client, doors: AsyncClient) -> None:
    """With three seats a bot stands in for whoever concedes, although nobody invited it."""
    table = await client.open(seats=3)
    await client.play(table, 2, {"kind": "concede", "seat": 2})
    async with bots_at_work(client.house):
        while 2 in await asked(doors, table):
            await asyncio.sleep(0.01)


async def test_a_seat_given_up_beside_a_bot_is_played_on(client: Client, doors: AsyncClient) -> None:
    """At a table that bots play at already, they learn of it where they sit."""
    table = await client.open(seats=3, bots=1)
    async with bots_at_work(client.house):
        while 2 in await asked(doors, table):
            await asyncio.sleep(0.01)
        await client.play(table, 0, {"kind": "concede", "seat": 0})
        while 0 in await asked(doors, table):
            await asyncio.sleep(0.01)

    assert [1] == await asked(doors, table)


async def test_more_seats_than_a_socket_may_follow_are_played_over_several(client: Client, doors: AsyncClient) -> None:
    """However few one may, all tables end."""
    tables = [await client.open(seats=2, bots=2) for _ in range(3)]
    async with bots_at_work(client.house, live={"follows_of_socket": 3}) as door:
        await asyncio.gather(*(over(doors, table.name) for table in tables))

        assert len(door.live.sockets) >= 3


async def test_a_bot_decides_by_what_its_seat_sees(
    client: Client, doors: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And by nothing else."""
    found: set[tuple[int, int]] = set()

    def choose(view: View, legal: Sequence[View], random: Random) -> int:
        found.add((view["viewpoint"], legal[0]["seat"]))
        return choose_any(view, legal, random)

    monkeypatch.setattr(seat, "chooser", lambda _game, _player: choose)
    table = await client.open(seats=3, bots=3)
    async with bots_at_work(client.house):
        await over(doors, table.name)

    assert {(0, 0), (1, 1), (2, 2)} == found


async def test_who_was_too_late_looks_again(
    client: Client, doors: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else moves for a bot's seat while it thinks: its answer is stale, and it plays on."""
    answer = SeatPlayer._answer  # noqa: SLF001  what happens while it thinks
    overtaken: list[int] = []

    async def overtake(self: SeatPlayer, view: TableView) -> int:
        if not overtaken:
            sent = await doors.send(view.table, view.legal[0], version=view.version)
            overtaken.append(sent.last)
        return await answer(self, view)

    monkeypatch.setattr(SeatPlayer, "_answer", overtake)
    monkeypatch.setattr(seat, "AFTER_REFUSAL_S", 3600.0)  # who is too late need not wait
    table = await client.open(seats=2, bots=2)
    async with bots_at_work(client.house):
        await over(doors, table.name)

    assert overtaken


async def test_trouble_at_one_table_stops_no_other(
    client: Client, doors: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a bot failed it is left alone for a while, and then played on."""
    monkeypatch.setattr(corner, "AFTER_TROUBLE_S", 0.2)
    well, ill = [await client.open(seats=2, bots=2) for _ in range(2)]
    cured = False

    def choose(view: View, legal: Sequence[View], random: Random) -> int:
        if view["table"] == ill.name and not cured:
            raise ZeroDivisionError
        return choose_any(view, legal, random)

    monkeypatch.setattr(seat, "chooser", lambda _game, _player: choose)
    async with bots_at_work(client.house):
        await over(doors, well.name)
        before = await doors.view(ill.name)
        cured = True
        await over(doors, ill.name)

    assert "running" == before.status


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


async def test_bots_whose_key_has_ended_end_too(house: House) -> None:
    """Whoever started them starts them again, with the key that is in the file then."""
    async with a_door(house) as door, AsyncClient(f"http://127.0.0.1:{door.port}", "fbk_no_no") as client:
        with pytest.raises(ProblemError, match="wrong_token"):
            await BotService(client, delay_s=0, random=Random(1)).run(asyncio.Event())


def test_an_unknown_bot_plays_at_random() -> None:
    """A table whose bot this program does not know does not stand still."""
    assert choose_any is chooser("nains", "bot:grandmaster")
    assert choose_any is chooser("nains", "a person who gave up")


def test_bots_without_a_key_say_what_is_missing(tmp_path: Path) -> None:
    """Whether there is no file, or nothing in it."""
    empty = tmp_path / "empty"
    empty.write_text("\n")
    missing, nothing = [
        CliRunner().invoke(program(), ["bots"], env={"FIDCHELL_BOTS_KEY_FILE": str(path)})
        for path in (tmp_path / "none", empty)
    ]

    assert [1, 1] == [missing.exit_code, nothing.exit_code]
    assert "cannot be read" in missing.output
    assert "fidchell new-key bots" in nothing.output
