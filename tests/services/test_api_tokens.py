"""Keys and tokens: what each lets its holder do, and how it ends."""

from __future__ import annotations

import time
import uuid
from contextlib import closing
from typing import Any

import httpx
import msgspec
import pytest

from events.codec import pack
from events.log.redis_cluster import open_store
from events.streams import PLATFORM_KEYS
from services.api import credentials
from services.api.keys import KeyRecord, kept, new_key
from services.api.problems import Problem
from services.api.signing import given
from services.api.tokens import LONGEST_LIFE_S, SeatClaim, WatchClaim, read_token, token_of
from tests.services.house import Client, House, Table, client_of


def told(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a no."""
    return answer.status_code, answer.json()["code"]


@pytest.fixture
async def table(client: Client) -> Table:
    return await client.open()


@pytest.fixture
async def hidden(client: Client) -> Table:
    return await client.open(private=True)


def view(table: Table) -> str:
    return f"/v1/tables/{table.name}/view"


async def test_a_seats_tokens_end_when_they_are_revoked(client: Client, table: Table) -> None:
    """The platform ends all of a seat's tokens and makes a new one; other seats notice nothing."""
    path = f"/v1/tables/{table.name}/seats/0/token"
    ended = await client.ask("DELETE", path, client.house.key)
    by_old = await client.ask("GET", view(table), table.tokens[0])
    by_other = await client.ask("GET", view(table), table.tokens[1])
    made = await client.ask("POST", path, client.house.key)
    by_new = await client.ask("GET", view(table), made.json()["token"])

    assert (204, b"") == (ended.status_code, ended.content)
    assert (401, "token_revoked") == told(by_old)
    assert [200, 200] == [by_other.status_code, by_new.status_code]


async def test_another_process_goes_by_a_revocation_within_seconds(
    client: Client, house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may believe what it read a moment ago, and no longer."""
    now = 1_000.0
    monkeypatch.setattr(credentials, "clock", lambda: now)
    async with client_of(house) as other:
        before = await other.ask("GET", view(table), table.tokens[0])
        await client.ask("DELETE", f"/v1/tables/{table.name}/seats/0/token", client.house.key)
        now += credentials.BELIEVED_S
        after = await other.ask("GET", view(table), table.tokens[0])

    assert 200 == before.status_code
    assert (401, "token_revoked") == told(after)
    assert 5 >= credentials.BELIEVED_S


async def test_sent_again_a_request_brings_back_no_token_that_was_ended(house: House) -> None:
    """Whoever sat down as a guest, by invitation or by the platform; a new player at the seat gets one."""
    async with client_of(house, guests="tests") as client:
        table = await client.open(seats=3, start=False)
        path = f"/v1/tables/{table.name}/seats"
        for seat in range(3):
            await client.ask("DELETE", f"{path}/{seat}", client.house.key)
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        invited = (await client.ask("POST", f"/v1/tables/{table.name}/invitations", client.house.key)).json()["token"]
        for seat, (token, body) in enumerate(((guest, {}), (invited, {}), (client.house.key, {"player": "zoe"}))):
            key = {"Idempotency-Key": str(uuid.uuid4())}
            first, same = [await client.ask("POST", f"{path}/{seat}", token, body=body, headers=key) for _ in range(2)]
            await client.ask("DELETE", f"{path}/{seat}/token", client.house.key)
            ended = await client.ask("GET", view(table), first.json()["token"])
            again = await client.ask("POST", f"{path}/{seat}", token, body=body, headers=key)

            assert [200, 200, 200] == [each.status_code for each in (first, same, again)]
            assert same.json()["token"]
            assert (401, "token_revoked") == told(ended)
            assert {**first.json(), "token": None, "until": None} == again.json()
        await client.ask("DELETE", f"{path}/2", client.house.key)
        anew = await client.ask("POST", f"{path}/2", client.house.key, body={"player": "zoe"})
        by_new = await client.ask("GET", view(table), anew.json()["token"])

    assert 200 == by_new.status_code


async def test_a_player_ends_their_own_tokens(client: Client, table: Table) -> None:
    """Whoever lost a phone need not wait for the platform; nobody ends another's."""
    path = f"/v1/tables/{table.name}/seats"
    foreign = await client.ask("DELETE", f"{path}/1/token", table.tokens[0])
    by_arbiter = await client.ask("DELETE", f"{path}/1/token", client.house.arbiter)
    nobody = await client.ask("DELETE", f"{path}/9/token", client.house.key)
    own = await client.ask("DELETE", f"{path}/0/token", table.tokens[0])

    assert [(403, "not_your_seat")] * 2 == [told(foreign), told(by_arbiter)]
    assert (404, "unknown_seat") == told(nobody)
    assert 204 == own.status_code


async def test_a_token_may_be_for_looking_alone(client: Client, table: Table) -> None:
    """Its holder sees the hand and sends nothing."""
    path = f"/v1/tables/{table.name}"
    made = await client.ask("POST", f"{path}/seats/0/token", client.house.key, body={"scope": "watch", "valid_s": 60})
    token = made.json()["token"]
    seen = await client.ask("GET", f"{path}/view", token)
    command = seen.json()["legal"][0]
    sent = await client.ask("POST", f"{path}/commands", token, body=command)
    left = await client.ask("DELETE", f"{path}/seats/0", token)
    ended = await client.ask("DELETE", f"{path}/seats/0/token", token)

    assert 0 == seen.json()["viewpoint"]
    assert 0 < made.json()["until"] - time.time() <= 60
    assert [(403, "not_allowed")] * 3 == [told(sent), told(left), told(ended)]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"scope": "all"}, "$.scope"),
        ({"valid_s": 0}, "$.valid_s"),
        ({"valid_s": LONGEST_LIFE_S + 1}, "$.valid_s"),
        ({"x": 1}, "$"),
    ],
)
async def test_a_token_that_cannot_be_is_not_made(
    client: Client, table: Table, body: dict[str, object], path: str
) -> None:
    """The fault is named."""
    made = await client.ask("POST", f"/v1/tables/{table.name}/seats/0/token", client.house.key, body=body)

    assert (422, "malformed") == told(made)
    assert path == made.json()["path"]


async def test_a_free_seat_has_no_token(client: Client) -> None:
    """Nor has one that a bot plays."""
    table = await client.open(start=False, bots=1)
    await client.ask("DELETE", f"/v1/tables/{table.name}/seats/0", client.house.key)
    made = [
        await client.ask("POST", f"/v1/tables/{table.name}/seats/{seat}/token", client.house.key) for seat in (0, 1)
    ]

    assert [(409, "seat_free")] * 2 == [told(each) for each in made]


async def test_a_public_table_shows_every_token_what_it_shows_to_nobody(client: Client) -> None:
    """Keys and guests of another platform see it as anybody does, and nothing more of it."""
    table = await client.open()
    async with client_of(client.house, guests="others") as others:
        guest = (await others.ask("POST", "/v1/guests")).json()["token"]
    nobody = await client.ask("GET", view(table))
    seen = [await client.ask("GET", view(table), token) for token in (client.house.other, guest)]
    hands = await client.ask("GET", f"{view(table)}?seat=0", client.house.other)
    deeds = [
        await client.ask("POST", f"/v1/tables/{table.name}/{what}", client.house.other)
        for what in ("cancel", "spectators", "rematch")
    ]

    assert [nobody.content] * 2 == [each.content for each in seen]
    assert (403, "not_your_seat") == told(hands)
    assert [(404, "unknown_table")] * 3 == [told(each) for each in deeds]


async def test_a_private_table_is_watched_with_a_token_alone(client: Client, hidden: Table) -> None:
    """Without one it is as if it were not there; a public table is there for all."""
    path = f"/v1/tables/{hidden.name}"
    public = await client.open()
    made = (await client.ask("POST", f"{path}/spectators", client.house.key)).json()
    seen = await client.ask("GET", f"{path}/view", made["token"])
    strangers = [
        await client.ask("GET", f"{path}/{what}", token)
        for what in ("view", "history")
        for token in (None, client.house.other)
    ]
    nowhere = await client.ask("GET", "/v1/tables/nains-aaaaaaaaaa/view")
    played = await client.ask("POST", f"{path}/commands", made["token"], body={"kind": "concede", "seat": 0})
    peeked = await client.ask("GET", f"{path}/view?seat=0", made["token"])
    elsewhere = await client.ask("GET", view(public), made["token"])
    await client.ask("DELETE", f"{path}/spectators", client.house.key)
    ended = await client.ask("GET", f"{path}/view", made["token"])

    assert (200, None) == (seen.status_code, seen.json()["viewpoint"])
    assert [(401, "no_token"), (404, "unknown_table")] * 2 == [told(each) for each in strangers]
    assert (401, "no_token") == told(nowhere)
    assert (403, "not_allowed") == told(played)
    assert [(403, "not_your_seat")] * 2 == [told(peeked), told(elsewhere)]
    assert (401, "token_revoked") == told(ended)
    assert 200 == (await client.ask("GET", view(public))).status_code
    assert 200 == (await client.ask("GET", f"/v1/tables/{public.name}/history")).status_code


async def test_every_spectator_has_a_token_of_their_own(client: Client, table: Table) -> None:
    """Also where many are made in the same second: limits count each by itself."""
    made = [await client.settled(f"/v1/tables/{table.name}/spectators", None) for _ in range(50)]
    seen = [await client.ask("GET", view(table), each["token"]) for each in made]

    assert 50 == len({each["token"] for each in made})
    assert [200] * 50 == [each.status_code for each in seen]


async def test_an_arbiter_sees_every_seat_and_plays_at_none(client: Client, table: Table) -> None:
    """At the tables of their own platform."""
    path = f"/v1/tables/{table.name}"
    seen = [await client.ask("GET", f"{path}/view?seat={seat}", client.house.arbiter) for seat in range(2)]
    own = [await client.ask("GET", f"{path}/view", token) for token in table.tokens]
    history = await client.ask("GET", f"{path}/history?seat=1", client.house.arbiter)
    command = seen[0].json()["legal"][0]
    refused = [
        await client.ask("POST", f"{path}/commands", client.house.arbiter, body=command),
        await client.ask("POST", f"{path}/start", client.house.arbiter),
        await client.ask("POST", "/v1/tables", client.house.arbiter, body={"game": "nains", "seats": 2}),
        await client.ask("POST", f"{path}/seats/0/token", client.house.arbiter),
        await client.ask("GET", "/v1/keys", client.house.arbiter),
    ]
    nobody = await client.ask("GET", f"{path}/view?seat=5", client.house.arbiter)

    assert [each.content for each in own] == [each.content for each in seen]
    assert 200 == history.status_code
    assert [(403, "not_allowed")] * 5 == [told(each) for each in refused]
    assert (404, "unknown_seat") == told(nobody)


async def test_an_arbiter_looks_up_what_any_seat_was_answered(client: Client, table: Table) -> None:
    """A refused click is part of a dispute; to the platform neither that nor an accepted one is told."""
    keys = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]
    clicks: list[dict[str, Any]] = [
        {"kind": "take_dwarf", "seat": 0, "card": "D1-RET-1"},
        (await client.legal(table, 0))[0],
    ]
    for key, click in zip(keys, clicks, strict=True):
        await client.play(table, 0, click, Idempotency_Key=key)
    paths = [f"/v1/tables/{table.name}/commands/{key}" for key in keys]
    found = [await client.ask("GET", path, client.house.arbiter) for path in paths]
    by_platform = [await client.ask("GET", path, client.house.key) for path in paths]

    assert ["refused", "accepted"] == [each.json()["status"] for each in found]
    assert [(404, "unknown_command")] * 2 == [told(each) for each in by_platform]


async def test_a_platform_lists_its_own_keys(client: Client) -> None:
    """Names and times; neither secrets nor digests, and nobody else's."""
    found = await client.ask("GET", "/v1/keys", client.house.key)
    keys = found.json()["keys"]

    assert {"platform", "arbiter"} == {each["role"] for each in keys}
    assert {"name", "role", "label", "made", "until", "state"} == set(keys[0])
    assert client.house.other.split("_")[1] not in found.text
    assert not any(key.split("_", 2)[2] in found.text for key in (client.house.key, client.house.arbiter))


async def test_a_key_ends_when_its_time_is_over(client: Client, house: House) -> None:
    """To the second, whoever remembers it."""
    codes = []
    for until in (int(time.time()) - 1, int(time.time()) + 1000):
        key = new_key()
        name, record = kept(key, role="platform", platform="tests", until=until)
        with closing(open_store(house.url)) as store:
            store.command("HSET", PLATFORM_KEYS, name, pack(record))
        codes.append((await client.ask("GET", "/v1/keys", key)).status_code)

    assert [401, 200] == codes


def test_a_key_of_an_age_before_labels_is_still_one() -> None:
    """What the store kept then reads today."""
    key = new_key()
    _, record = kept(key, role="platform", platform="x")
    old = msgspec.msgpack.encode((record.role, record.platform, record.digest))

    assert msgspec.structs.replace(record, made=0) == KeyRecord(*msgspec.msgpack.decode(old))


def test_no_token_is_taken_for_another_kind() -> None:
    """What was signed as one kind proves nothing as another."""
    token = token_of(WatchClaim("nains-x", "tests", int(time.time()) + 9), bytes(32))

    for prefix in ("fst_", "fit_", "fgt_", "fxt_"):
        with pytest.raises(Problem, match="wrong_token"):
            read_token(prefix + token[4:], given([bytes(32)]), now=time.time())


def test_no_token_holds_longer_than_revocations_are_remembered() -> None:
    """Whatever an operator sets."""
    claim = SeatClaim("nains-x", 0, "tests", "ann", int(time.time()) + LONGEST_LIFE_S + 9)

    with pytest.raises(Problem, match="token_expired"):
        read_token(token_of(claim, bytes(32)), given([bytes(32)]), now=time.time())
