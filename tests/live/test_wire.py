"""A line that breaks anywhere costs nothing: commands happen once, and what was missed is told on return."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import uuid
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from services.live.closing import UNDER_US
from services.live.wire import LiveProtocol
from services.live.wishes import LARGEST
from tests.chaos.service import a_service
from tests.chaos.test_same_id import doors_of, running_table
from tests.live.door import Door, Line, a_door
from tests.live.test_following import is_whole
from tests.services.house import House
from tests.until import PATIENCE_S, until

HANDSHAKE = (
    b"GET /v1/live HTTP/1.1\r\n"
    b"Host: doors\r\n"
    b"Upgrade: websocket\r\n"
    b"Connection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    b"\r\n"
)


def frame(message: object) -> bytes:
    """Return a client's text frame, masked with zeros."""
    payload = json.dumps(message).encode()
    return b"\x81\xfe" + len(payload).to_bytes(2, "big") + bytes(4) + payload


async def cut_after(port: int, token: str, said: bytes) -> None:
    """Open a socket, show a token, send so many bytes and break the line."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"token": token}))
    await reader.readuntil(b'"kind":"welcome"')
    writer.write(said)
    await writer.drain()
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()


LAST = b"\x88\x82" + bytes(4) + (1000).to_bytes(2, "big")
"""A client's last word."""
UNREAD = 32_000_000
"""Bytes that no kernel keeps for who does not read."""

BROKEN = {
    "a kind of frame that there is not": (b"\x83\x80" + bytes(4), 1002),
    "not UTF-8": (b"\x81\x81" + bytes(4) + b"\xff", 1007),
    "too large": (b"\x81\xff" + (LARGEST + 1).to_bytes(8, "big") + bytes(4), 1009),
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_what_the_protocol_closes_with_is_described(door: Door, broken: str) -> None:
    """Its codes have no name of ours, and stand with the others all the same."""
    said, code = BROKEN[broken]
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(HANDSHAKE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"token": door.client.house.key}))
    await reader.readuntil(b'"kind":"welcome"')
    writer.write(said)
    heard = await reader.readuntil(code.to_bytes(2, "big"))
    writer.close()

    assert 0x88 == heard[-4]
    assert code in UNDER_US


async def test_a_process_ends_in_order_although_a_client_reads_no_answer_to_its_last_word(house: House) -> None:
    """Its line stays for a moment, on which nothing can be said any more; all others are told to come back."""
    async with AsyncExitStack() as stack:
        async with a_door(house) as door:
            reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
            stack.callback(writer.transport.abort)
            writer.write(HANDSHAKE)
            await reader.readuntil(b"\r\n\r\n")
            (under,) = (each for each in door.server.server_state.connections if isinstance(each, LiveProtocol))
            other = await stack.enter_async_context(door.socket())
            under.transport.write(bytes(UNREAD))
            writer.write(LAST)
            async with asyncio.timeout(PATIENCE_S):
                while not under.transport.is_closing():
                    await asyncio.sleep(0.005)

        assert 1012 == (await other.closed())[0]


async def test_a_command_frame_cut_at_any_byte_and_sent_again_happens_once(door: Door) -> None:
    """Whatever part of it had come: one move, the same board, every step once, and a second return brings nothing."""
    table = await door.client.open()
    command = (await door.client.legal(table, 0))[0]
    wish = {"send": command, "table": table.name, "id": str(uuid.uuid4())}
    whole = frame(wish)
    before = await door.history(table, table.tokens[0])
    for end in range(len(whole)):
        await cut_after(door.port, table.tokens[0], whole[:end])
    assert before == await door.history(table, table.tokens[0])

    await cut_after(door.port, table.tokens[0], whole)  # and nobody hears the answer
    seen = before[-1]["last"]
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name, after=seen)
        answer = await line.ask(**wish)
        view = await line.version(answer["last"])
        await line.told(table.name, 0, answer["last"])
        shown = await door.client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])

        assert "accepted" == answer["kind"]
        assert shown.json() == view["view"]
        assert line.chapters(table.name, 0) == await door.history(table, table.tokens[0], seen)
        assert is_whole(line.chapters(table.name, 0), after=seen, last=answer["last"])
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name, after=answer["last"], seen=answer["last"])
        await line.ask(ping=1)

        assert ["welcome", "following", "pong"] == [each["kind"] for each in line.heard]


async def test_a_store_that_was_killed_is_found_again(house: House, door: Door) -> None:
    """Follows outlive it, and go on with what comes then."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        followed = await line.ask(follow=table.name)
        first = await door.play(table, 1)
        await line.told(table.name, 0, first)
        house.kill_store()
        command = (await door.client.legal(table, 0))[0]
        wish = {"send": command, "table": table.name, "id": str(uuid.uuid4())}
        while (answer := await line.ask(**wish))["kind"] != "accepted":
            assert answer["kind"] == "pending" or answer["code"] in {"store_away", "store_lost"}, answer
            await asyncio.sleep(0.05)
        await line.told(table.name, 0, answer["last"])

        assert is_whole(line.chapters(table.name, 0), after=followed["after"], last=answer["last"])


async def test_a_process_that_is_told_to_end_says_so(tmp_path: Path) -> None:
    """With a close code that means: come back at once; the other process goes on where it stood."""
    with a_service(tmp_path, workers=1, projections=1) as service:
        async with doors_of(service) as doors:
            table = await running_table(doors, service)
        first, second = service.ports
        async with connect(f"ws://127.0.0.1:{first}/v1/live", compression=None) as socket:
            line = Line(socket)
            await line.ask(token=service.bots)
            await line.ask(follow=table, after=0)
            last = await line.told(table, None, 3)
            os.kill(service.apis[0].pid, signal.SIGTERM)

            assert 1012 == (await line.closed())[0]
            assert 1012 in UNDER_US
        await asyncio.to_thread(until, lambda: not service.apis[0].alive, what="the process has ended")
        async with connect(f"ws://127.0.0.1:{second}/v1/live", compression=None) as socket:
            line = Line(socket)
            await line.ask(token=service.bots)
            await line.ask(follow=table, after=last)

            assert not line.chapters(table, None)
