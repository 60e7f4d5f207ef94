"""Whatever is sent again with the same key gets the same answer, and nothing happens twice."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
import redis

from events.streams import claim_of
from services.api.store import CLAIMED_S
from services.api.tokens import opening_key, table_of
from tests.services.described import OPERATIONS
from tests.services.house import Client, House, client_of

POSTS = sorted(path for method, path in OPERATIONS if method == "POST")


def keyed() -> dict[str, str]:
    """Return a header with a key of its own."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def told(answer: httpx.Response) -> tuple[int, str, str]:
    """Return status, code and path of a no."""
    return answer.status_code, answer.json()["code"], answer.json()["path"]


@pytest.mark.parametrize("path", POSTS)
async def test_every_post_looks_at_its_key(house: House, path: str) -> None:
    """What is no UUID is told, wherever it is sent."""
    async with client_of(house, guests="tests") as client:
        table = await client.open(start=False)
        address = path.format(table=table.name, seat=0)
        body = {"/v1/tables": {"game": "nains", "seats": 2}, "/v1/tables/{table}/seats/{seat}": {"player": "ann"}}
        token = table.tokens[0] if path.endswith("/commands") else house.key
        sent = body.get(path, {"kind": "concede", "seat": 0} if path.endswith("/commands") else None)
        answer = await client.ask("POST", address, token, body=sent, headers={"Idempotency-Key": "twice"})

    assert (400, "malformed", "header.Idempotency-Key") == told(answer)


async def test_a_guest_who_asks_again_is_the_same(house: House) -> None:
    """By the same key; by another it is somebody else."""
    async with client_of(house, guests="tests") as client:
        first, other = keyed(), keyed()
        names = [
            (await client.ask("POST", "/v1/guests", headers=each)).json()["player"]
            for each in (first, first, other, {}, {})
        ]

    assert names[0] == names[1]
    assert 4 == len(set(names))


async def test_an_invitation_that_is_asked_for_again_is_for_the_same_player(client: Client) -> None:
    """Of the same table and with the same wishes."""
    tables = [(await client.open(start=False)).name for _ in range(2)]
    key = keyed()
    asked: list[tuple[str, object]] = [
        (tables[0], {"seat": 1}),
        (tables[0], {"seat": 1}),
        (tables[0], {"seat": 0}),
        (tables[1], {"seat": 1}),
    ]
    house = client.house
    names = [
        (await client.ask("POST", f"/v1/tables/{table}/invitations", house.key, body=body, headers=key)).json()[
            "player"
        ]
        for table, body in asked
    ]

    assert names[0] == names[1]
    assert 3 == len(set(names))


async def test_a_key_opens_one_table_of_one_game(client: Client) -> None:
    """Sent again it names the same; with another game or shape it is refused, and nothing is opened."""
    key = keyed()
    shapes = [("nains", 2), ("nains", 2), ("nains", 3), ("inis", 2), ("inori", 2)]
    answers = [
        await client.ask("POST", "/v1/tables", client.house.key, body={"game": game, "seats": seats}, headers=key)
        for game, seats in shapes
    ]

    assert [201, 201, 409, 409, 409] == [each.status_code for each in answers]
    assert answers[0].json()["table"] == answers[1].json()["table"]
    assert {"command_id_reused"} == {each.json()["code"] for each in answers[2:]}


async def test_a_key_sent_for_two_games_at_once_opens_one_table(house: House) -> None:
    """The second is refused while the first is under way; and who won is told so whenever they ask."""
    key = keyed()

    def wish(game: str) -> dict[str, Any]:
        return {"body": {"game": game, "seats": 2}, "headers": key}

    async with client_of(house, answer_s=0.2) as client:
        with house.rules_at_rest():
            under_way = [
                (await client.ask_once("POST", "/v1/tables", house.key, **wish(game))).status_code
                for game in ("nains", "inis", "inori", "nains")
            ]
        ever = [
            (await client.ask("POST", "/v1/tables", house.key, **wish(game))).status_code
            for game in ("nains", "inis", "nains", "inori", "nains")
        ]

    assert [202, 409, 409, 202] == under_way
    assert [201, 409, 201, 409, 201] == ever


async def test_a_claim_that_nobody_sent_holds_for_what_it_was_made_for(client: Client) -> None:
    """Whoever died before sending sends again; and the claim is forgotten by itself."""
    key = uuid.uuid4()
    claimed = opening_key("tests", key.bytes)
    table = table_of("tests", key.bytes, "nains")
    assert table == await client.doors.store.claim(claimed, table)
    answers = [
        await client.ask(
            "POST",
            "/v1/tables",
            client.house.key,
            body={"game": game, "seats": 2},
            headers={"Idempotency-Key": str(key)},
        )
        for game in ("inis", "nains")
    ]
    with redis.Redis.from_url(client.house.url) as store:
        left_s = store.ttl(claim_of(claimed))

    assert [409, 201] == [each.status_code for each in answers]
    assert table == answers[1].json()["table"]
    assert 0 < left_s <= CLAIMED_S


async def test_a_table_that_is_there_goes_before_any_claim(client: Client) -> None:
    """Forgotten, it lets nobody open a second table; and nobody who was told of a table hears later that it is none."""
    key = uuid.uuid4()
    tables = {game: table_of("tests", key.bytes, game) for game in ("nains", "inis")}

    async def opened(game: str) -> int:
        body, headers = {"game": game, "seats": 2}, {"Idempotency-Key": str(key)}
        return (await client.ask("POST", "/v1/tables", client.house.key, body=body, headers=headers)).status_code

    claim = claim_of(opening_key("tests", key.bytes))
    with redis.Redis.from_url(client.house.url) as store:
        answers = [await opened("nains")]
        store.delete(claim)
        answers += [await opened("inis"), await opened("nains")]
        store.set(claim, tables["inis"])
        answers.append(await opened("nains"))
        store.xadd(client.doors.store.partition(tables["inis"]).truth(tables["inis"]), {"body": "opened unnoticed"})
        answers += [await opened("nains"), await opened("inori")]

    assert [201, 409, 201, 201, 201, 409] == answers


@pytest.mark.parametrize("address", ["seats/0", "commands"])
async def test_who_left_hears_again_what_became_of_that(client: Client, address: str) -> None:
    """And nothing else, nor does anybody who sits there later hear it of them."""
    table = await client.open(start=False)
    path, key = f"/v1/tables/{table.name}", keyed()

    async def leave(headers: dict[str, str], token: str = table.tokens[0]) -> httpx.Response:
        if address == "commands":
            body = {"kind": "leave_seat", "seat": 0}
            return await client.ask("POST", f"{path}/commands", token, body=body, headers=headers)
        return await client.ask("DELETE", f"{path}/{address}", token, headers=headers)

    first, again = await leave(key), await leave(key)
    about = f"{path}/commands/{key['Idempotency-Key']}"
    told_again = await client.ask("GET", about, table.tokens[0])
    others = [
        await leave(keyed()),
        await client.ask("POST", f"{path}/commands", table.tokens[0], body={"kind": "set_ready", "seat": 0}),
        await client.ask("GET", f"{path}/view", table.tokens[0]),
        await client.ask("GET", about, table.tokens[1]),
    ]

    assert 200 == first.status_code, first.text
    assert (200, first.json()) == (again.status_code, again.json())
    assert first.json() == told_again.json()
    assert ["not_your_seat"] * 3 + ["unknown_command"] == [each.json()["code"] for each in others]
