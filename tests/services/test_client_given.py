"""What could never be meant is refused by the client in words, before anything is sent."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import httpx
import numpy as np
import pytest

from services.client import AsyncClient, Client, Follow, ProblemError

HALF = "\ud800"
SECRET = "fck_9a8b_" + "s" * 43
TABLE = "nains-a"
SECONDS = ("patience_s", "timeout_s")
UNHEARD_S = 5
"""Shorter than a command waits for its answer, which here nobody gives."""
int64: Any = np.int64

PASS = {"kind": "pass_turn", "seat": 0}
NESTED: dict[str, Any] = {"kind": "pass_turn"}
NESTED["seat"] = NESTED
TERMS = ("private", "ready")
LOOKS = ("view", "legal", "history")
WITH_ID: list[tuple[str, tuple[Any, ...]]] = [
    ("take_seat", (0, "ann")),
    ("seat_bot", (0, "greedy")),
    ("leave_seat", (0,)),
    ("start", ()),
    ("set_ready", (0,)),
    ("drop_ready", (0,)),
    ("cancel", ()),
    ("send", (PASS,)),
]
WRONG_COMMANDS: list[Any] = [5, "pass", b"{}", None, [], {"kind": 5}, {5: 1}]
WRONG_IDS: list[Any] = [5, b"x", 0, []]
WRONG_LISTS: list[dict[str, Any]] = [{"game": 5}, {"status": 5}, {"own": "yes"}, {"own": None}]
WRONG_BOTS: list[Any] = [[(0, "greedy")], [], "", {"1": "greedy"}, {True: "greedy"}, {1: None}]
WRONG_OPTIONS: list[Any] = [["thin_treasury"], 0, {5: True}, {"thin_treasury": None}, {"thin_treasury": 1.5}]

Case = tuple[type[Exception], str, tuple[Any, ...], dict[str, Any]]
WRONG: list[Case] = [
    (TypeError, "send", (5, PASS), {}),
    *((ValueError, "view", (name,), {}) for name in ("", ".", "..", "../keys", f"{TABLE}/seats/0", "a/../b", HALF)),
    *((TypeError, "view", (name,), {}) for name in (None, 5, b"nains-a")),
    (ValueError, "answer", (TABLE, "../view"), {}),
    (ValueError, "answer", (TABLE, SECRET), {}),
    (TypeError, "answer", (TABLE, 5), {}),
    (ValueError, "send", (TABLE, {"kind": HALF}), {}),
    (TypeError, "send", (TABLE, {"kind": object()}), {}),
    *((TypeError, "send", (TABLE, command), {}) for command in WRONG_COMMANDS),
    *((ValueError, "send", (TABLE, command), {}) for command in ({}, NESTED)),
    *((TypeError, name, (TABLE, *given), {"command_id": each}) for name, given in WITH_ID for each in WRONG_IDS),
    *((ValueError, name, (TABLE, *given), {"command_id": each}) for name, given in WITH_ID for each in ("", "x")),
    (TypeError, "open_table", ("nains",), {"seats": 2, "command_id": 5}),
    *((TypeError, "send", (TABLE, PASS), {"version": each}) for each in ("3", 3.0, True)),
    (ValueError, "send", (TABLE, PASS), {"version": -1}),
    *((TypeError, name, (TABLE, "0"), {}) for name in ("set_ready", "drop_ready")),
    *((TypeError, "take_seat", (TABLE, seat, "ann"), {}) for seat in ("0/token", "0", 0.0, None)),
    (ValueError, "take_seat", (TABLE, 0, HALF), {}),
    (TypeError, "take_seat", (TABLE, True, "ann"), {}),
    *((ValueError, "take_seat", (TABLE, seat, "ann"), {}) for seat in (-1, 2**63)),
    *((TypeError, "take_seat", (TABLE, 0, player), {}) for player in (5, b"ann", ["a"], False)),
    (TypeError, "take_seat", (TABLE, 0, "ann"), {"salt": "zz"}),
    (ValueError, "take_seat", (TABLE, 0, "ann"), {"salt": b"short"}),
    (ValueError, "seat_bot", (TABLE, 0, HALF), {}),
    *((TypeError, name, (TABLE, "0/.."), {}) for name in ("leave_seat", "renew_token", "revoke_seat_tokens")),
    (TypeError, "seat_bot", (TABLE, "0/token", "greedy"), {}),
    (TypeError, "seat_bot", (TABLE, 0, 5), {}),
    *((TypeError, "open_table", ("nains",), {"seats": each}) for each in ("3", 2.0, True, None)),
    *((TypeError, "open_table", ("nains",), {"seats": 2, "bots": each}) for each in WRONG_BOTS),
    *((TypeError, "open_table", ("nains",), {"seats": 2, "options": each}) for each in WRONG_OPTIONS),
    *((TypeError, "open_table", ("nains",), {"seats": 2, name: each}) for name in TERMS for each in ("yes", 1, None)),
    *((TypeError, "open_table", ("nains",), {"seats": 2, "spectator_delay": each}) for each in ("9", 9.5, True, None)),
    (TypeError, "open_table", (5,), {"seats": 2}),
    (ValueError, "open_table", (HALF,), {"seats": 2}),
    (ValueError, "tables", (), {"game": HALF}),
    *((TypeError, "tables", (), each) for each in WRONG_LISTS),
    *((TypeError, "invite", (TABLE,), each) for each in ({"seat": "0"}, {"player": 5}, {"valid_s": "60"})),
    (TypeError, "spectator_token", (TABLE,), {"valid_s": 1.5}),
    *((TypeError, "renew_token", (TABLE, 0), each) for each in ({"scope": None}, {"valid_s": True})),
    (TypeError, "revoke_invitations", (TABLE,), {"player": 5}),
    *((TypeError, name, (TABLE,), {"seat": each}) for name in LOOKS for each in ("0", 0.0, True)),
    *((TypeError, name, (TABLE,), {"at_least": each}) for name in ("view", "legal") for each in ("3", None)),
    *((TypeError, "history", (TABLE,), {"after": each}) for each in ("1", 1.0, True)),
    (ValueError, "history", (TABLE,), {"after": -1}),
    *((TypeError, "patient_for", (each,), {}) for each in ("x", None, True)),
    *((ValueError, "patient_for", (each,), {}) for each in (-1, float("nan"), 10**400)),
    (TypeError, "using", (5,), {}),
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
        for kind, name, given, named in WRONG:
            with pytest.raises(kind):
                await _asked(getattr(client, name)(*given, **named))


async def _asked(call: Any) -> None:  # noqa: ANN401  whatever a call of the client gives
    if hasattr(call, "__anext__"):
        await anext(call)
    else:
        await call


async def test_a_conversation_refuses_the_same() -> None:
    """Nothing is on its way afterwards."""
    sent = [case for case in WRONG if case[1] == "send"]
    async with AsyncClient("http://doors", SECRET, patience_s=0, transport=httpx.MockTransport(never)) as client:
        conversation = client.converse()
        for kind, _, given, named in sent:
            with pytest.raises(kind):
                await asyncio.wait_for(conversation.send(*given, **named), UNHEARD_S)
        with pytest.raises(TypeError, match="a table's name is a text"):
            conversation.unfollow(5)  # type: ignore[arg-type]  # that is the point


def test_a_follow_is_of_a_table_that_can_be_named() -> None:
    """Else it would break on the line, long after."""
    with pytest.raises(TypeError, match="a table's name is a text"):
        Follow(table=5)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        *((TypeError, {name: each}) for name in ("seat", "after") for each in ("1", 1.0, True)),
        *((ValueError, {name: each}) for name in ("seat", "after") for each in (-1, 2**63)),
        *((TypeError, {"views": each}) for each in ("no", 0, None)),
        (TypeError, {"token": 5}),
    ],
)
def test_a_follow_says_what_can_be_meant(kind: type[Exception], named: dict[str, Any]) -> None:
    """From which seat, behind which version, and whether with views."""
    with pytest.raises(kind):
        Follow(table=TABLE, **named)


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("kind", "given", "named"),
    [
        (TypeError, (5,), {}),
        (TypeError, (b"http://doors",), {}),
        (TypeError, ("http://doors", 5), {}),
        *((TypeError, ("http://doors",), {name: each}) for name in SECONDS for each in ("x", None, True)),
        *((ValueError, ("http://doors",), {name: each}) for name in SECONDS for each in (-1, float("nan"))),
        *((ValueError, ("http://doors",), {"timeout_s": each}) for each in (0, float("inf"))),
    ],
)
def test_a_client_is_made_of_what_can_be_meant(
    make: type[Client | AsyncClient], kind: type[Exception], given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Else each call would give up at once, or never, or break in a library."""
    with pytest.raises(kind, match=r"^(patience_s|timeout_s|a token|the address) is "):
        make(*given, **named)


def test_numbers_of_a_library_are_numbers_and_an_id_may_be_a_text() -> None:
    """They are sent as what they mean; what a caller was told of a command is good to send it again by."""
    asked: list[httpx.Request] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(404, json={"code": "unknown_table"})

    command = uuid.uuid4()
    with Client("http://doors", SECRET, patience_s=np.float64(0), transport=httpx.MockTransport(note)) as client:
        for options in ({}, {"thin_treasury": True}):
            with pytest.raises(ProblemError, match="unknown_table"):
                client.open_table(
                    "nains", seats=int64(3), options=options, bots={int64(1): "greedy"}, command_id=str(command)
                )
        with pytest.raises(ProblemError, match="unknown_table"):
            client.send(TABLE, MappingProxyType(PASS), version=int64(4))  # type: ignore[arg-type]  # as good as a dict

    assert [3, [{"seat": 1, "bot": "greedy"}]] == [json.loads(asked[0].content)[name] for name in ("seats", "bots")]
    assert {"thin_treasury": True} == json.loads(asked[1].content)["options"]
    assert str(command) == asked[0].headers["Idempotency-Key"]
    assert ('"4"', PASS) == (asked[2].headers["If-Match"], json.loads(asked[2].content))
    assert {"seat": 2, "after": 0} == {
        name: getattr(Follow(table=TABLE, seat=int64(2), after=int64(0)), name) for name in ("seat", "after")
    }


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
