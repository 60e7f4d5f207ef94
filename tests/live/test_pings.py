"""Frames that say nothing cost nothing, however many come."""

from __future__ import annotations

import asyncio

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from services.live.wire import BUFFER_BYTES, LiveProtocol
from tests.live.door import PATIENCE_S, Door
from tests.live.test_wire import HANDSHAKE, frame

PINGS = (b"\x89\xfd" + bytes(4) + b"p" * 125) * 8_000
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


async def test_pings_of_a_client_that_does_not_read_pile_up_nowhere(door: Door, protocols: list[LiveProtocol]) -> None:
    """The door stops reading when its pongs are not taken, and goes on when they are."""
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


async def test_empty_pieces_of_a_message_are_not_kept(door: Door, protocols: list[LiveProtocol]) -> None:
    """A message may be cut into as many pieces as a client likes; those without a byte are forgotten."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    said = frame({"token": door.client.house.key})
    writer.write(b"\x01" + said[1:] + (b"\x00\x80" + bytes(4)) * 10_000)
    writer.write(b"\x89\x80" + bytes(4))
    await reader.readuntil(b"\x8a\x00")
    (protocol,) = protocols
    kept = len(protocol.frames)
    writer.write(b"\x80\x80" + bytes(4))
    await reader.readuntil(b'"kind":"welcome"')
    writer.transport.abort()

    assert 1 == kept
