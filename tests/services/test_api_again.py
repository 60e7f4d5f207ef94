"""Whatever is sent again with the same key gets the same answer, and nothing happens twice."""

from __future__ import annotations

import uuid

import httpx
import pytest

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
