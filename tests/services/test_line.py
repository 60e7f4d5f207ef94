"""The way to a server that answers nothing: whoever asks hears so in time, and nobody is left behind waiting."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import ResponseError

from services.api.cluster import Cluster
from services.api.line import CONNECTIONS, Line
from tests.clusters import MASTERS, running_cluster
from tests.servers import Server, running_server, valkey_binary
from tests.services.house import silent
from tests.services.split import STORE_S
from tests.until import PATIENCE_S, until

WITHIN_S = 1.0
TOLD_S = 30 * WITHIN_S
"""Far sooner than a crowd would hear that had to wait in turn."""
CROWD = 100 * CONNECTIONS
PING = [("PING",)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that falls silent for nobody else."""
    with running_server(valkey_binary(), tmp_path_factory.mktemp("silent")) as server:
        yield server


@asynccontextmanager
async def a_line(url: str, *, within_s: float = WITHIN_S) -> AsyncIterator[Line]:
    line = Line(url, within_s=within_s)
    try:
        yield line
    finally:
        await line.close()


async def asked(line: Line) -> object:
    """Return the answer to a PING, or how it failed."""
    try:
        return (await line.ask(PING))[0]
    except TimeoutError:
        return TimeoutError


async def until_it_speaks(line: Line) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while line.is_silent:
            await asyncio.sleep(0.005)


async def until_it_answers(line: Line) -> None:
    """Return when a question is answered in time: a machine may stand still for longer than that."""
    async with asyncio.timeout(PATIENCE_S):
        while await asked(line) != b"PONG":
            await asyncio.sleep(0.005)


async def test_a_crowd_hears_of_silence_as_soon_as_one_alone(server: Server) -> None:
    """Most of them never had their turn; no task of theirs stays behind, and all is well when the server wakes."""
    async with a_line(server.url) as line:
        await until_it_answers(line)
        before = len(asyncio.all_tasks())
        with silent(server.process.pid):
            async with asyncio.timeout(TOLD_S):
                answers = await asyncio.gather(*(asked(line) for _ in range(CROWD)))

            assert [TimeoutError] * CROWD == answers
            assert len(asyncio.all_tasks()) <= before + 1, "who finds out when it speaks again"
        await asyncio.gather(*(until_it_answers(line) for _ in range(2 * CONNECTIONS)))


async def test_a_silent_server_is_waited_for_once(server: Server) -> None:
    """Who asks after that hears so at once: the question does not even begin to wait."""
    async with a_line(server.url) as line:
        with silent(server.process.pid):
            assert TimeoutError is await asked(line)
            with pytest.raises(TimeoutError):
                line.ask(PING).send(None)
        await until_it_answers(line)


async def test_a_question_that_takes_too_long_silences_no_server_that_answers_others(server: Server) -> None:
    """It fails alone."""
    async with a_line(server.url, within_s=STORE_S) as line:
        found: list[bool] = []
        question = asyncio.create_task(line.ask([("BLPOP", "nothing", 0)]))
        question.add_done_callback(lambda _: found.append(line.is_silent))
        while not question.done():
            assert b"PONG" == await asked(line)
            await asyncio.sleep(0.01)

        assert isinstance(question.exception(), TimeoutError)
        assert [False] == found


async def test_an_answer_that_nobody_waits_for_is_told_to_nobody_else(server: Server) -> None:
    """Who gave up has taken the connection with them: what comes late is not the answer to a later question."""
    async with a_line(server.url, within_s=STORE_S) as line:
        await until_it_answers(line)
        question = asyncio.create_task(line.ask([("ECHO", "first"), ("BLPOP", "late", 0)]))
        await until_it_is_blocked(line)
        question.cancel()
        await asyncio.wait({question})

        for number in range(3):
            assert [1, str(number).encode()] == await line.ask([("RPUSH", f"late{number}", 1), ("ECHO", number)])


async def until_it_is_blocked(line: Line) -> None:
    """Return when somebody waits for an element of a list."""
    async with asyncio.timeout(PATIENCE_S):
        while b"blocked_clients:1" not in (await line.ask([("INFO", "clients")]))[0]:
            await asyncio.sleep(0.005)


async def test_a_complaint_is_the_answer_to_its_own_command_alone(server: Server) -> None:
    """Answers keep their places, whatever they are, and words go as they stand."""
    async with a_line(server.url) as line:
        await until_it_answers(line)
        said = "é\r\n\0 $3"
        first, complaint, last = await line.ask([("ECHO", said), ["ECHO"], ("ECHO", b"\xff" * 70_000)])

        assert (said.encode(), b"\xff" * 70_000) == (first, last)
        assert isinstance(complaint, ResponseError)


async def test_a_silent_server_holds_up_no_end(server: Server) -> None:
    """Whoever waits is told before the line is closed."""
    line = Line(server.url, within_s=WITHIN_S)
    with silent(server.process.pid):
        crowd = [asyncio.create_task(asked(line)) for _ in range(2 * CONNECTIONS)]
        await asyncio.sleep(0)  # they have begun
        async with asyncio.timeout(TOLD_S):
            await line.close()

        assert [TimeoutError] * len(crowd) == [each.result() for each in crowd]


async def test_a_server_that_cannot_be_reached_is_silent() -> None:
    """Packets to it get lost; closing the line does not wait for it either."""
    with deaf() as url:
        async with asyncio.timeout(TOLD_S):
            async with a_line(url) as line:
                assert TimeoutError is await asked(line)
                assert line.is_silent


async def test_a_server_that_is_gone_is_not_taken_for_silent(tmp_path: Path) -> None:
    """Each question finds out by itself that nobody is there."""
    with running_server(valkey_binary(), tmp_path) as server:
        async with a_line(server.url) as line:
            os.kill(server.process.pid, signal.SIGSTOP)
            assert TimeoutError is await asked(line)
            server.kill()
            await until_it_speaks(line)

            with pytest.raises(BrokenError):
                await line.ask(PING)


@contextmanager
def deaf() -> Iterator[str]:
    """Give the address of a port that takes no more connections, and says nothing about it."""
    with ExitStack() as stack:
        door = stack.enter_context(socket.socket())
        door.bind(("127.0.0.1", 0))
        door.listen(0)
        for _ in range(4):
            knock = stack.enter_context(socket.socket())
            knock.setblocking(False)  # noqa: FBT003  its own name for it
            knock.connect_ex(door.getsockname())
        yield f"redis://127.0.0.1:{door.getsockname()[1]}"


@pytest.mark.parametrize("is_known", [False, True], ids=["with a question under way", "when it is known to be silent"])
async def test_nobody_waits_long_to_leave_a_silent_node(tmp_path: Path, *, is_known: bool) -> None:
    """Connections are given back in time, questions end, and no task goes on asking whether the node is back."""
    with running_cluster(tmp_path) as nodes:
        keys = {nodes.holder(f"key-{number}"): f"key-{number}" for number in range(100)}
        questions = [("GET", key) for key in keys.values()]
        seed = Line(nodes.url, within_s=STORE_S)
        cluster = Cluster(nodes.url, seed, within_s=STORE_S)
        before = asyncio.all_tasks()
        assert [None] * MASTERS == await cluster.ask(questions)
        with silent(nodes.nodes[0].process.pid):
            asked = asyncio.create_task(cluster.ask(questions))
            await asyncio.wait([asked], timeout=None if is_known else 0)
            async with asyncio.timeout(TOLD_S):
                await asyncio.gather(cluster.close(), seed.close())
            async with asyncio.timeout(TOLD_S):
                assert 1 == sum(isinstance(each, Exception) for each in await asked)
                while asyncio.all_tasks() - before:
                    await asyncio.sleep(0.005)


async def test_nobody_opens_a_way_again_that_was_closed(tmp_path: Path) -> None:
    """Whoever comes late is told so: a connection that is opened then is given back by nobody."""
    with running_cluster(tmp_path) as nodes:
        keys = {nodes.holder(f"key-{number}"): f"key-{number}" for number in range(100)}
        questions = [("GET", key) for key in keys.values()]
        seed = Line(nodes.url, within_s=STORE_S)
        cluster = Cluster(nodes.url, seed, within_s=STORE_S)
        assert [None, None] == await cluster.ask(questions[:2]), "the third node was not asked yet"
        await asyncio.gather(cluster.close(), seed.close())

        with pytest.raises(BrokenError):
            await seed.ask(PING)
        assert [True] * MASTERS == [isinstance(each, Exception) for each in await cluster.ask(questions)]
        until(lambda: not any(map(clients, nodes.nodes)), what="all connections are given back")


def clients(server: Server) -> list[str]:
    """Return the addresses from which somebody is connected to a server over TCP."""
    with redis.Redis.from_url(server.url) as client:
        listed: Any = client.client_list(_type="normal")
        return [each["addr"] for each in listed if each["addr"].startswith("127.0.0.1")]
