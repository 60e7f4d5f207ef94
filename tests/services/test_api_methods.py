"""An address that does not take a method says which it takes; what can be read can be asked for without its body."""

from __future__ import annotations

import httpx
import pytest
from structlog.testing import capture_logs

from services.api.app import create_app
from services.api.settings import ApiSettings
from tests.live.door import a_door
from tests.services.house import Client, House

DESCRIPTION = create_app(ApiSettings()).openapi()["paths"]
PAGES = ("/docs", "/docs/live", "/openapi.json", "/asyncapi.json")
TAKEN = {path: {method.upper() for method in methods} for path, methods in DESCRIPTION.items()} | {
    path: {"GET"} for path in PAGES
}
ALL = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


def filled(path: str, table: str) -> str:
    command = "6f1c2d0e-4b0f-4a57-9d5f-1d6a2f0b7c11"
    return path.replace("{table}", table).replace("{seat}", "0").replace("{command_id}", command)


@pytest.mark.parametrize("path", TAKEN)
async def test_an_address_says_which_methods_it_takes(client: Client, path: str) -> None:
    """All of them, as RFC 9110 asks (15.5.6), however they are spread over the program."""
    takes = TAKEN[path] | ({"HEAD"} if "GET" in TAKEN[path] else set())
    wrong = [method for method in ALL if method not in takes]
    answers = [await client.ask(method, filled(path, "nains-a1"), client.house.key) for method in wrong]

    assert {405} == {each.status_code for each in answers}
    assert [takes] * len(wrong) == [set(each.headers["allow"].split(", ")) for each in answers]
    assert all(each.json()["code"] == "method_not_allowed" for each in answers if each.request.method != "HEAD")


@pytest.mark.parametrize("path", [path for path, methods in TAKEN.items() if "GET" in methods])
async def test_head_is_answered_as_get_without_the_body(client: Client, path: str) -> None:
    """With the same status and headers, whether the answer is good or not."""
    table = (await client.open(start=False)).name
    told = [await client.ask(method, filled(path, table), client.house.key) for method in ("GET", "HEAD")]
    got, head = told

    assert got.status_code == head.status_code
    assert b"" == head.content
    assert got.content
    assert [{name: value for name, value in each.headers.items() if name != "fidchell-time"} for each in told[:1]] == [
        {name: value for name, value in head.headers.items() if name != "fidchell-time"}
    ]
    assert str(len(got.content)) == head.headers["content-length"]


async def test_head_is_counted_and_noted_like_get(house: House) -> None:
    """Nobody asks more by asking for less."""
    async with a_door(house, rate_token=0.01, rate_burst_s=200) as door:
        table = await door.client.open()
        path = f"/v1/tables/{table.name}/view"
        with capture_logs() as logged:
            answers = [await door.client.ask("HEAD", path, table.tokens[0]) for _ in range(4)]

    assert [200, 200, 200, 429] == [each.status_code for each in answers]
    assert [table.name] * 3 == [each["table"] for each in logged if each["event"] == "request_answered"][:3]
    assert "retry-after" in answers[-1].headers


async def test_a_status_is_noted_as_the_number_it_is(client: Client) -> None:
    """Also where the program has a name for it."""
    table = await client.open(start=False)
    with capture_logs() as logged:
        await client.ask("DELETE", f"/v1/tables/{table.name}/spectators", client.house.key)
        await client.ask("DELETE", f"/v1/tables/{table.name}/spectators", table.tokens[0])

    assert ["204", "403"] == [str(each["status"]) for each in logged if each["event"] == "request_answered"]
    assert [int, int] == [type(each["status"]) for each in logged if each["event"] == "request_answered"]


async def test_head_goes_over_a_real_connection(house: House) -> None:
    """The connection can be used again: nothing of a body is on it."""
    async with a_door(house) as door, httpx.AsyncClient(base_url=f"http://127.0.0.1:{door.port}") as http:
        answers = [await http.request(method, path) for path in ("/readyz", "/v1/games") for method in ("HEAD", "GET")]

    assert [200] * 4 == [each.status_code for each in answers]
    assert [b"", b""] == [each.content for each in answers[::2]]
    assert [each.headers["content-length"] for each in answers[::2]] == [
        str(len(each.content)) for each in answers[1::2]
    ]


@pytest.mark.parametrize("path", TAKEN)
async def test_an_address_with_a_slash_behind_is_another(client: Client, path: str) -> None:
    """It is not found, and nobody is sent elsewhere: least of all to a host that the request named."""
    answer = await client.ask("GET", filled(path, "nains-a1") + "/", client.house.key, headers={"Host": "elsewhere"})

    assert (404, "not_found") == (answer.status_code, answer.json()["code"])
    assert "location" not in answer.headers
