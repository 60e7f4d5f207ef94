"""Whoever sends as fast as the line takes it costs others nothing, with a token or without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.frames import Frame

from services.api.wire import SIP_BYTES
from services.ending import end
from services.live.closing import Closing
from services.live.handshake import Handshakes
from services.live.wire import FIRST_BYTES, FRAMES_AT_ONCE
from tests.live.door import Door
from tests.live.test_wire import HANDSHAKE, LAST, frame
from tests.until import PATIENCE_S

SMALLEST = 6
"""Bytes of a frame that says nothing, with the mask of a client."""
BEGUN = b"\x01\x80" + bytes(4)
FLOODS = {
    "pongs nobody asked for": b"\x8a\x80" + bytes(4),
    "pings": b"\x89\x80" + bytes(4),
    "pieces that say nothing": b"\x00\x80" + bytes(4),
    "pieces of a letter": b"\x00\x81" + bytes(4) + b" ",
}
MESSAGES = {"messages in two pieces": b"\x01\x81" + bytes(4) + b" " + b"\x80\x80" + bytes(4)}
CASES = [(each, welcome) for each in FLOODS for welcome in (False, True)] + [(each, True) for each in MESSAGES]
TOO_FAST = b"\x88\x0e" + Closing.RATE_LIMITED.to_bytes(2, "big") + b"rate_limited"
GOODBYE = b"\x88\x02" + (1000).to_bytes(2, "big")
NO_TEXT = b"\x88\x02" + (1007).to_bytes(2, "big")
TOO_LARGE = b"\x88\x02" + (1009).to_bytes(2, "big")


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """Return every frame that is read of any socket from now on."""
    read: list[Frame] = []
    before = Handshakes.recv_frame

    def reading(protocol: Handshakes, frame: Frame) -> None:
        read.append(frame)
        before(protocol, frame)

    monkeypatch.setattr(Handshakes, "recv_frame", reading)
    return read


@asynccontextmanager
async def opened(door: Door, token: str | None) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Give both ends of a socket; one with a token was made welcome."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    if token is not None:
        writer.write(frame({"token": token}))
        await reader.readuntil(b'"kind":"welcome"')
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def send_for_ever(writer: asyncio.StreamWriter, said: bytes) -> None:
    with suppress(ConnectionError):
        while True:
            writer.write(said)
            await writer.drain()


@asynccontextmanager
async def flooding(writer: asyncio.StreamWriter, said: bytes) -> AsyncIterator[None]:
    """Send the same again and again while the block is alive."""
    sending = asyncio.create_task(send_for_ever(writer, said))
    try:
        yield
    finally:
        await end([sending])


async def heard(reader: asyncio.StreamReader, last: bytes) -> bytes:
    """Return what was said up to this, or the end."""
    said = b""
    async with asyncio.timeout(PATIENCE_S):
        while last not in said[-5_000:] and (more := await reader.read(1_000)):
            said += more
    return said


@pytest.mark.parametrize(("name", "welcome"), CASES)
async def test_frames_that_are_no_message_may_be_only_so_many(
    door: Door, frames: list[Frame], name: str, *, welcome: bool
) -> None:
    """Whoever sends more is told to go, and not read any further; others are answered meanwhile."""
    flood = (FLOODS | MESSAGES)[name]
    begin = BEGUN if name.startswith("pieces") else b""
    key = door.client.house.key
    async with door.line(key) as other, opened(door, key if welcome else None) as (reader, writer):
        writer.write(begin)
        async with flooding(writer, flood * 2_000):
            said = await heard(reader, TOO_FAST)
            read = len(frames)
            assert "pong" == (await other.ask(ping=1))["kind"]

    assert TOO_FAST in said
    assert read < FRAMES_AT_ONCE + SIP_BYTES / SMALLEST + 10
    assert len(frames) < read + 10, "and the ping of the other"


async def test_no_more_is_read_than_a_token_needs_before_it_came(door: Door) -> None:
    """Neither one long message, nor many pieces of one."""
    piece = b"\x00\xfd" + bytes(4) + b" " * 125
    one = b"\x81\xfe" + (FIRST_BYTES * 2).to_bytes(2, "big") + bytes(4) + b" " * FIRST_BYTES * 2
    heard_of = []
    for said in (BEGUN + piece * (FIRST_BYTES // 125), one):
        async with opened(door, None) as (reader, writer):
            writer.write(said)
            heard_of.append(await heard(reader, TOO_LARGE))

    assert [True, True] == [TOO_LARGE in each for each in heard_of]


async def test_who_was_told_to_go_floods_in_vain(door: Door, frames: list[Frame]) -> None:
    """Messages behind the last word count as any frame."""
    async with opened(door, None) as (reader, writer):
        writer.write(frame({"token": "fck_no_no"}))
        await heard(reader, b"bad_token")
        async with flooding(writer, b"\x81\x80" + bytes(4)), asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                await reader.read()

    assert len(frames) < FRAMES_AT_ONCE + SIP_BYTES / SMALLEST + 10


async def test_a_text_that_is_none_is_told_to_its_sender_alone(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    """Whole or in pieces; no library complains of it in the service's log."""
    said_of = []
    for said in (b"\x81\x81" + bytes(4) + b"\xff", b"\x01\x81" + bytes(4) + b"\xc3" + b"\x80\x81" + bytes(4) + b" "):
        async with opened(door, door.client.house.key) as (reader, writer):
            writer.write(said)
            said_of.append(await heard(reader, NO_TEXT))

    assert [True, True] == [NO_TEXT in each for each in said_of]
    assert [] == [each for each in caplog.records if each.name.startswith("uvicorn")]


@pytest.mark.parametrize("said", [b"\x81\x81" + bytes(4) + b"\xff", FLOODS["pings"] * 300], ids=["no text", "pings"])
async def test_who_says_goodbye_in_the_same_breath_is_answered(door: Door, said: bytes) -> None:
    """Whatever they are to be told to go for; it is no fault of the service."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    async with opened(door, door.client.house.key) as (reader, writer):
        writer.write(said * (1 + FRAMES_AT_ONCE // 300))
        writer.write(LAST)
        answered = GOODBYE in await heard(reader, GOODBYE)

    assert answered
    assert [] == faults
