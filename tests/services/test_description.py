"""The doors answer as their description says, whatever is sent: no fault of theirs, no shape that is not described."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import httpx
import pytest
import schemathesis
from schemathesis.core.failures import FailureGroup

from events.games import GAMES
from services.api.refusals import ETAG
from services.api.wire import HEAD_BYTES, SIP_BYTES, BoundedProtocol
from services.live.wire import LiveProtocol
from tests.services.described import CHECKS, DESCRIPTION, OPERATIONS, Service, send, service
from tests.services.house import a_house
from tests.until import PATIENCE_S

SAMPLE = 12
SOAK = 600


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Return a running API with the rules of all games behind it."""
    with a_house(tmp_path_factory.mktemp("house"), games=GAMES) as house, service(house) as found:
        yield found


def test_the_api_that_is_asked_is_the_one_that_is_started(running: Service) -> None:
    """With the protocols that ``fidchell api`` runs, whose own answers count as well."""
    config = running.config
    assert config is not None
    long = httpx.get(f"{running.url}/healthz", headers={"X-Long": "x" * HEAD_BYTES}, timeout=PATIENCE_S)

    assert issubclass(config.http_protocol_class, BoundedProtocol)
    assert config.ws_protocol_class is LiveProtocol
    assert (431, "head_too_large") == (long.status_code, long.json()["code"])
    assert "server" not in long.headers


def test_all_games_are_played_there(running: Service) -> None:
    """Rules take commands of each, and what a seat is answered then is among what is held to its shape."""
    running.furnish()
    taken = set()
    for table, token in running.places:
        headers = {"Authorization": f"Bearer {token}"}
        for command in running.good["send_command"]:
            sent = httpx.post(
                f"{running.url}/v1/tables/{table}/commands", json=command, headers=headers, timeout=PATIENCE_S
            )
            if sent.status_code == httpx.codes.OK and command["kind"] != "concede":
                taken.add(table.partition("-")[0])

    assert set(GAMES) == taken


def test_the_checks_find_what_is_not_described(running: Service) -> None:
    """A status, a code or a header that the description does not know, and one that it promises in vain."""
    path = "/v1/tables/{table}/view"

    def changed(change: Callable[[dict[str, Any]], object]) -> str:
        description = deepcopy(DESCRIPTION)
        change(description["paths"][path]["get"]["responses"])
        schema = schemathesis.openapi.from_dict(description)
        schema.config.update(base_url=running.url)
        case = schema[path]["GET"].Case(path_parameters={"table": "nains-unknown"})
        try:
            case.call_and_validate(checks=CHECKS)
        except FailureGroup as faults:
            return ", ".join(type(each).__name__ for each in faults.exceptions)
        return ""

    def told(answers: dict[str, Any]) -> dict[str, Any]:
        return dict(answers["401"]["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"])

    assert "" == changed(lambda answers: None)
    assert "UndefinedStatusCode" == changed(lambda answers: answers.pop("401"))
    assert "JsonSchemaError" == changed(lambda answers: told(answers)["code"]["enum"].remove("no_token"))
    assert "MissingHeaders" == changed(lambda answers: answers["401"]["headers"].update(ETAG))
    assert "JsonSchemaError" == changed(
        lambda answers: answers["401"]["headers"]["Fidchell-Time"]["schema"].update(pattern="^x$")
    )


@pytest.mark.parametrize("head", [b"X : y", b"X: " + b"y" * HEAD_BYTES])
def test_what_is_said_before_any_door_is_asked_is_described(running: Service, head: bytes) -> None:
    """Of every operation, those of whoever watches over the service among them."""
    place = httpx.URL(running.url)
    for method, path in OPERATIONS:
        with socket.create_connection((place.host, place.port)) as line:
            line.sendall(f"{method} {path} HTTP/1.1\r\nHost: doors\r\n".encode() + head + b"\r\n\r\n")
            first, _, body = b"".join(iter(lambda: line.recv(SIP_BYTES), b"")).partition(b"\r\n\r\n")
        answers = DESCRIPTION["paths"][path][method.lower()]["responses"]
        status = first.split()[1].decode()

        assert status in answers, (method, path)
        (said,) = answers[status]["content"].values()
        assert json.loads(body)["code"] in said["schema"]["allOf"][1]["properties"]["code"]["enum"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(running: Service, method: str, path: str) -> None:
    """A sample of good and bad requests, the same at every run."""
    send(running, method, path, examples=SAMPLE, number=None)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described_for_long(running: Service, method: str, path: str, number: int) -> None:
    """Many more, drawn anew by each number."""
    send(running, method, path, examples=SOAK, number=number)
