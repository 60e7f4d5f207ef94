"""To whoever may not know a table, it is at every door as if it were not there."""

from __future__ import annotations

from typing import Any, Final

import httpx
import pytest

from services.api.app import create_app
from tests.services.house import Client, House, client_of

NOWHERE: Final = "nains-aaaaaaaaaa"
LOOKS_FROM: Final = ("seat", "query")
COMMAND: Final = "6f2f1a52-6f0b-5f0e-8a4f-5d6f3c0f9b22"
BODIES: Final[dict[str, object]] = {"take_seat": {}, "send_command": {"kind": "concede", "seat": 0}}


def doors_of_a_table(house: House) -> list[tuple[str, str, str]]:
    """Return method, path and name of every door that a table has; of those that look also for a seat's eyes."""
    return [
        (method.upper(), path + asked, operation["operationId"])
        for path, methods in create_app(house.settings()).openapi()["paths"].items()
        if "{table}" in path
        for method, operation in methods.items()
        for asked in ("", *("?seat=0" for each in operation["parameters"] if (each["name"], each["in"]) == LOOKS_FROM))
    ]


def answered(answer: httpx.Response, table: str) -> tuple[int, Any, list[str]]:
    """Return all that an answer tells but for the name that was asked for, and the time."""
    return answer.status_code, answer.text.replace(table, "..."), sorted(answer.headers)


@pytest.mark.parametrize("running", [False, True])
async def test_a_hidden_table_answers_like_none(house: House, running: bool) -> None:
    """At every door, to guests, visitors, other platforms, and whoever holds a token of another table."""
    async with client_of(house, guests="tests") as client:
        hidden = await client.open(private=True, start=running)
        public = await client.open()
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        watcher = (await client.ask("POST", f"/v1/tables/{public.name}/spectators", client.house.key)).json()["token"]
        callers = [guest, None, client.house.other, public.tokens[0], watcher]
        found = {
            (method, path, who): [
                answered(await ask_door(client, (method, path, name), table, token), table)
                for table in (hidden.name, NOWHERE)
            ]
            for method, path, name in doors_of_a_table(house)
            for who, token in enumerate(callers)
        }

    assert 15 < len({(method, path) for method, path, *_ in found})
    assert {} == {door: both for door, both in found.items() if both[0] != both[1]}
    assert all(both[0][0] in (401, 403, 404) for both in found.values())


async def ask_door(client: Client, door: tuple[str, str, str], table: str, token: str | None) -> httpx.Response:
    method, path, name = door
    body = next((body for start, body in BODIES.items() if name.startswith(start)), None)
    return await client.ask(method, path.format(table=table, seat=0, command_id=COMMAND), token, body=body)
