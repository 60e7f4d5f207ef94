"""What a connection may cost before anybody knows who speaks: bytes of its head, time, and its place."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import repeat
from typing import Any

import pytest
from starlette.types import Message
from structlog.testing import capture_logs
from uvicorn.protocols.utils import ClientDisconnected

from services.api.caching import OWN
from services.api.sending import now_ms
from services.api.wire import HEAD_BYTES
from services.live.asyncapi import PATH
from tests.live.door import Door, a_door
from tests.live.test_wire import HANDSHAKE
from tests.services.house import House
from tests.until import PATIENCE_S

GET = b"GET /healthz HTTP/1.1\r\nHost: doors\r\n"
POST = b"POST /v1/tables HTTP/1.1\r\nHost: doors\r\nContent-Type: application/json\r\n"
SOON = {"head_s": 0.3, "body_s": 0.3}


def posted(door: Door, more: bytes) -> bytes:
    """Return the start of a request whose body is read."""
    return POST + f"Authorization: Bearer {door.client.house.key}\r\n".encode() + more


class Raw:
    """A connection on which anything may be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, said: bytes) -> None:
        self._writer.write(said)

    def end(self) -> None:
        """Say that nothing more will be sent."""
        self._writer.write_eof()

    async def rest(self) -> bytes:
        """Return what comes until the other side closes."""
        said = b""
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                while more := await self._reader.read(65_536):
                    said += more
        return said

    async def head(self) -> bytes:
        """Return the head of an answer."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._reader.readuntil(b"\r\n\r\n")

    async def answer(self) -> tuple[int, Any]:
        """Return status and body of an answer whose length is told."""
        head = await self.head()
        async with asyncio.timeout(PATIENCE_S):
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            return int(head.split()[1]), json.loads(await self._reader.readexactly(length))


@asynccontextmanager
async def raw(door: Door, said: bytes = b"") -> AsyncIterator[Raw]:
    """Give a connection on which this was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(said)
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def heard(door: Door, said: bytes) -> bytes:
    """
    Return what a connection is told until it is closed, on which this was sent.

    One whose time was over before any of it came is closed without a word: then there is another.
    """
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with raw(door, said) as line:
                if told := await line.rest():
                    return told


@pytest.mark.parametrize(
    "start",
    [GET + b"X: ", b"GET /", b"\r\n", HANDSHAKE[:-2] + b"X: ", GET + b"X: 1\r\n" * 1_000 + b"Y: "],
    ids=["value", "address", "lines", "handshake", "many"],
)
async def test_a_head_has_an_end(door: Door, start: bytes) -> None:
    """One byte beyond the size it is refused, whatever it is made of."""
    fill = b"\r\n" if start == b"\r\n" else b"x"
    async with raw(door, (start + fill * HEAD_BYTES)[: HEAD_BYTES + 1]) as line:
        status, problem = await line.answer()

        assert (431, "head_too_large", {"limit": HEAD_BYTES}) == (status, problem["code"], problem["details"])
        assert b"" == await line.rest()


@pytest.mark.parametrize(
    "said",
    [b"\0\r\n\r\n", GET + b"X: \0\r\n\r\n", POST + b"Content-Length: x\r\n\r\n", POST + b"Content-Length: -1\r\n\r\n"],
    ids=["no words", "zero", "length", "negative"],
)
async def test_what_is_no_http_is_told_in_a_problem_document(door: Door, said: bytes) -> None:
    """Like every other no; and the connection is closed."""
    async with raw(door, said) as line:
        status, problem = await line.answer()

        assert (400, "malformed", "not_http") == (status, problem["code"], problem["details"]["reason"])
        assert b"" == await line.rest()


async def test_a_chunk_that_is_none_is_told_in_a_problem_document(door: Door) -> None:
    """The request that it belongs to has no other answer."""
    async with raw(door, posted(door, b"Transfer-Encoding: chunked\r\n\r\n")) as line:
        line.send(b"2\r\n{}\r\nz\r\n")
        status, problem = await line.answer()

        assert (400, "not_http") == (status, problem["details"]["reason"])
        assert b"" == await line.rest()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"\0\r\n\r\n", 400),
        (GET + b"X: " + b"x" * HEAD_BYTES, 431),
        (HANDSHAKE.replace(b"/v1/live", b"/v1/lives"), 404),
        (HANDSHAKE, 101),
        (HANDSHAKE.replace(b"MDEy", b"MDE"), 400),
    ],
    ids=["no HTTP", "head", "socket elsewhere", "handshake", "no handshake"],
)
async def test_answers_that_no_door_gave_tell_the_time_as_well(door: Door, said: bytes, status: int) -> None:
    """As every answer does."""
    async with raw(door, said) as line:
        require_time(await line.head(), status)


async def test_who_was_too_slow_is_told_the_time_as_well(house: House) -> None:
    """As by every answer."""
    async with a_door(house, bounds=SOON) as door:
        require_time(await heard(door, GET[:9]), 408)


def require_time(said: bytes, status: int) -> None:
    """An answer of this status tells the time."""
    head = said.partition(b"\r\n\r\n")[0].decode() + "\r"

    assert f"HTTP/1.1 {status} " == head[:13]
    (told,) = re.findall(r"^fidchell-time: (\d+)\r$", head, re.MULTILINE | re.IGNORECASE)
    assert abs(int(told) - now_ms()) < 60_000


@pytest.mark.parametrize("path", [b"/v1/lives", b"/v1/live/", b"/v1/games"])
async def test_a_socket_elsewhere_is_told_in_a_problem_document(
    door: Door, path: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """There is one address for sockets; at all others there is none, which is no fault of the service."""
    async with raw(door, HANDSHAKE.replace(b"/v1/live", path)) as line:
        status, problem = await line.answer()

        assert (404, "not_found") == (status, problem["code"])
        assert b"" == await line.rest()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def test_a_large_head_that_fits_is_answered(door: Door) -> None:
    """And the next one on the same connection has all the room again."""
    head = GET + b"X: " + b"x" * (HEAD_BYTES - len(GET) - 7) + b"\r\n\r\n"
    assert len(head) == HEAD_BYTES
    async with raw(door) as line:
        for _ in range(3):
            line.send(head)

            assert (200, {"status": "alive"}) == await line.answer()


@pytest.mark.parametrize("start", [b"0\r\nX: ", b"2;x="], ids=["trailer", "chunk"])
async def test_what_comes_with_a_body_and_is_none_has_an_end(door: Door, start: bytes) -> None:
    """Trailers and the words beside chunks are kept no more than a head is."""
    async with raw(door, posted(door, b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")) as line:
        line.send(start + b"x" * 2 * HEAD_BYTES)

        assert b"head_too_large" in await line.rest()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (GET[:9], b"request_too_slow"),
        (GET, b"request_too_slow"),
        (HANDSHAKE[:-2], b"request_too_slow"),
        (POST + b"Content-Length: 9\r\n\r\n{", b"no_token"),
        (GET + b"\r\n" + GET, b"request_too_slow"),
    ],
    ids=["line", "head", "handshake", "body", "second"],
)
async def test_nobody_is_waited_for_for_ever(house: House, said: bytes, told: bytes) -> None:
    """Whoever stops in the middle of a request is told, and gone."""
    async with a_door(house, bounds=SOON) as door, asyncio.timeout(PATIENCE_S):
        while told not in await heard(door, said):  # the door may have been so slow that its answer came too late
            pass


async def test_whoever_says_nothing_is_let_go(house: House) -> None:
    """There is nothing to tell them."""
    async with a_door(house, bounds=SOON) as door, raw(door) as line:
        assert b"" == await line.rest()


async def dripped(door: Door, head: bytes, drops: Iterable[bytes], pause_s: float) -> bytes:
    """Return what a connection is told on which drop after drop follows a head, with pauses; else as ``heard``."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with raw(door, head) as line:
                rest = asyncio.create_task(line.rest())
                for drop in drops:
                    await asyncio.wait([rest], timeout=pause_s)
                    if rest.done():
                        break
                    line.send(drop)
                if told := await rest:
                    return told


async def test_time_does_not_begin_anew_with_each_byte(house: House) -> None:
    """A head that comes byte by byte has no more time than another."""
    async with a_door(house, bounds=SOON) as door:
        assert b"408" in await dripped(door, GET, repeat(b"x"), 0.02)


async def test_a_slow_body_within_its_time_is_read(house: House) -> None:
    """Its time is its own, and that of the head is over."""
    async with a_door(house, bounds={"head_s": 0.2}) as door:
        head = posted(door, b"Connection: close\r\nContent-Length: 40\r\n\r\n")
        assert b'"malformed"' in await dripped(door, head, [b"["] * 40, 0.01)


async def test_more_connections_than_may_be_are_turned_away(house: House) -> None:
    """Sockets count, and there is room again as soon as one has gone."""
    async with a_door(house, bounds={"connections": 2}) as door:
        async with door.line(house.key), raw(door, GET + b"\r\n") as second:
            alive = await second.answer()
            async with raw(door) as third:
                status, problem = await third.answer()

            assert (200, {"status": "alive"}) == alive
            assert (503, "too_many_connections", {"limit": 2}) == (status, problem["code"], problem["details"])
        async with door.line(house.key):
            assert len(door.live.sockets) == 1


def handshake(changed: bytes = b"", to: bytes = b"", more: bytes = b"") -> bytes:
    """Return a handshake in which this was changed, and to which so much was added."""
    return HANDSHAKE.replace(changed, to, 1)[:-2] + more + b"\r\n"


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        (handshake(more=b"X: " + b"x" * 9_000 + b"\r\n"), 431, "head_too_large"),
        (handshake(more=b"X: 1\r\n" * 200), 431, "head_too_large"),
        (handshake(b"/v1/live", b"/v1/live?" + b"x" * 9_000), 431, "head_too_large"),
        (handshake(b"GET", b"POST"), 405, "method_not_allowed"),
        (handshake(b"MDEy", b"CANARY"), 400, "malformed"),
        (handshake(b"13", b"14"), 400, "malformed"),
        (handshake(b"Sec-WebSocket-Key", b"Key"), 400, "malformed"),
        (handshake(more=b"Upgrade: websocket\r\n"), 400, "malformed"),
        (handshake(b"GET", b"POST", more=b"Content-Length: 2\r\n"), 400, "malformed"),
        (handshake(b"GET", b"POST", more=b"Transfer-Encoding: chunked\r\n"), 400, "malformed"),
    ],
    ids=["line", "lines", "address", "method", "key", "version", "no key", "twice", "body", "chunks"],
)
async def test_a_handshake_that_the_library_refuses_is_told_as_every_no(
    door: Door, said: bytes, status: int, code: str
) -> None:
    """In a problem document that repeats nothing, with the server's time; and the connection is closed."""
    async with raw(door, said) as line:
        head, body = (await line.rest()).split(b"\r\n\r\n")
    names = [each.partition(b":")[0].lower() for each in head.split(b"\r\n")[1:]]
    problem = json.loads(body)

    assert (b"HTTP/1.1 %d" % status, status, code) == (head[:12], problem["status"], problem["code"])
    assert code != "malformed" or problem["details"]["reason"] == "not_websocket"
    assert {b"fidchell-time", b"content-type", b"content-length", b"connection"} <= set(names)
    assert len(names) == len(set(names))
    assert b"application/problem+json" in head
    assert b"CANARY" not in body
    assert not door.live.sockets


async def test_a_yes_to_a_handshake_is_its_callers_own(door: Door) -> None:
    """As every answer below ``/v1``."""
    async with raw(door, HANDSHAKE) as line:
        head = (await line.head()).decode().lower()

    assert f"cache-control: {OWN}\r\n" in head
    assert "vary: authorization\r\n" in head


async def test_a_client_that_goes_before_it_hears_a_yes_is_no_fault(door: Door) -> None:
    """It is forgotten like any other that went."""

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(_: Message) -> None:
        raise ClientDisconnected

    with capture_logs() as logs:
        await door.app({"type": "websocket", "path": PATH, "client": ("127.0.0.1", 1)}, receive, send)

    assert [] == logs
    assert not door.live.sockets
