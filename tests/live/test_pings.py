"""Frames that say nothing cost nothing, however many come; and who gives no sign of life is let go."""

from __future__ import annotations

import asyncio
import logging
import socket

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from services.api.wire import SIP_BYTES
from services.live import wire
from services.live.line import Line
from services.live.news import News
from services.live.socket import ANSWERS, Socket
from services.live.wire import BUFFER_BYTES, PIECES, LiveProtocol
from tests.live.door import Door, a_door
from tests.live.test_connections import raw
from tests.live.test_wire import HANDSHAKE, frame
from tests.services.house import House
from tests.until import PATIENCE_S

PINGS = (b"\x89\xfd" + bytes(4) + b"p" * 125) * 8_000
PING = b"\x89\x80" + bytes(4)
SHORT_PING = b"\x81\x8a" + bytes(4) + b'{"ping":1}'
NO_WORD = b"\x81\x80" + bytes(4)
AT_ANY_PACE = 10**9
HASTE = 1_000
"""How much sooner than set a door pings in haste, and loses patience."""

READ_AT_ONCE = 262_144
"""The most that the event loop reads before the protocol may stop it."""


@pytest.fixture
def protocols(monkeypatch: pytest.MonkeyPatch) -> list[LiveProtocol]:
    """Return the protocols of all sockets that are opened from now on."""
    made: list[LiveProtocol] = []
    before = WebSocketsSansIOProtocol.start_keepalive

    def opened(protocol: LiveProtocol) -> None:
        made.append(protocol)
        before(protocol)

    monkeypatch.setattr(LiveProtocol, "start_keepalive", opened)
    return made


async def test_pings_of_a_client_that_does_not_read_pile_up_nowhere(
    door: Door, protocols: list[LiveProtocol], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The door stops reading when its pongs are not taken, and goes on when they are."""
    monkeypatch.setattr(wire, "FRAMES_AT_ONCE", AT_ANY_PACE)
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port, limit=1_024)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"token": door.client.house.key}))
    await reader.readuntil(b'"kind":"welcome"')
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    (protocol,) = protocols
    most = 0
    for _ in range(20):  # twenty megabytes
        writer.write(PINGS)
        for _ in range(50):
            await asyncio.sleep(0)
            most = max(most, protocol.transport.get_write_buffer_size())
        if protocol.read_paused:
            break
    stopped = protocol.read_paused
    writer.transport.resume_reading()  # type: ignore[attr-defined]
    writer.write(frame({"ping": 1}))
    async with asyncio.timeout(PATIENCE_S):
        said = b""
        while b'"kind":"pong"' not in said[-2_000:]:
            said += await reader.read(65_536)
    writer.transport.abort()

    assert stopped
    assert most < BUFFER_BYTES + READ_AT_ONCE


@pytest.mark.parametrize("said", [SHORT_PING, NO_WORD], ids=["pings", "messages that say nothing"])
async def test_answers_that_a_client_does_not_read_pile_up_nowhere(
    door: Door, protocols: list[LiveProtocol], monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Of what it sends no more is taken than may be answered, also where it came at once; each is answered later."""
    messages, tell, most = 20_000, Socket.tell, 0

    def count(answering: Socket, news: News) -> None:
        nonlocal most
        tell(answering, news)
        most = max(most, len(answering._answers))  # noqa: SLF001  what is kept for the client

    monkeypatch.setattr(Socket, "tell", count)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    line.connect(("127.0.0.1", door.port))
    reader, writer = await asyncio.open_connection(sock=line, limit=1_024)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"token": door.client.house.bots}))  # at any pace
    await reader.readuntil(b'"kind":"welcome"')
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(said * messages)  # whose answers are more than can be on the way
    (protocol,), (kept,) = protocols, door.live.sockets
    async with asyncio.timeout(PATIENCE_S):
        while protocol.writable.is_set():
            await asyncio.sleep(0.005)
    for _ in range(100):
        await asyncio.sleep(0)
    waiting = len(kept._answers) + len(kept.begun) + protocol.queue.qsize()  # noqa: SLF001
    writer.transport.resume_reading()  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE_S):
        heard = b""
        while b'"re":%d,' % (messages + 1) not in heard[-2_000:]:
            heard += await reader.read(65_536)
    writer.transport.abort()

    assert most <= ANSWERS + 1
    assert waiting <= ANSWERS + 1 + SIP_BYTES / len(NO_WORD)


@pytest.mark.parametrize(("piece", "most"), [(b"\x00\x80" + bytes(4), 1), (b"\x00\x81" + bytes(4) + b" ", PIECES)])
async def test_pieces_of_a_message_are_not_kept_one_by_one(
    door: Door, protocols: list[LiveProtocol], monkeypatch: pytest.MonkeyPatch, piece: bytes, most: int
) -> None:
    """It may be cut into any number of them: those without a byte are forgotten, others put together."""
    for bound in ("FRAMES_AT_ONCE", "FIRST_BYTES"):
        monkeypatch.setattr(wire, bound, AT_ANY_PACE)
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    said = frame({"token": door.client.house.key})
    writer.write(b"\x01" + said[1:] + piece * 10_000)
    writer.write(PING)
    await reader.readuntil(b"\x8a\x00")
    (protocol,) = protocols
    kept = len(protocol.frames)
    writer.write(b"\x80\x80" + bytes(4))
    await reader.readuntil(b'"kind":"welcome"')
    writer.transport.abort()

    assert 1 <= kept <= most


async def test_messages_that_come_at_once_are_taken_one_after_the_other(
    door: Door, protocols: list[LiveProtocol]
) -> None:
    """What was read of a socket waits as it came, and not as objects many times as large."""
    messages = 5_000
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"token": door.client.house.key}) + frame({"ping": 1}) * messages)
    await reader.readuntil(b'"kind":"pong"')
    (protocol,) = protocols
    most = 0
    for _ in range(50):
        await reader.readuntil(b'"kind":"pong"')
        most = max(most, protocol.queue.qsize())
    writer.transport.abort()

    assert most < 200


async def test_a_frame_before_the_line_is_there_ends_it_without_a_word(
    door: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A handshake that was not answered yet has no close frame; and it is no fault of the service."""
    serve, come, go = door.live.serve, asyncio.Event(), asyncio.Event()

    async def slowly(line: Line) -> None:
        come.set()
        await go.wait()
        await serve(line)

    monkeypatch.setattr(door.live, "serve", slowly)
    async with raw(door, HANDSHAKE) as line:
        await come.wait()
        line.send(b"\x81\x01x")  # it is not masked
        said = await line.rest()
        go.set()
    while door.live.sockets:
        await asyncio.sleep(0.005)

    assert b"" == said
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


def hasten(protocol: LiveProtocol, *names: str) -> None:
    """Let a socket have these of its settings shorter from now on, where they are set at all."""
    protocol.stop_keepalive()
    for name in names:
        if (seconds := getattr(protocol, name)) is not None:
            setattr(protocol, name, seconds / HASTE)
    protocol.start_keepalive()


async def test_a_client_that_answers_no_ping_is_closed_and_its_place_given_back(
    house: House, protocols: list[LiveProtocol]
) -> None:
    """It still reads, and hears why; the place is the next one's."""
    async with a_door(house, live={"sockets": 1}) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(HANDSHAKE)
        async with asyncio.timeout(PATIENCE_S):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame({"token": house.key}))
            await reader.readuntil(b'"kind":"welcome"')
            hasten(protocols[0], "ping_interval", "ping_timeout")
            said = await reader.read()
        async with asyncio.timeout(PATIENCE_S):
            while door.live.sockets:
                await asyncio.sleep(0.005)
        writer.transport.abort()
        async with door.line(house.key):
            assert 1 == len(door.live.sockets)

    assert said.endswith((1011).to_bytes(2, "big") + b"keepalive ping timeout")


async def test_a_client_that_answers_its_pings_stays(door: Door, protocols: list[LiveProtocol]) -> None:
    """Each next ping comes when the one before was answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    async with asyncio.timeout(PATIENCE_S):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame({"token": door.client.house.key}))
        await reader.readuntil(b'"kind":"welcome"')
        hasten(protocols[0], "ping_interval")
        for _ in range(10):
            await reader.readuntil(b"\x89\x04")
            writer.write(b"\x8a\x84" + bytes(4) + await reader.readexactly(4))
        writer.write(frame({"ping": 1}))
        await reader.readuntil(b'"kind":"pong"')

    assert 1 == len(door.live.sockets)
    writer.transport.abort()
