"""A client that is closed ends whatever waits in its name: calls, follows, conversations, sockets and threads."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from services.client import AsyncClient, Client, Conversation, ProblemError, synchronous
from services.client.common import SOCKET
from services.client.line import Line
from tests.live.door import Door
from tests.ports import free_port
from tests.until import PATIENCE_S

LONG_S = 100 * PATIENCE_S
"""Whoever waited so long was not ended."""

Kind = type[Client] | type[AsyncClient]
Ask = Callable[[Any], Any]

both = pytest.mark.parametrize("kind", [Client, AsyncClient])


def begin(client: Client | AsyncClient, ask: Ask, heard: Callable[[], object] = lambda: None) -> asyncio.Future[None]:
    """Let a task or a thread wait for all that is asked for; ``heard`` is called at each piece of news."""
    if isinstance(client, AsyncClient):
        return asyncio.ensure_future(_awaited(client, ask, heard))
    done: Future[None] = Future()

    def wait() -> None:
        try:
            asked = ask(client)
            for _ in asked if inspect.isgenerator(asked) else ():
                heard()
            done.set_result(None)
        except ProblemError as problem:
            done.set_exception(problem)

    threading.Thread(target=wait, daemon=True).start()
    return asyncio.wrap_future(done)


async def _awaited(client: AsyncClient, ask: Ask, heard: Callable[[], object]) -> None:
    asked = ask(client)
    if inspect.isasyncgen(asked):
        async for _ in asked:
            if inspect.isawaitable(said := heard()):
                await said
    else:
        await asked


async def close(client: Client | AsyncClient) -> None:
    """Close it, the plain one from a thread that does nothing else."""
    if isinstance(client, AsyncClient):
        await client.aclose()
    else:
        await asyncio.wait_for(begin(client, Client.close), PATIENCE_S)


async def is_closed(waiting: asyncio.Future[None]) -> None:
    """Return once it was told so."""
    with pytest.raises(ProblemError, match="closed"):
        await asyncio.wait_for(waiting, PATIENCE_S)


async def comes(condition: Callable[[], object]) -> None:
    """Return once it is true, while others go on."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


def threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if not each.name.startswith("asyncio_")}


@pytest.fixture
def ways(door: Door) -> Iterator[Callable[[Kind], Client | AsyncClient]]:
    """Return what makes a platform's client of a kind."""
    made: list[Client | AsyncClient] = []

    def make(kind: Kind) -> Client | AsyncClient:
        made.append(kind(f"http://127.0.0.1:{door.port}", door.client.house.key))
        return made[-1]

    yield make
    for each in made:
        if isinstance(each, Client):
            each.close()


@asynccontextmanager
async def nobody_answers() -> AsyncIterator[tuple[str, asyncio.Event]]:
    """Give the address of somebody who takes connections and says nothing, and what is set once there is one."""
    taken = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        taken.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", taken
    finally:
        server.close()


@both
async def test_a_follow_ends_with_its_client(door: Door, ways: Callable[[Kind], Any], kind: Kind) -> None:
    """In another name, too; its socket and its threads are gone, and closing once more changes nothing."""
    table, before, heard = await door.client.open(), threads(), threading.Event()
    client = ways(kind)
    waiting = [
        begin(each, lambda each: each.follow(table.name), heard.set)
        for each in (client, client.using(table.tokens[0]), client.patient_for(LONG_S))
    ]
    await comes(lambda: heard.is_set() and len(door.live.sockets) == len(waiting))
    await close(client)
    await close(client)
    for each in waiting:
        await is_closed(each)
    await comes(lambda: not door.live.sockets and threads() <= before)


@both
async def test_whoever_follows_may_close(door: Door, ways: Callable[[Kind], Any], kind: Kind) -> None:
    """In the middle of the news: nothing waits for itself, and no more of them comes."""
    table, heard = await door.client.open(), 0
    client = ways(kind)

    def closing() -> object:
        nonlocal heard
        heard += 1
        return client.aclose() if kind is AsyncClient else client.close()

    await is_closed(begin(client, lambda client: client.follow(table.name), closing))

    assert 1 == heard


async def test_what_nobody_reads_ends_as_well(
    door: Door, ways: Callable[[Kind], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the thread that hears waits for room, and whoever began to follow does something else."""
    monkeypatch.setattr(synchronous, "SOCKET", {**SOCKET, "max_queue": 1})
    tables, before = [(await door.client.open()).name for _ in range(4)], threads()
    plain, other = ways(Client), ways(AsyncClient)
    news, more = plain.follow(*tables), other.follow(*tables)
    await asyncio.to_thread(next, news)
    await anext(more)
    await close(plain)
    await close(other)
    await comes(lambda: not door.live.sockets and threads() <= before)
    with pytest.raises(ProblemError, match="closed"):
        await asyncio.to_thread(next, news)
    with pytest.raises(ProblemError, match="closed"):
        await anext(more)


@both
@pytest.mark.parametrize("ask", [lambda each: each.follow("nains-a"), lambda each: each.view("nains-a", at_least=9)])
async def test_who_waits_for_the_first_word_is_told(kind: Kind, ask: Ask) -> None:
    """A socket that is being opened, a view that does not come."""
    before = threads()
    async with nobody_answers() as (url, taken):
        client = kind(url, "fst_x", patience_s=LONG_S, timeout_s=LONG_S)
        waiting = begin(client, ask)
        await asyncio.wait_for(taken.wait(), PATIENCE_S)
        await close(client)
        await is_closed(waiting)
        await comes(lambda: threads() <= before)


@pytest.mark.parametrize("ask", [lambda each: each.follow("nains-a"), lambda each: each.games()])
async def test_who_waits_for_a_connection_is_told(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing wakes the thread that asks for it, such as while a name is looked up."""
    asked, go_on = threading.Event(), threading.Event()

    def look_up(*_: object, **__: object) -> list[Any]:
        asked.set()
        go_on.wait(LONG_S)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    client = Client("http://doors.test", "fst_x", patience_s=LONG_S, timeout_s=LONG_S)
    try:
        waiting = begin(client, ask)
        await comes(asked.is_set)
        client.close()
        await is_closed(waiting)
    finally:
        go_on.set()


@both
async def test_who_pauses_before_the_next_socket_is_told(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the pause would be."""
    pausing = threading.Event()

    def lost(*_: object) -> float:
        pausing.set()
        return LONG_S

    monkeypatch.setattr(Line, "lost", lost)
    client = kind(f"http://127.0.0.1:{free_port()}", "fst_x")
    waiting = begin(client, lambda each: each.follow("nains-a"))
    await comes(pausing.is_set)
    await close(client)
    await is_closed(waiting)


@both
async def test_who_pauses_before_asking_again_is_told(kind: Kind) -> None:
    """As long as the service says."""
    asked = threading.Event()

    def later(_: httpx.Request) -> httpx.Response:
        asked.set()
        return httpx.Response(503, json={"code": "busy", "details": {}}, headers={"Retry-After": str(int(LONG_S))})

    client = kind("http://doors", patience_s=2 * LONG_S, transport=httpx.MockTransport(later))
    waiting = begin(client, lambda each: each.games())
    await comes(asked.is_set)
    await close(client)
    await is_closed(waiting)


async def test_a_conversation_ends_with_its_client(door: Door, ways: Callable[[Kind], Any]) -> None:
    """Who reads is told, and who waits for an answer; afterwards nothing is sent any more, whoever reads."""
    table = await door.client.open(bots=2)
    client = ways(AsyncClient).using(door.client.house.bots)
    talk, unread = client.converse(), client.converse()

    def concede_by(which: Conversation) -> Ask:
        return lambda _: which.send(table.name, {"kind": "concede", "seat": 0})

    reading = begin(client, lambda _: talk.news())
    with door.client.house.rules_at_rest():
        sending = [begin(client, concede_by(each)) for each in (talk, unread)]
        await comes(lambda: door.live.desk.sends)
        await client.aclose()
        for each in (reading, *sending):
            await is_closed(each)
    await is_closed(begin(client, concede_by(talk)))
    await is_closed(begin(client, lambda _: talk.news()))
    await is_closed(begin(client, concede_by(unread)))
    await comes(lambda: not door.live.sockets)
