"""A store that falls silent is told to be away in time, by every door, and all goes on when it wakes."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

import pytest

from events.streams import LIVE_OF_ALL, META
from services.api.line import CONNECTIONS
from services.api.tokens import table_of
from tests.clusters import MASTERS
from tests.services.house import Client, Table, a_house, client_of
from tests.services.split import PATIENT_S, STORE_S, TOLD_S, split
from tests.until import PATIENCE_S

CROWD = 16 * CONNECTIONS
"""If they had to wait in turn, the last would hear too late."""
LISTED = "/v1/tables?limit=200"
AWAY = (503, "store_away")
WELL = (200, "ok")

Told = tuple[int, str]


async def said(client: Client, table: Table, legal: Any) -> list[Told]:  # noqa: ANN401  a command
    """Return what each door says, asked all at once by many more than there are connections to the store."""
    house, path = client.house, f"/v1/tables/{table.name}"
    async with asyncio.timeout(TOLD_S):
        answers = await asyncio.gather(
            *[client.ask("GET", "/readyz") for _ in range(30)],
            *[client.ask("GET", f"{path}/{what}", table.tokens[0]) for what in ("view", "legal", "history") * 40],
            *[client.ask("GET", "/v1/tables", house.key) for _ in range(20)],
            *[client.ask("POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2}) for _ in range(20)],
            *[client.play(table, 0, legal) for _ in range(10)],
        )
    return [(each.status_code, each.json().get("code", "ok")) for each in answers]


async def seen_ever(client: Client, table: Table) -> Told:
    """Return what the door of a view says, however long that takes."""
    answer = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])
    return answer.status_code, answer.json().get("code", "ok")


async def seen(client: Client, table: Table) -> Told:
    """Return what the door of a view says, which has to come in time."""
    async with asyncio.timeout(TOLD_S):
        return await seen_ever(client, table)


async def until_seen(client: Client, table: Table) -> None:
    """Return as soon as a table can be looked at."""
    async with asyncio.timeout(PATIENCE_S):
        while await seen(client, table) != WELL:
            await asyncio.sleep(0.02)


async def until_well(client: Client, table: Table) -> None:
    """Return as soon as the doors read and write again."""
    async with asyncio.timeout(PATIENCE_S):
        while (await client.ask("GET", "/readyz")).status_code != 200:
            await asyncio.sleep(0.02)
    await until_seen(client, table)


async def test_a_silent_store_is_away_for_all_and_taken_up_when_it_wakes(tmp_path: Path) -> None:
    """However many ask, nobody waits much longer than the store is given to answer."""
    with a_house(tmp_path) as house:
        async with client_of(house, store_s=STORE_S) as client:
            table = await client.open()
            legal = (await client.legal(table, 0))[0]
            with house.silent_store():
                assert {AWAY} == set(await said(client, table, legal))
                assert {AWAY} == set(await said(client, table, legal)), "nor with fresh connections"
            await until_well(client, table)

            assert (await client.open()).name != table.name


async def test_a_silent_node_is_away_by_itself(tmp_path: Path) -> None:
    """Whoever asks for its tables hears so in time, however many."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        client = parts.client
        with parts.silent_node():
            assert {AWAY} == set(await asyncio.gather(*(seen(client, parts.there) for _ in range(CROWD))))
            assert WELL == await seen(client, parts.elsewhere)
        await until_seen(client, parts.there)


async def test_nobody_waits_for_a_silent_node_but_who_asks_for_its_tables(tmp_path: Path) -> None:
    """Others are answered while a crowd waits; they are, too, when it wakes."""
    async with split(tmp_path, store_s=PATIENT_S) as parts:
        client = parts.client
        with parts.silent_node():
            crowd = [asyncio.create_task(seen_ever(client, parts.there)) for _ in range(CROWD)]
            for _ in range(CONNECTIONS):
                assert WELL == await seen(client, parts.elsewhere)
            assert not any(each.done() for each in crowd)
        assert {WELL} == {await each for each in crowd}


@pytest.mark.parametrize(
    ("of", "named"),
    [(None, None), (LIVE_OF_ALL, "all"), (META, META)],
    ids=["of some tables", "of what all share", "of the store's epoch"],
)
async def test_the_doors_stay_open_beside_a_silent_node(tmp_path: Path, of: str | None, named: str | None) -> None:
    """Whatever it holds: seats play at the other tables and see it; and whoever watches is told what waits."""
    async with split(tmp_path, store_s=STORE_S, of=of) as parts:
        client, table, place = parts.client, parts.elsewhere, parts.client.doors.store.partition
        with parts.silent_node():
            async with asyncio.timeout(TOLD_S):
                ready = await client.ask("GET", "/readyz")
            played = await client.play(table, 0, (await client.legal(table, 0))[0])
            assert 200 == played.status_code, played.text
            path = f"/v1/tables/{table.name}/view?at_least={played.json()['version']}"
            async with asyncio.timeout(PATIENCE_S):
                while (await client.ask("GET", path, table.tokens[0])).status_code != 200:
                    await asyncio.sleep(0.02)
        async with asyncio.timeout(PATIENCE_S):
            while (again := (await client.ask("GET", "/readyz")).json())["status"] != "ready":
                await asyncio.sleep(0.02)

    assert (200, "degraded") == (ready.status_code, ready.json()["status"])
    away = ready.json()["away"]
    assert place(parts.there.name).tag in away
    assert place(table.name).tag not in away
    assert named is None or named in away
    assert [] == again["away"]


async def test_the_doors_are_closed_where_nobody_can_be_let_in(tmp_path: Path) -> None:
    """Who had not read the key that signs tokens when its node fell silent knows nobody, unless an operator gave it."""
    async with (
        split(tmp_path, store_s=STORE_S, of=LIVE_OF_ALL) as parts,
        client_of(parts.client.house, store_s=STORE_S) as stranger,
        client_of(parts.client.house, store_s=STORE_S, signing_key="ab" * 32) as keyed,
    ):
        with parts.silent_node():
            async with asyncio.timeout(TOLD_S):
                told = await asyncio.gather(*(each.ask("GET", "/readyz") for each in (parts.client, stranger, keyed)))

    assert [200, 503, 200] == [each.status_code for each in told]
    assert "store_away" == told[1].json()["code"]


async def test_a_command_for_a_silent_node_that_is_sent_again_happens_once(tmp_path: Path) -> None:
    """Its sender hears that the store is away; what the node took in meanwhile is what the second time is answered."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        client, table = parts.client, parts.there
        command, key = (await client.legal(table, 0))[0], str(uuid.uuid4())
        with parts.silent_node():
            async with asyncio.timeout(TOLD_S):
                away = await client.play(table, 0, command, Idempotency_Key=key)
        await until_seen(client, table)
        while (answer := await client.play(table, 0, command, Idempotency_Key=key)).status_code != 200:
            assert 503 == answer.status_code, answer.text
        again = await client.play(table, 0, command, Idempotency_Key=key)

    assert AWAY == (away.status_code, away.json()["code"])
    assert key == answer.json()["command_id"]
    assert answer.json() == again.json()


async def test_a_table_is_opened_whatever_node_of_another_game_is_silent(tmp_path: Path) -> None:
    """That its key has opened none of that game cannot be found out then, and stops nobody."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        key = uuid.uuid4()
        while parts.holds(table_of("tests", key.bytes, "nains")) or not parts.holds(
            table_of("tests", key.bytes, "inis")
        ):
            key = uuid.uuid4()
        headers = {"Idempotency-Key": str(key)}
        body = {"game": "nains", "seats": 2}
        with parts.silent_node():
            answer = await parts.client.ask("POST", "/v1/tables", parts.client.house.key, body=body, headers=headers)

    assert 201 == answer.status_code, answer.text
    assert table_of("tests", key.bytes, "nains") == answer.json()["table"]


async def test_no_table_is_opened_while_what_all_tables_share_is_silent(tmp_path: Path) -> None:
    """Whether its key is for another game already cannot be found out; sent again, it opens one when that is back."""
    async with split(tmp_path, store_s=STORE_S, of=LIVE_OF_ALL) as parts:
        client, key = parts.client, uuid.uuid4()
        while parts.holds(table_of("tests", key.bytes, "nains")):
            key = uuid.uuid4()
        wish: dict[str, Any] = {"body": {"game": "nains", "seats": 2}, "headers": {"Idempotency-Key": str(key)}}
        with parts.silent_node():
            away = await client.ask("POST", "/v1/tables", client.house.key, **wish)
        async with asyncio.timeout(PATIENCE_S):
            while (opened := await client.ask("POST", "/v1/tables", client.house.key, **wish)).status_code != 201:
                assert AWAY == (opened.status_code, opened.json()["code"])

    assert AWAY == (away.status_code, away.json()["code"])
    assert table_of("tests", key.bytes, "nains") == opened.json()["table"]


async def test_a_replica_that_takes_a_silent_nodes_place_is_found(tmp_path: Path) -> None:
    """Without a restart, and while the node is silent still."""
    async with split(tmp_path, store_s=STORE_S, replicas=MASTERS) as parts:
        with parts.silent_node():
            await until_seen(parts.client, parts.there)
            assert WELL == await seen(parts.client, parts.elsewhere)


@pytest.mark.parametrize("of", [None, LIVE_OF_ALL], ids=["of some tables", "of what all share"])
async def test_the_lobby_beside_a_silent_node(tmp_path: Path, of: str | None) -> None:
    """It is away with the node of its lists; else a row is missing that has to be drawn of what that node holds."""
    async with split(tmp_path, store_s=STORE_S, of=of) as parts:
        client = parts.client
        while not parts.holds((late := await client.open(spectator_delay=3_600)).name):
            pass
        async with asyncio.timeout(PATIENCE_S):
            while late.name not in [each["table"] for each in (await client.ask("GET", LISTED)).json()["tables"]]:
                await asyncio.sleep(0.02)
        with parts.silent_node():
            async with asyncio.timeout(TOLD_S):
                found = await client.ask("GET", LISTED)

    if of is None:
        names = [each["table"] for each in found.json()["tables"]]
        assert (200, True, False) == (found.status_code, parts.elsewhere.name in names, late.name in names)
    else:
        assert AWAY == (found.status_code, found.json()["code"])
