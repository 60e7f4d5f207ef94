"""Requests drawn from the doors' own description, sent to an API that really runs."""

from __future__ import annotations

import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx
import msgspec
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from events.games import GAMES
from services.api.app import create_app
from services.api.settings import ApiSettings
from services.api.wire import Bounds
from services.api.words import serving
from tests.services.house import House
from tests.until import PATIENCE_S, until

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DESCRIPTION: Final = create_app(ApiSettings()).openapi()
OFFERED: Final = 8
"""Of what a seat may send so much is sent."""
OPERATIONS: Final = [(method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods]


class Service(msgspec.Struct):
    """
    A running API with tables to ask about: one of each game that plays, one that is open, one that is over.

    Args:
        places: tables and tokens that go together, of seats at which is played.
        good: bodies that may be accepted, by the operation that reads them.
    """

    url: str
    house: House
    schema: Any
    tables: list[str] = []
    tokens: list[str | None] = []
    places: list[tuple[str, str]] = []
    good: dict[str, list[dict[str, Any]]] = {}
    answered: list[str] = []
    config: uvicorn.Config | None = None

    def furnish(self) -> None:
        """Open new tables, since what is sent may end the old ones; and take their tokens."""
        headers = {"Authorization": f"Bearer {self.house.key}"}
        with httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S) as http:

            def post(path: str, body: object = None) -> dict[str, Any]:
                key = {"Idempotency-Key": str(uuid.uuid4())}
                while (answer := http.post(path, json=body, headers=key)).status_code == httpx.codes.ACCEPTED:
                    pass
                assert answer.is_success, answer.text
                return dict(answer.json())

            def opened(game: str, *, private: bool = False, end: str = "") -> list[tuple[str, str]]:
                table = post("/v1/tables", {"game": game, "seats": 2, "private": private})["table"]
                path = f"/v1/tables/{table}"
                tokens = [post(f"{path}/seats/{seat}", {"player": f"p{seat}"})["token"] for seat in (0, 1)]
                if end:
                    post(f"{path}/{end}")
                return [(table, token) for token in tokens]

            self.places = [each for game in GAMES for each in opened(game, end="start")]
            still = [*opened("nains", private=True), *opened("nains", end="cancel")]
            self.tables = list(dict(self.places + still))
            passes = [post(f"/v1/tables/{still[0][0]}/{kind}")["token"] for kind in ("spectators", "invitations")]
            keys = [self.house.key, self.house.arbiter, self.house.bots, self.house.other]
            seats = [token for _, token in self.places + still]
            self.tokens = [*keys, *seats, *passes, post("/v1/guests")["token"], "wrong", None]
            self._offer(http)

    def _offer(self, http: httpx.Client) -> None:
        """Find out what may be sent at the tables that are played, and have a command answered in either way."""
        legal = []
        for table, token in self.places:
            own = {"Authorization": f"Bearer {token}"}
            legal.append(http.get(f"/v1/tables/{table}/legal", headers=own).json()["legal"])
        commands = [command for each in legal for command in each[:OFFERED]]
        commands += [{"kind": "set_ready", "seat": 0}, {"kind": "concede", "seat": 1}]
        self.good = {"send_command": commands, "open_table": [{"game": game, "seats": 2} for game in GAMES]}
        self.answered = [str(uuid.uuid4()) for _ in range(2)]
        table, token = self.places[-1]
        for command_id, command in zip(self.answered, (legal[-1][0], {"kind": "drop_ready", "seat": 1}), strict=True):
            headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": command_id}
            http.post(f"/v1/tables/{table}/commands", json=command, headers=headers)


@contextmanager
def service(house: House) -> Iterator[Service]:
    """Give an API that answers over a real connection."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        settings = house.settings(guests="tests", view_s=0.05, answer_s=1.0)
        config = uvicorn.Config(create_app(settings), loop="uvloop", **serving(settings, Bounds()))
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            until(lambda: server.started, what="the API listens")
            url = f"http://127.0.0.1:{place.getsockname()[1]}"
            until(
                lambda: httpx.get(f"{url}/readyz", timeout=PATIENCE_S).json().get("listening"), what="the API is ready"
            )
            schema = schemathesis.openapi.from_dict(httpx.get(f"{url}/openapi.json", timeout=PATIENCE_S).json())
            schema.config.update(base_url=url)
            yield Service(url, house, schema, config=config)
        finally:
            server.should_exit = True
            thread.join()


def send(service: Service, method: str, path: str, *, examples: int, number: int | None) -> None:
    """Send requests of one operation, good and bad, by all roles and at all tables, and check every answer."""
    service.furnish()
    operation, name = service.schema[path][method], DESCRIPTION["paths"][path][method.lower()]["operationId"]
    cases = st.one_of(
        operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE),
        operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE),
    )

    @given(
        case=cases,
        at=st.one_of(
            st.tuples(st.sampled_from([*service.tables, *service.tables, None]), st.sampled_from(service.tokens)),
            st.sampled_from(service.places),
        ),
        seat=st.sampled_from([0, 1, None]),
        answered=st.sampled_from([*service.answered, None]),
        body=st.sampled_from([*service.good.get(name, ()), None]),
    )
    @settings(
        max_examples=examples,
        database=None,
        derandomize=number is None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(
        case: schemathesis.Case[Any],
        at: tuple[str | None, str | None],
        seat: int | None,
        body: dict[str, Any] | None,
        answered: str | None,
    ) -> None:
        table, token = at
        places = case.path_parameters or {}
        if table is not None and "table" in places:
            places["table"] = table
        if seat is not None and "seat" in places:
            places["seat"] = seat
        if answered is not None and "command_id" in places:
            places["command_id"] = answered
        if body is not None:
            case.body, case.media_type = body, "application/json"
        case.headers.pop("Authorization", None)
        if token is not None:
            case.headers["Authorization"] = f"Bearer {token}"
        case.call_and_validate(checks=CHECKS)

    (check if number is None else seed(number)(check))()
