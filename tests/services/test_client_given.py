"""What could never be meant is refused by the client in words, before anything is sent."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from services.client import AsyncClient, Client, Follow, ProblemError

HALF = "\ud800"
SECRET = "fck_9a8b_" + "s" * 43
TABLE = "nains-a"

WRONG: list[tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]] = [
    *((ValueError, "view", (name,), {}) for name in ("", ".", "..", "../keys", f"{TABLE}/seats/0", "a/../b", HALF)),
    *((TypeError, "view", (name,), {}) for name in (None, 5, b"nains-a")),
    (ValueError, "answer", (TABLE, "../view"), {}),
    (ValueError, "answer", (TABLE, SECRET), {}),
    (TypeError, "answer", (TABLE, 5), {}),
    (ValueError, "send", (TABLE, {"kind": HALF}), {}),
    (TypeError, "send", (TABLE, {"kind": object()}), {}),
    *((TypeError, "take_seat", (TABLE, seat, "ann"), {}) for seat in ("0/token", "0", 0.0, None)),
    (ValueError, "take_seat", (TABLE, 0, HALF), {}),
    (TypeError, "take_seat", (TABLE, 0, "ann"), {"salt": "zz"}),
    (ValueError, "seat_bot", (TABLE, 0, HALF), {}),
    *((TypeError, name, (TABLE, "0/.."), {}) for name in ("leave_seat", "renew_token", "revoke_seat_tokens")),
    (TypeError, "seat_bot", (TABLE, "0/token", "greedy"), {}),
    (TypeError, "open_table", ("nains",), {"seats": 2, "bots": [(0, "greedy")]}),
    (TypeError, "open_table", ("nains",), {"seats": 2, "options": ["thin_treasury"]}),
    (ValueError, "open_table", (HALF,), {"seats": 2}),
    (ValueError, "tables", (), {"game": HALF}),
    (TypeError, "follow", (5,), {}),
    (ValueError, "follow", (HALF,), {}),
]


def never(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"{request.method} {request.url} was sent")


@pytest.fixture
def client() -> Iterator[Client]:
    """Return a client that may send nothing."""
    with Client("http://doors", SECRET, transport=httpx.MockTransport(never)) as client:
        yield client


@pytest.mark.parametrize(("kind", "name", "given", "named"), WRONG)
def test_what_cannot_be_meant_is_told_and_not_sent(
    client: Client, kind: type[Exception], name: str, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """By Python's own kinds of fault, in the client's own words, which repeat nothing of it."""
    with pytest.raises((TypeError, ValueError)) as told:
        next(getattr(client, name)(*given, **named))

    assert kind is told.type
    assert not any(each in str(told.value) for each in (SECRET, "../", "seats/0", "codec", "attribute"))


async def test_the_asynchronous_client_refuses_the_same() -> None:
    """The operations are the same."""
    async with AsyncClient("http://doors", SECRET, transport=httpx.MockTransport(never)) as client:
        with pytest.raises(ValueError, match="one part of an address"):
            await client.view("../keys")
        with pytest.raises(TypeError, match="a seat is a whole number"):
            await client.take_seat(TABLE, "0/token", "ann")  # type: ignore[arg-type]  # that is the point
        with pytest.raises(ValueError, match="half a character"):
            await client.converse().send(TABLE, {"kind": HALF})


def test_a_follow_is_of_a_table_that_can_be_named() -> None:
    """Else it would break on the line, long after."""
    with pytest.raises(TypeError, match="a table's name is a text"):
        Follow(table=5)  # type: ignore[arg-type]  # that is the point


def test_a_name_with_strange_letters_is_one_part_of_the_address() -> None:
    """Whatever stands in it, nothing else is asked for; and an id is good as a text, as results have it."""
    asked: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(404, json={"code": "unknown_table"})

    command = uuid.uuid4()
    with Client("http://doors", SECRET, transport=httpx.MockTransport(note)) as client:
        with pytest.raises(ProblemError, match="unknown_table"):
            client.start("a?b#c d\\é")
        with pytest.raises(ProblemError, match="unknown_table"):
            client.answer(TABLE, str(command))

    assert ["/v1/tables/a%3Fb%23c%20d%5C%C3%A9/start", f"/v1/tables/{TABLE}/commands/{command}"] == asked


def test_a_closed_client_follows_no_more() -> None:
    """As it asks no more, in its own name or another."""
    client = Client("http://doors", SECRET, transport=httpx.MockTransport(never))
    client.close()
    for closed in (client, client.using("fst_other")):
        with pytest.raises(Exception, match="closed") as asked:
            closed.server_time()
        with pytest.raises(asked.type, match="closed"):
            next(closed.follow(TABLE))


async def test_a_closed_asynchronous_client_follows_no_more() -> None:
    """Nor does it begin a conversation."""
    client = AsyncClient("http://doors", SECRET, transport=httpx.MockTransport(never))
    await client.aclose()
    with pytest.raises(Exception, match="closed") as asked:
        await client.server_time()
    with pytest.raises(asked.type, match="closed"):
        await anext(client.follow(TABLE))
    with pytest.raises(asked.type, match="closed"):
        client.converse()
