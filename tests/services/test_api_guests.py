"""Guests play at public tables without a platform of their own, where the operator lets them in."""

from __future__ import annotations

import httpx

from tests.services.house import Client, House, client_of


def told(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a no."""
    return answer.status_code, answer.json()["code"]


async def test_there_are_no_guests_unless_the_operator_wants_them(client: Client) -> None:
    """Off by default."""
    assert (403, "no_guests") == told(await client.ask("POST", "/v1/guests"))


async def test_a_guest_plays_against_a_bot(house: House) -> None:
    """Comes in, opens, sits down, fills up, starts and plays: without any key."""
    async with client_of(house, guests="tests") as client:
        guest = (await client.ask("POST", "/v1/guests")).json()
        token = guest["token"]
        opened = await client.ask("POST", "/v1/tables", token, body={"game": "nains", "seats": 2})
        path = f"/v1/tables/{opened.json()['table']}"
        sat = await client.ask("POST", f"{path}/seats/0", token, body={})
        twice = await client.ask("POST", f"{path}/seats/1", token, body={})
        filled = await client.ask("POST", f"{path}/seats/1", token, body={"bot": "random"})
        started = await client.ask("POST", f"{path}/start", token)
        seen = await client.ask("GET", f"{path}/view", sat.json()["token"])
        played = await client.ask("POST", f"{path}/commands", sat.json()["token"], body=seen.json()["legal"][0])

    assert [201, 200, 200, 200, 200] == [each.status_code for each in (opened, sat, filled, started, played)]
    assert guest["player"] == sat.json()["player"]
    assert (409, "already_seated") == told(twice)


async def test_a_guest_is_nobody_elses_host(house: House) -> None:
    """Seats nobody else, cancels nothing, sees no hand and no private table."""
    async with client_of(house, guests="tests") as client:
        token = (await client.ask("POST", "/v1/guests")).json()["token"]
        public, hidden = await client.open(start=False), await client.open(private=True)
        others = await client.open()
        free = await client.settled("/v1/tables", {"game": "nains", "seats": 2, "private": True})
        path = f"/v1/tables/{public.name}"
        answers = [
            await client.ask("POST", f"{path}/seats/0", token, body={"player": "ann"}),
            await client.ask("POST", f"{path}/cancel", token),
            await client.ask("POST", f"{path}/invitations", token),
            await client.ask("POST", f"{path}/seats/0/token", token),
            await client.ask("POST", f"{path}/commands", token, body={"kind": "concede", "seat": 0}),
            await client.ask("POST", "/v1/tables", token, body={"game": "nains", "seats": 2, "private": True}),
            await client.ask("DELETE", f"{path}/seats/0", token),
            await client.ask("GET", f"/v1/tables/{others.name}/view?seat=0", token),
            await client.ask("GET", f"/v1/tables/{hidden.name}/view", token),
            await client.ask("POST", f"/v1/tables/{free['table']}/seats/0", token, body={}),
        ]
        watched = await client.ask("GET", f"{path}/view", token)

    assert [
        *[(403, "not_allowed")] * 6,
        *[(403, "not_your_seat")] * 2,
        *[(404, "unknown_table")] * 2,
    ] == [told(each) for each in answers]
    assert 200 == watched.status_code


async def test_a_guest_starts_and_fills_only_tables_they_sit_at(house: House) -> None:
    """When play begins, and with which bots, is up to those who play."""
    async with client_of(house, guests="tests") as client:
        token, other = [(await client.ask("POST", "/v1/guests")).json()["token"] for _ in range(2)]
        opened = await client.ask("POST", "/v1/tables", token, body={"game": "nains", "seats": 2})
        path = f"/v1/tables/{opened.json()['table']}"
        unseated = await client.ask("POST", f"{path}/seats/1", token, body={"bot": "random"})
        await client.ask("POST", f"{path}/seats/0", token, body={})
        by_other = [
            await client.ask("POST", f"{path}/seats/1", other, body={"bot": "random"}),
            await client.ask("POST", f"{path}/start", other),
        ]
        filled = await client.ask("POST", f"{path}/seats/1", token, body={"bot": "random"})
        started = await client.ask("POST", f"{path}/start", token)

    assert [(403, "not_allowed")] * 3 == [told(each) for each in (unseated, *by_other)]
    assert [200, 200] == [filled.status_code, started.status_code]


async def test_a_guest_cancels_a_table_that_is_theirs_alone(house: House) -> None:
    """So none that nobody wants stays in the lobby: not where they do not sit, or others do, or play has begun."""
    async with client_of(house, guests="tests") as client:
        token, other = [(await client.ask("POST", "/v1/guests")).json()["token"] for _ in range(2)]
        paths = []
        for _ in range(3):
            opened = await client.settled("/v1/tables", {"game": "nains", "seats": 2}, token=token)
            paths.append(f"/v1/tables/{opened['table']}")
        away = await client.ask("POST", f"{paths[0]}/cancel", token)
        for path in paths:
            await client.settled(f"{path}/seats/0", {}, token=token)
        await client.settled(f"{paths[1]}/seats/1", {}, token=other)
        await client.settled(f"{paths[2]}/seats/1", {"bot": "random"}, token=token)
        await client.settled(f"{paths[2]}/start", None, token=token)
        answers = [await client.ask("POST", f"{path}/cancel", token) for path in paths]
        seen = await client.ask("GET", f"{paths[0]}/view", token)

    assert (403, "not_allowed") == told(away)
    assert [200, 403, 409] == [each.status_code for each in answers]
    assert ["not_allowed", "table_started"] == [each.json()["code"] for each in answers[1:]]
    assert ("over", "guest") == (seen.json()["status"], seen.json()["cancelled"])


async def test_a_guest_of_one_platform_is_none_of_another(house: House) -> None:
    """Others' tables are not theirs to join."""
    async with client_of(house, guests="others") as client:
        token = (await client.ask("POST", "/v1/guests")).json()["token"]
        table = await client.open(start=False)
        answer = await client.ask("POST", f"/v1/tables/{table.name}/seats/0", token, body={})

    assert (404, "unknown_table") == told(answer)
