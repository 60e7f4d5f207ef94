"""A command counts over a socket as any request of its sender does, and in the same bucket."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from services.api import rates
from services.client import AsyncClient, Conversation, conversation
from services.ending import end
from tests.live.door import Json, Line, a_door
from tests.live.test_bots_refused import Refused
from tests.live.test_commands import named
from tests.services.house import House

HARDLY = 0.001
"""A rate by which nothing comes back while a test runs."""


def toggle(number: int, seat: int = 0) -> Json:
    return {"kind": ("set_ready", "drop_ready")[number % 2], "seat": seat}


async def toggled(line: Line, table: str, times: int, **more: object) -> list[str]:
    """Say so often that a seat is ready, or is not, and return what that came to."""
    answers = [await line.ask(send=toggle(number), table=table, id=named(), **more) for number in range(times)]
    return [each.get("code") or each["kind"] for each in answers]


async def test_commands_count_for_their_token_on_all_sockets_and_over_http(house: House) -> None:
    """Who is too fast hears after how long to come back, and nothing is stored."""
    async with a_door(house, rate_token=HARDLY, rate_burst_s=4 / HARDLY) as door:
        table = await door.client.open(start=False, ready=True)
        async with door.line(table.tokens[0]) as line:
            first = await toggled(line, table.name, 2)
        async with door.line(table.tokens[0]) as line:
            then = await toggled(line, table.name, 3)
            told = await line.ask(send=toggle(1), table=table.name, id=(key := named()))
        over_http = await door.client.play(table, 0, toggle(1))
        other = await door.client.play(table, 1, toggle(0, 1))

    assert ["accepted"] * 2 == first
    assert ["accepted", "accepted", "rate_limited"] == then
    assert ("refused", "rate_limited", key) == (told["kind"], told["code"], told["id"])
    assert 0 < told["details"]["wait_ms"] <= 1_000 / HARDLY
    assert (429, 200) == (over_http.status_code, other.status_code)


async def test_a_command_in_another_name_counts_there(house: House) -> None:
    """A platform's socket may speak for many seats, each at its own pace; the service's bots have none."""
    async with a_door(house, rate_token=HARDLY, rate_key=HARDLY, rate_burst_s=12 / HARDLY) as door:
        table = await door.client.open(start=False, ready=True)
        bots = await door.client.open(bots=2)
        async with door.line(house.bots) as line:
            by_seat = await toggled(line, table.name, 13, token=table.tokens[0])
            offered = await door.client.ask("GET", f"/v1/tables/{bots.name}/legal?seat=0", house.bots)
            by_bots = [
                await line.ask(send=offered.json()["legal"][0], table=bots.name, id=named(), expected_version=0)
                for _ in range(13)
            ]

    assert ["accepted"] * 12 + ["rate_limited"] == by_seat
    assert ["stale_version"] * 13 == [each["code"] for each in by_bots]


async def test_guests_of_one_address_share_its_bucket_over_sockets(house: House) -> None:
    """Another token, or a seat's, buys no more."""
    async with a_door(house, guests="tests", rate_address=HARDLY, rate_burst_s=7 / HARDLY) as door:
        guests = [(await door.client.ask("POST", "/v1/guests")).json()["token"] for _ in range(2)]
        body = {"game": "nains", "seats": 2, "ready": True}
        table = (await door.client.ask("POST", "/v1/tables", guests[0], body=body)).json()["table"]
        seats = [
            (await door.client.ask("POST", f"/v1/tables/{table}/seats/{seat}", guest, body={})).json()["token"]
            for seat, guest in enumerate(guests)
        ]
        said = []
        for seat, token in enumerate(seats):
            async with door.line(token) as line:
                answer = await line.ask(send=toggle(0, seat), table=table, id=named())
                said.append(answer["kind"])
                said.append((await line.ask(send=toggle(1, seat), table=table, id=named())).get("code"))

    assert ["accepted", None, "refused", "rate_limited"] == said


async def test_the_client_waits_as_long_as_it_is_told_to(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """And sends again then, and not before: time passes for the door while the client pauses, and stands else."""
    refused = Refused(monkeypatch)
    now = 1_000.0

    async def pause(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(conversation, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": pause}))
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: now))
    async with a_door(house, rate_token=0.5, rate_burst_s=2) as door:
        table = await door.client.open(start=False, ready=True)
        async with AsyncClient(f"http://127.0.0.1:{door.port}", table.tokens[0]) as client:
            talk = client.converse()
            listening = asyncio.create_task(listen(talk))
            accepted = [await talk.send(table.name, toggle(number)) for number in range(2)]
            await end([listening])

    assert accepted[0].last + 1 == accepted[1].first
    assert {"rate_limited": 1} == refused.codes


async def listen(talk: Conversation) -> None:
    async for _ in talk.news():
        pass
