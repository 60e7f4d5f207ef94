"""A path to a fault names what the doors know, and never what a sender put where a name should be."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from services.api.app import create_app
from services.api.bodies import command_names, member_names
from services.api.paths import below, path_of
from services.api.settings import ApiSettings
from services.api.tables import OpenTableBody
from tests.services.house import Client
from workers.inis.state.options import InisOptions
from workers.nains.state import NainsOptions

DESCRIPTION = create_app(ApiSettings()).openapi()["paths"]
TAKES_BODY = [path for path, methods in DESCRIPTION.items() if "requestBody" in methods.get("post", {})]

BODIES = {
    "unknown": '{"%s": 1}',
    "twice": '{"%s": 1, "%s": 2}',
    "twice below": '{"game": {"%s": {"a": 1, "a": 2}}}',
    "not a number": '{"%s": NaN}',
    "beyond 64 bits": '{"%s": 99999999999999999999}',
    "half a character": '{"%s": "\\ud800"}',
    "half a character in a name": '{"%s\\ud800": 1}',
    "a list in options": '{"game": "nains", "seats": 2, "options": {"%s": [1]}}',
    "a number in options": '{"game": "nains", "seats": 2, "options": {"%s": 1.5}}',
    "a bot": '{"game": "nains", "seats": 2, "bots": [{"seat": 0, "bot": "random", "%s": 1}]}',
    "a known kind": '{"kind": "place_bets", "seat": 0, "coins": [], "%s": 1}',
    "options of a command": '{"kind": "open_table", "game": "nains", "seats": 2, "options": {"%s": [1]}}',
    "a kind": '{"kind": "%s", "seat": 0}',
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", TAKES_BODY)
async def test_a_member_name_is_not_repeated(client: Client, path: str, body: str) -> None:
    """Whoever pastes a key where a name should be finds it neither in the answer nor in the log."""
    table = await client.open(start=False)
    key = client.house.key
    token = table.tokens[0] if path.endswith("/commands") else key
    content = BODIES[body].replace("%s", key).encode()
    with capture_logs() as logged:
        answer = await client.ask(
            "POST",
            path.replace("{table}", table.name).replace("{seat}", "0"),
            token,
            content=content,
            headers={"Content-Type": "application/json"},
        )

    assert 400 <= answer.status_code < 500
    assert "malformed" == answer.json()["code"], answer.text
    assert answer.json()["path"].startswith("$")
    assert key not in answer.text + str(logged)


@pytest.mark.parametrize("twice", [False, True])
async def test_a_member_name_in_messagepack_is_not_repeated(client: Client, *, twice: bool) -> None:
    """The other way to write a command tells no more."""
    table = await client.open()
    name = msgspec.msgpack.encode(client.house.key)
    body = b"\x82" + name + b"\x01" + (name if twice else msgspec.msgpack.encode("x")) + b"\xcb\x7f\xf8" + bytes(6)
    answer = await client.ask(
        "POST",
        f"/v1/tables/{table.name}/commands",
        table.tokens[0],
        content=body,
        headers={"Content-Type": "application/msgpack"},
    )

    assert 400 == answer.status_code
    assert client.house.key not in answer.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/tables/%s/view"),
        ("GET", "/v1/tables/nains-a1/commands/%s"),
        ("DELETE", "/v1/tables/nains-a1/seats/%s"),
        ("GET", "/v1/tables?status=%s"),
        ("GET", "/v1/tables?cursor=%s"),
        ("GET", "/v1/tables?limit=x&%s=1"),
        ("GET", "/v1/tables/nains-a1/view?at_least=%s"),
        ("GET", "/v1/%s"),
        ("POST", "/v1/tables/nains-a1/view?%s"),
    ],
)
async def test_an_address_is_not_repeated(client: Client, method: str, path: str) -> None:
    """Nor what stands in the query, nor any part of it."""
    key = client.house.key
    with capture_logs() as logged:
        answer = await client.ask(method, path.replace("%s", key), key)

    assert 400 <= answer.status_code < 500
    assert logged
    assert key not in answer.text + str(logged)
    assert "found `" not in answer.text


def test_a_path_leads_as_far_as_a_shape_has_names() -> None:
    """Members of a shape at any depth are named; a name that a sender chose is not, and nothing behind it."""
    known = member_names(OpenTableBody)

    assert {"game", "bots", "bot"} <= known
    assert set(NainsOptions.__struct_fields__) | set(InisOptions.__struct_fields__) <= known
    assert "$.bots[1].bot" == path_of(("bots", 1, "bot"), known)
    assert "$.options" == path_of(("options", "x", "bool"), known)
    assert ("$.seats", "$[...]") == (below("$", "seats", known), below("$", "fck_a_b", known))


def test_members_of_commands_are_those_of_the_game_and_of_table_life() -> None:
    """A fault in any of them is told by its name."""
    known: dict[str, Any] = {game: command_names(game) for game in ("nains", "inis")}

    assert {"kind", "seat", "coins", "window"} <= known["nains"]
    assert "coins" not in known["inis"]
