"""A connection that breaks anywhere, or on which nothing is said for long, costs nothing."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import uuid
from pathlib import Path

import pytest
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as BrokenError

from services.api.line import Line
from tests.chaos.service import a_service
from tests.chaos.test_same_id import bodies, doors_of, legal, running_table
from tests.servers import Server
from tests.until import PATIENCE_S, until

TROUBLE = ("store_failed", "store_away", "renewal_failed", "push_was_lost", "lobby_was_away", "error", "Traceback")


async def test_a_command_cut_at_any_byte_and_sent_again_happens_once(tmp_path: Path) -> None:
    """Whatever part of it had arrived, the whole one is accepted and stands in the history once."""
    with a_service(tmp_path, workers=1, projections=1, apis=1) as service:
        async with doors_of(service) as doors:
            table = await running_table(doors, service)
            command = (await legal(doors, service, table, 0))[0]
            key = uuid.uuid4()
            body = json.dumps(command)
            lines = [
                f"POST /v1/tables/{table}/commands HTTP/1.1",
                "Host: doors",
                f"Authorization: Bearer {service.bots}",
                f"Idempotency-Key: {key}",
                "Content-Type: application/json",
                f"Content-Length: {len(body)}",
                "",
                body,
            ]
            request = "\r\n".join(lines).encode()
            for end in range(1, len(request)):
                with socket.create_connection(("127.0.0.1", service.ports[0])) as line:
                    line.sendall(request[:end])
            assert not bodies(service, table, key)
            with socket.create_connection(("127.0.0.1", service.ports[0])) as line:
                line.sendall(request)  # and nobody hears the answer
            path = f"/v1/tables/{table}/commands"
            answer = await doors.send(table, path, service.bots, key, command)

            assert answer.get("code") is None
            assert 1 == len(bodies(service, table, key))


@pytest.mark.parametrize(
    ("seconds", "longest_s"),
    [(6, PATIENCE_S), pytest.param(61, 0.1, marks=[pytest.mark.soak, pytest.mark.timeout(300)])],
)
async def test_silence_breaks_nothing(tmp_path: Path, seconds: int, longest_s: float) -> None:
    """Longer than any time-out: no process complains, and the next command is answered at once."""
    with a_service(tmp_path, ttl_ms=5_000, workers=1, projections=1, apis=1) as service:
        async with doors_of(service) as doors:
            table = await running_table(doors, service)
            command = (await legal(doors, service, table, 0))[0]
            since = time.monotonic()
            before = [len(each.lines()) for each in service.processes]
            await asyncio.to_thread(
                until, lambda: time.monotonic() > since + seconds, what="it was silent for long", timeout=10 * seconds
            )
            began = time.monotonic()
            answer = await doors.send(table, f"/v1/tables/{table}/commands", service.bots, uuid.uuid4(), command)
            took = time.monotonic() - began
            said = "".join(each.lines()[known:] for each, known in zip(service.processes, before, strict=True))

    print(f"\nthe first command after {seconds} s: {took * 1000:.0f} ms")
    assert answer.get("code") is None
    assert not [word for word in TROUBLE if word in said.replace('"level": "error"', "error")], said
    assert took < longest_s


async def test_a_connection_that_is_found_closed_is_a_store_that_is_away(
    valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop has a word of its own for it; to whoever asks it is no fault of the doors."""
    line = Line(valkey.url, within_s=5)
    with monkeypatch.context() as patched:
        patched.setattr(AbstractConnection, "send_packed_command", _closed)
        with pytest.raises(BrokenError, match="closed"):
            await line.ask([("PING",)])
    answers = await line.ask([("PING",)])
    await line.close()

    assert [b"PONG"] == answers


async def _closed(*command: object, **options: object) -> None:
    raise RuntimeError("unable to perform operation on <UnixTransport closed=True>; the handler is closed")
