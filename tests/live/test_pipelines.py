"""Requests that come without waiting for answers: each is answered in turn, few wait, and floods cost nobody else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from services.api.bodies import LIMIT
from services.api.rates import REFUSALS
from services.api.wire import BoundedProtocol
from tests.live.door import Door, a_door
from tests.live.test_connections import GET, SOON, Raw, heard, posted, raw
from tests.live.test_wire import HANDSHAKE
from tests.services.house import House
from tests.until import PATIENCE_S

NOPE = b"GET /nope HTTP/1.1\r\nHost: x\r\n\r\n"
TABLES = b"GET /v1/tables HTTP/1.1\r\nHost: x\r\n\r\n"
HEALTH = GET + b"\r\n"


async def statuses(line: Raw) -> list[int]:
    """Return the statuses of all answers until the other side closes."""
    return statuses_in(await line.rest())


def statuses_in(said: bytes) -> list[int]:
    return [int(each[:3]) for each in said.split(b"HTTP/1.1 ")[1:]]


async def test_of_requests_that_came_at_once_few_wait_and_all_are_answered(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many were read in one go."""
    waiting: list[int] = []
    before = BoundedProtocol.on_response_complete

    def completed(protocol: BoundedProtocol) -> None:
        waiting.append(len(protocol.pipeline))
        before(protocol)

    monkeypatch.setattr(BoundedProtocol, "on_response_complete", completed)
    count = 2_000
    async with raw(door, NOPE * count + b"GET /nope HTTP/1.0\r\n\r\n") as line:
        answers = await statuses(line)

    assert [404] * (count + 1) == answers
    assert max(waiting) < 100


async def test_bodies_are_told_from_requests_behind_them(door: Door) -> None:
    """Wherever a sip ends: each request has its own, in pieces or whole, and none is taken for another's."""
    body = json.dumps({"game": "nowhere" * 400, "seats": 2}).encode()
    whole = posted(door, b"Content-Length: %d\r\n\r\n" % len(body)) + body
    pieces = posted(door, b"Transfer-Encoding: chunked\r\n\r\n")
    pieces += b"".join(b"1\r\n%c\r\n" % each for each in body) + b"0\r\n\r\n"
    async with raw(door, (whole + HEALTH + pieces + HEALTH) * 3) as line:
        answers = [await line.answer() for _ in range(12)]

    assert [(404, "unknown_game"), (200, None)] * 6 == [(status, told.get("code")) for status, told in answers]


async def test_who_goes_on_when_refused_is_hung_up_on(house: House) -> None:
    """After so many refusals; whoever comes back is told once more, and others are answered."""
    async with a_door(house, rate_address=0.001, rate_burst_s=3_000) as door:
        async with raw(door, TABLES * 1_000) as line:
            answers = await statuses(line)
        async with raw(door, TABLES) as line:
            again = (await line.rest()).lower()
        async with raw(door, HEALTH) as line:
            other, _ = await line.answer()

    assert [200] * 3 == answers[:3]
    assert {429} == set(answers[3:])
    assert REFUSALS <= len(answers[3:]) < 2 * REFUSALS
    assert b"429" in again
    assert b"\r\nconnection: close\r\n" in again
    assert 200 == other


@pytest.mark.parametrize("garbage", [b"\0\r\n\r\n", b"GARBAGE\r\n\r\n", b"GET /v1/tables HTTP/1.1\r\nX: \0\r\n\r\n"])
@pytest.mark.parametrize("asked", [TABLES, TABLES * 3, TABLES + HEALTH], ids=["one", "three", "two"])
async def test_what_is_understood_is_answered_before_what_is_not(door: Door, asked: bytes, garbage: bytes) -> None:
    """Both in order, and the connection is closed."""
    async with raw(door, asked + garbage) as line:
        said = await line.rest()

    assert [200] * asked.count(b"GET") + [400] == statuses_in(said)
    assert 1 == said.count(b'"not_http"')


async def test_a_chunk_that_is_none_leaves_the_answers_before_it(door: Door) -> None:
    """The request that it belongs to has the last word alone."""
    async with raw(door, TABLES * 2 + posted(door, b"Transfer-Encoding: chunked\r\n\r\nz\r\n") + TABLES) as line:
        assert [200, 200, 400] == await statuses(line)


async def test_a_head_too_slow_leaves_the_answers_before_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long those take."""
    async with a_door(house, bounds=SOON) as door:
        asked = asyncio.Event()
        before = door.app.state.doors.store.listed

        async def listed(*args: Any, **more: Any) -> object:  # noqa: ANN401  whatever is asked
            await asked.wait()
            return await before(*args, **more)

        monkeypatch.setattr(door.app.state.doors.store, "listed", listed)
        answers: list[int] = []
        while not answers:  # one whose time was over before any of it came is told nothing
            async with raw(door, TABLES + GET) as line:
                rest = asyncio.create_task(statuses(line))
                protocol = await one_refused(door, rest)
                asked.set()
                answers = await rest

    assert [200, 408] == answers
    assert protocol is not None
    assert protocol.transport.is_closing()


async def one_refused(door: Door, rest: asyncio.Task[list[int]]) -> BoundedProtocol | None:
    """Return the protocol that has a last word to say, once it has, or nothing was said and it is closed."""
    while not rest.done():
        for each in door.server.server_state.connections:
            if isinstance(each, BoundedProtocol) and each._last_word is not None:  # noqa: SLF001  nothing else shows it
                return each
        await asyncio.sleep(0.005)
    return None


@pytest.mark.parametrize("asked", [TABLES, HEALTH, TABLES * 100], ids=["store", "at once", "many"])
async def test_who_says_that_nothing_more_will_come_is_answered(door: Door, asked: bytes) -> None:
    """All of it, and then the connection is closed from this side, too."""
    async with raw(door, asked) as line:
        line.end()

        assert [200] * asked.count(b"GET") == await statuses(line)


async def test_a_handshake_waits_for_no_answer(door: Door) -> None:
    """The line cannot become a socket while an answer is due on it."""
    async with raw(door, TABLES + HANDSHAKE) as line:
        said = await line.rest()

    assert [200, 400] == statuses_in(said)
    assert b"not_websocket" in said


@pytest.mark.parametrize("expects", [b"", b"Expect: 100-continue\r\n"], ids=["sends", "asks first"])
async def test_a_body_that_is_announced_to_be_too_large_is_not_waited_for(door: Door, expects: bytes) -> None:
    """413 is said at once, and not that the sender may go on."""
    async with raw(door, posted(door, expects + b"Content-Length: %d\r\n\r\n{" % (LIMIT + 1))) as line:
        status, problem = await line.answer()

    assert (413, "too_large", {"limit": LIMIT}) == (status, problem["code"], problem["details"])


async def test_what_is_sent_of_a_body_too_large_is_thrown_away(door: Door) -> None:
    """So whoever sends all of it before they listen hears the answer, and may ask on."""
    body = b" " * 1_000_000
    async with raw(door, posted(door, b"Content-Length: %d\r\n\r\n" % len(body)) + body + HEALTH) as line:
        answers = [(await line.answer())[0] for _ in range(2)]

    assert [413, 200] == answers


async def test_whoever_was_answered_is_not_answered_again_for_a_body_that_does_not_come(house: House) -> None:
    """The connection is closed when its time is over."""
    said = b"Content-Length: %d\r\n\r\n{" % (LIMIT + 1)
    async with a_door(house, bounds=SOON) as door, asyncio.timeout(PATIENCE_S):
        answers = [408]
        while answers == [408]:  # the door was so slow that the time was over before its answer
            answers = statuses_in(await heard(door, posted(door, said)))

    assert [413] == answers


async def test_who_asks_whether_to_send_may(door: Door) -> None:
    """Where the size is good; the connection is not used again, since a no would leave open whether the body comes."""
    async with raw(door, posted(door, b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")) as line:
        go_on = await line.head()
        line.send(b"{}")
        said = await line.rest()

    assert b"HTTP/1.1 100 Continue\r\n\r\n" == go_on
    assert said.startswith(b"HTTP/1.1 422 ")
    assert b"connection: close" in said.lower()
