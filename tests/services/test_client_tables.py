"""What the client does with tables: over the application itself, without a connection."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import AsyncIterator

import pytest

from events.messages import Seat
from events.nains.commands import PlaceBets
from events.nains.vocabulary import CoinId
from services.client import AsyncClient, ProblemError
from services.client import Client as Plain
from tests.services.house import Client, House, client_of
from tests.services.test_bots import bots_at_work


@pytest.fixture
async def platform(client: Client) -> AsyncIterator[AsyncClient]:
    transport = client.http._transport  # noqa: SLF001  the connection to the application under test
    async with AsyncClient("http://doors", client.house.key, transport=transport) as platform:
        yield platform


async def test_the_same_id_opens_one_table(platform: AsyncClient) -> None:
    """Who is not sure whether it happened asks again."""
    key = uuid.uuid4()
    first, again = [await platform.open_table("nains", seats=2, command_id=key) for _ in range(2)]

    assert first == again
    assert str(key) == first.command_id


async def test_seats_are_given_left_and_given_again(platform: AsyncClient) -> None:
    """Each player has a token of their own; the one who left has none any more."""
    table = (await platform.open_table("nains", seats=2)).table
    ann = await platform.take_seat(table, 0, "ann", salt=bytes(32))
    await platform.leave_seat(table, 0)
    bo = await platform.take_seat(table, 0, "bo")
    renewed = await platform.renew_token(table, 0)

    assert (table, 0) == (renewed.table, renewed.seat)
    assert 0 == (await platform.using(bo.token).view(table)).viewpoint
    with pytest.raises(ProblemError, match="not_your_seat") as told:
        await platform.using(ann.token).view(table)
    assert 403 == told.value.status


async def test_a_command_may_be_a_typed_one(platform: AsyncClient) -> None:
    """What ``events`` defines is sent as it is; the answer can be asked for later."""
    table = (await platform.open_table("nains", seats=2, bots={1: "random"}, options={})).table
    ann = platform.using((await platform.take_seat(table, 0, "ann")).token)
    await platform.start(table)
    coins = tuple(map(CoinId, ("B5", "B4", "B3")))
    sent = await ann.send(table, PlaceBets(seat=Seat(0), coins=coins))
    view = await ann.view(table, at_least=sent.last)

    assert sent == await ann.answer(table, uuid.UUID(sent.command_id))
    assert view.document["version"] == view.version >= sent.last
    assert view.legal == (await ann.legal(table)).legal


async def test_a_stale_answer_names_the_version(platform: AsyncClient) -> None:
    """The no is raised with its code, its details and the status."""
    table = (await platform.open_table("nains", seats=2, bots={1: "random"})).table
    ann = platform.using((await platform.take_seat(table, 0, "ann")).token)
    started = await platform.start(table)
    view = await ann.view(table)
    sent = await ann.send(table, view.legal[0], version=view.version)
    with pytest.raises(ProblemError) as told:
        await ann.send(table, view.legal[1], version=view.version)

    assert started.last == view.version
    assert ("stale_version", 409, {"version": sent.last}) == (told.value.code, told.value.status, told.value.details)


async def test_a_long_story_comes_whole(client: Client, platform: AsyncClient) -> None:
    """Page after page, oldest first; the lobby as well."""
    table = await client.open(seats=5, bots=5)
    async with bots_at_work(client.house):
        version = 0
        while (view := await platform.view(table.name, at_least=version)).status != "over":
            version = view.version + 1
    chapters = [each async for each in platform.history(table.name)]
    late = [each async for each in platform.history(table.name, after=chapters[105].last)]
    rows = [each async for each in platform.tables(game="nains", status="over")]

    assert len(chapters) > 110
    assert [*range(1, view.version + 1)] == [
        version for each in chapters for version in range(each.first, each.last + 1)
    ]
    assert chapters[106:] == late
    assert [table.name] == [each.table for each in rows if each.table == table.name]


async def test_the_terms_of_a_table_are_asked_for(platform: AsyncClient) -> None:
    """Private, with spectators behind, and begun by itself once every player is ready."""
    table = (await platform.open_table("nains", seats=2, private=True, ready=True, spectator_delay=60)).table
    ann, bo = [platform.using((await platform.take_seat(table, seat, f"p{seat}")).token) for seat in (0, 1)]
    await ann.set_ready(table, 0)
    await ann.drop_ready(table, 0)
    await bo.set_ready(table, 1)
    before = await ann.view(table)
    began = await ann.set_ready(table, 0)
    view = await ann.view(table, at_least=began.last)

    assert (True, True, 60) == (view.private, view.ready, view.spectator_delay)
    assert ("open", "running") == (before.status, view.status)


async def test_strangers_are_invited_to_play_and_to_watch(platform: AsyncClient) -> None:
    """Each with a token of their own, at a table that nobody else sees."""
    table = (await platform.open_table("nains", seats=2, private=True)).table
    invited = await platform.invite(table, seat=1, valid_s=60)
    watching = await platform.spectator_token(table, valid_s=60)
    given = await platform.using(invited.token).take_seat(table, 1)
    view = await platform.using(watching.token).view(table)

    assert invited.player == view.seats[1].player
    assert 1 == (await platform.using(given.token).view(table)).viewpoint
    with pytest.raises(ProblemError, match="no_token"):
        await platform.using(None).view(table)


async def test_a_cancelled_table_is_played_once_more(platform: AsyncClient) -> None:
    """The same seats at a new table, each with a new token; asked twice it is one."""
    table = (await platform.open_table("nains", seats=2, bots={1: "random"})).table
    await platform.take_seat(table, 0, "ann")
    with pytest.raises(ProblemError, match="table_not_over"):
        await platform.rematch(table)
    await platform.cancel(table)
    again, twice = [await platform.rematch(table) for _ in range(2)]
    old = await platform.view(table)

    assert ("over", "platform", again.table) == (old.status, old.cancelled, old.rematch)
    assert [again.table] == list({again.table, twice.table})
    assert [(0, "ann")] == [(each.seat, each.player) for each in again.seats]
    assert table == (await platform.using(again.seats[0].token).view(again.table)).parent


async def test_a_guest_plays_without_a_key(house: House) -> None:
    """From coming in to the first move, where guests are let in."""
    async with client_of(house, guests="tests") as doors:
        transport = doors.http._transport  # noqa: SLF001  the connection to the application under test
        async with AsyncClient("http://doors", transport=transport) as nobody:
            guest = await nobody.come_in()
            host = nobody.using(guest.token)
            table = (await host.open_table("nains", seats=2)).table
            seat = nobody.using((await host.take_seat(table, 0)).token)
            await host.seat_bot(table, 1, "random")
            await host.start(table)
            view = await seat.view(table)
            await seat.send(table, view.legal[0], version=view.version)

    assert guest.player == view.seats[0].player
    assert view.seats[1].bot


async def test_the_plain_client_has_the_same_calls() -> None:
    """With the same parameters, each by the same name."""
    names = [name for name in vars(Plain) if not name.startswith("_") and name != "close"]

    assert "rematch" in names
    for name in names:
        one, other = (inspect.signature(getattr(kind, name)) for kind in (Plain, AsyncClient))
        assert one.parameters == other.parameters, name
