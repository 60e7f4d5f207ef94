"""What the client asks, when it asks again, and what it makes of answers: without a service."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import pytest

from services.client import AsyncClient, Client, ProblemError
from services.client import tables as operations
from services.client.asking import Asking, Lost, Pause, Reply, Request
from services.client.patience import Patience

T = TypeVar("T")
ID = uuid.UUID("6f1c2d0e-4b0f-4a57-9d5f-1d6a2f0b7c11")
SECRET = f"fst_{ID.hex}"
ACCEPTED = {"status": "accepted", "command_id": str(ID), "table": "nains-a", "version": 8, "first": 7, "last": 8}
PENDING = {
    "status": "pending",
    "command_id": str(ID),
    "table": "nains-a",
    "href": f"/v1/tables/nains-a/commands/{ID}",
}


class Hour:
    """A clock that pauses set forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Script:
    """Answers an operation in a fixed order, and keeps what was asked and how long it paused."""

    def __init__(self, *answers: Reply | Lost, limit_s: float = 30.0) -> None:
        self._answers = list(answers)
        self._hour = Hour()
        self.patience = Patience(limit_s=limit_s, clock=self._hour)
        self.asked: list[Request] = []
        self.pauses: list[float] = []

    def run(self, begin: Callable[[Patience], Asking[T]]) -> T:
        asking = begin(self.patience)
        answer: Reply | Lost | None = None
        try:
            while True:
                step = asking.send(answer)
                answer = self._answer(step)
        except StopIteration as end:
            result: T = end.value
            return result

    def _answer(self, step: Request | Pause) -> Reply | Lost | None:
        if isinstance(step, Pause):
            self._hour.now += step.seconds
            self.pauses.append(step.seconds)
            return None
        self.asked.append(step)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def reply(status: int, body: Any, retry_after: str | None = None) -> Reply:  # noqa: ANN401  any JSON
    return Reply(status=status, body=json.dumps(body).encode(), retry_after=retry_after)


def no(status: int, code: str, retry_after: str | None = None, **details: object) -> Reply:
    return reply(status, {"code": code, "details": details}, retry_after)


def sending(patience: Patience) -> Asking[Any]:
    return operations.send(patience, table="nains-a", command={"kind": "concede", "seat": 0}, version=6, command_id=ID)


@pytest.mark.parametrize("trouble", [Lost(reason="ReadError"), no(503, "busy", "1"), no(429, "rate_limited", "10")])
def test_what_passes_is_tried_again_with_the_same_id(trouble: Reply | Lost) -> None:
    """Broken connections, a busy service and a limit are waited out; nothing else of the request changes."""
    script = Script(trouble, trouble, reply(200, ACCEPTED))
    accepted = script.run(sending)

    assert (7, 8) == (accepted.first, accepted.last)
    assert 3 == len(script.asked)
    assert [{"Content-Type": "application/json", "Idempotency-Key": str(ID), "If-Match": '"6"'}] * 3 == [
        each.headers for each in script.asked
    ]


def test_the_service_says_how_long_to_wait() -> None:
    """``Retry-After`` is the least pause."""
    script = Script(no(503, "store_lost", "20"), reply(200, ACCEPTED))
    script.run(sending)

    assert 20.0 == script.pauses[0]


def test_a_service_that_wants_longer_than_patience_lasts_is_not_asked_again() -> None:
    """To ask sooner than it says would be in vain."""
    script = Script(no(503, "store_lost", "40"))
    with pytest.raises(ProblemError, match="store_lost"):
        script.run(sending)

    assert [] == script.pauses


def test_pauses_grow_and_are_random() -> None:
    """Clients that failed together do not come back together."""
    one, other = (Script(Lost(reason="ConnectError"), limit_s=60) for _ in range(2))
    for script in (one, other):
        with pytest.raises(ProblemError, match="unreachable"):
            script.run(sending)

    assert one.pauses[0] < one.pauses[2] < one.pauses[4] <= 5.0
    assert one.pauses != other.pauses
    assert [60.0, 60.0] == pytest.approx([sum(one.pauses), sum(other.pauses)])


@pytest.mark.parametrize(
    ("status", "code"), [(409, "not_your_turn"), (401, "wrong_token"), (500, "internal_error"), (503, "view_broken")]
)
def test_a_lasting_no_is_told_at_once(status: int, code: str) -> None:
    """What waiting cannot cure is not waited for."""
    script = Script(no(status, code, version=9))
    with pytest.raises(ProblemError) as told:
        script.run(sending)

    assert (code, status, {"version": 9}) == (told.value.code, told.value.status, told.value.details)
    assert 1 == len(script.asked)


def test_a_pending_command_is_looked_up() -> None:
    """After 202 its answer is asked for where the service said."""
    script = Script(reply(202, PENDING, "1"), reply(200, ACCEPTED))

    assert 8 == script.run(sending).last
    assert [("POST", "/v1/tables/nains-a/commands"), ("GET", PENDING["href"])] == [
        (each.method, each.path) for each in script.asked
    ]


def test_a_pending_command_that_is_unknown_is_sent_again() -> None:
    """It may never have arrived; with the same id it happens once."""
    script = Script(reply(202, PENDING), no(404, "unknown_command"), reply(200, ACCEPTED))
    script.run(sending)

    assert ["POST", "GET", "POST"] == [each.method for each in script.asked]
    assert {ID} == {each.command_id for each in script.asked if each.method == "POST"}


def test_a_refusal_found_by_looking_up_is_a_no_like_any_other() -> None:
    """Late or not, the rules' no is raised with its code."""
    refused = {"status": "refused", "code": "card_not_in_hand", "details": {"card": "bard", "path": "$.card"}}
    script = Script(reply(202, PENDING), reply(200, refused))
    with pytest.raises(ProblemError, match="card_not_in_hand") as told:
        script.run(sending)

    assert ("$.card", {"card": "bard"}) == (told.value.path, told.value.details)


def test_impatience_names_the_command_that_is_still_pending() -> None:
    """Whoever gives up can ask later what became of it."""
    script = Script(reply(202, PENDING, "1"), limit_s=0)
    with pytest.raises(ProblemError) as told:
        script.run(sending)

    assert ("pending", {"table": "nains-a", "command_id": str(ID)}) == (told.value.code, told.value.details)


def test_a_seat_taken_late_gets_its_token_all_the_same() -> None:
    """An answer that was looked up holds no token, so one is asked for."""
    token = {"table": "nains-a", "seat": 1, "token": "fst_x", "until": 9}
    script = Script(reply(202, PENDING), reply(200, ACCEPTED), reply(200, token))
    given = script.run(
        lambda patience: operations.take_seat(patience, table="nains-a", seat=1, player="ann", salt=b"", command_id=ID)
    )

    assert ("fst_x", 9, 8) == (given.token, given.until, given.last)


def test_a_seat_that_a_guest_took_late_is_asked_for_again() -> None:
    """Only a platform may make a token; whoever has a name already sends the same command with its id."""
    given = {**ACCEPTED, "seat": 1, "player": "guest:x", "token": "fst_x", "until": 9}
    script = Script(reply(202, PENDING), reply(200, ACCEPTED), reply(202, PENDING, "1"), reply(200, given))
    seat = script.run(
        lambda patience: operations.take_seat(patience, table="nains-a", seat=1, player=None, salt=b"", command_id=ID)
    )
    sent = [each for each in script.asked if each.method == "POST"]

    assert ("fst_x", 9, 8) == (seat.token, seat.until, seat.last)
    assert [(ID, b'{"salt":""}')] * 3 == [(each.command_id, each.body) for each in sent]


def test_a_rematch_is_asked_for_until_all_of_it_is_done() -> None:
    """What one of its steps was answered is not the rematch."""
    seats = [{"seat": 0, "player": "ann", "token": SECRET, "until": 9}]
    done = {"status": "accepted", "table": "nains-b", "parent": "nains-a", "seats": seats}
    script = Script(reply(202, PENDING, "1"), reply(202, PENDING, "1"), reply(201, done))
    found = script.run(lambda patience: operations.rematch(patience, table="nains-a"))

    assert ("nains-b", "nains-a", SECRET) == (found.table, found.parent, found.seats[0].token)
    assert ["/v1/tables/nains-a/rematch"] * 3 == [each.path for each in script.asked]
    assert SECRET not in repr(found)


def test_a_view_is_waited_for_as_long_as_it_takes() -> None:
    """Only patience ends the wait for a version."""
    asking = operations.view(Patience(limit_s=math.inf), table="nains-a", seat=None, at_least=9)
    step: Request | Pause = next(asking)
    for _ in range(100):
        assert step == Request(method="GET", path="/v1/tables/nains-a/view", params={"at_least": "9"})
        assert Pause(seconds=0.05) == asking.send(no(409, "not_yet", "0", version=3))
        step = asking.send(None)


def test_an_answer_of_something_else_is_told_as_such() -> None:
    """A page of a proxy is no answer of this service."""
    script = Script(Reply(status=200, body=b"<html>"))
    with pytest.raises(ProblemError, match="unreadable"):
        script.run(sending)


def garbled(_request: httpx.Request) -> httpx.Response:
    """Answer with a body that is not packed as its head says."""
    return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))


async def test_an_answer_that_cannot_be_unpacked_is_lost() -> None:
    """It raises what everything raises, whatever the library calls it."""
    transport = httpx.MockTransport(garbled)
    with (
        Client("http://doors", patience_s=0, transport=transport) as plain,
        pytest.raises(ProblemError, match="DecodingError"),
    ):
        plain.games()
    async with AsyncClient("http://doors", patience_s=0, transport=transport) as other:
        with pytest.raises(ProblemError, match="DecodingError"):
            await other.games()
