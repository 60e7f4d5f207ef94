"""Tables over HTTP: opened, seated, started, played, seen and told."""

from __future__ import annotations

import asyncio
import uuid

import httpx
import msgspec
import pytest

from tests.services.house import Client, House, client_of


async def test_a_table_is_opened_seated_started_and_played(client: Client) -> None:
    """The whole way from a platform's key to a seat's move, each step seen as soon as it is answered."""
    table = await client.open(seats=2)
    before = (await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])).json()
    legal = await client.legal(table, 0)
    played = await client.play(table, 0, legal[0])
    seen = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])

    assert "running" == before["status"]
    assert 0 == before["viewpoint"]
    assert [0, 1] == [each["seat"] for each in before["asked"]]
    assert 200 == played.status_code
    assert before["version"] + 1 == played.json()["first"]
    assert played.json()["version"] == seen.json()["version"]
    assert played.headers["etag"] == seen.headers["etag"]


async def test_opening_twice_with_one_key_opens_once(client: Client) -> None:
    """A platform that heard no answer sends again and gets the same table."""
    key = {"Idempotency-Key": str(uuid.uuid4())}
    body = {"game": "nains", "seats": 3}
    both = [await client.ask("POST", "/v1/tables", client.house.key, body=body, headers=key) for _ in range(2)]
    other = await client.ask("POST", "/v1/tables", client.house.key, body={**body, "seats": 2}, headers=key)

    assert both[0].json() == both[1].json()
    assert "command_id_reused" == other.json()["code"]


async def test_a_command_sent_twice_happens_once(client: Client) -> None:
    """The same id gives the same answer; with another body it is refused."""
    table = await client.open()
    legal = await client.legal(table, 0)
    key = str(uuid.uuid4())
    both = await asyncio.gather(*(client.play(table, 0, legal[0], Idempotency_Key=key) for _ in range(2)))
    other = await client.play(table, 0, legal[1], Idempotency_Key=key)

    assert both[0].json() == both[1].json()
    assert (409, "command_id_reused") == (other.status_code, other.json()["code"])


async def test_a_stale_command_is_told_the_version(client: Client) -> None:
    """A click on an older question changes nothing and says how far the table is."""
    table = await client.open()
    legal = await client.legal(table, 0)
    await client.play(table, 0, legal[0])
    stale = await client.play(table, 0, legal[1], If_Match='"1"')

    assert (409, "stale_version") == (stale.status_code, stale.json()["code"])
    assert stale.json()["details"]["version"] > 1


async def test_messagepack_is_taken_as_well(client: Client) -> None:
    """A client may pack its commands."""
    table = await client.open()
    command = (await client.legal(table, 1))[0]
    played = await client.ask(
        "POST",
        f"/v1/tables/{table.name}/commands",
        table.tokens[1],
        content=msgspec.msgpack.encode(command),
        headers={"Content-Type": "application/msgpack"},
    )

    assert 200 == played.status_code, played.text


async def test_an_answer_can_be_looked_up_by_its_sender_alone(client: Client) -> None:
    """What a seat was answered, refusals among it, is nobody else's."""
    table = await client.open()
    accepted, refused = str(uuid.uuid4()), str(uuid.uuid4())
    await client.play(table, 0, (await client.legal(table, 0))[0], Idempotency_Key=accepted)
    await client.play(table, 0, {"kind": "take_dwarf", "seat": 0, "card": "D1-RET-1"}, Idempotency_Key=refused)
    path = f"/v1/tables/{table.name}/commands"
    own = [await client.ask("GET", f"{path}/{each}", table.tokens[0]) for each in (accepted, refused)]
    foreign = [await client.ask("GET", f"{path}/{each}", table.tokens[1]) for each in (accepted, refused)]
    never = await client.ask("GET", f"{path}/{uuid.uuid4()}", table.tokens[0])

    assert ["accepted", "refused"] == [each.json()["status"] for each in own]
    assert ["unknown_command"] * 3 == [each.json()["code"] for each in (*foreign, never)]


async def test_a_view_is_sent_once_and_waited_for(client: Client) -> None:
    """An unchanged view costs no body; a later one is waited for and comes as soon as it is there."""
    table = await client.open()
    path = f"/v1/tables/{table.name}/view"
    seen = await client.ask("GET", path, table.tokens[0])
    same = await client.ask("GET", path, table.tokens[0], headers={"If-None-Match": seen.headers["etag"]})
    version = seen.json()["version"]
    waiting = asyncio.create_task(client.ask("GET", f"{path}?at_least={version + 1}", table.tokens[0]))
    await asyncio.sleep(0)
    await client.play(table, 1, (await client.legal(table, 1))[0])
    later = await waiting

    assert (304, b"") == (same.status_code, same.content)
    assert version < later.json()["version"]


@pytest.mark.parametrize("door", ["view", "legal"])
async def test_whoever_holds_it_already_is_not_sent_it_again(client: Client, door: str) -> None:
    """By any of the marks that are listed, strong or weak, or by the star; what is no list of marks says nothing."""
    table = await client.open()
    path = f"/v1/tables/{table.name}/{door}"
    seen = await client.ask("GET", path, table.tokens[0])
    etag = seen.headers["etag"]
    held = [etag, f"W/{etag}", f'"x", {etag}', f' ,"x" ,W/"y,z",{etag},', "*", " * "]
    other = [
        '"x"',
        '"x", "y"',
        f"{etag[:-1]}",
        etag.strip('"'),
        f"{etag} {etag}",
        f'"x"{etag}',
        f"*, {etag}",
        "x" * 100,
    ]

    async def status(*lines: str) -> int:
        headers = httpx.Headers(
            [("Authorization", f"Bearer {table.tokens[0]}"), *(("If-None-Match", e) for e in lines)]
        )
        answer = await client.http.get(path, headers=headers)
        assert answer.headers["etag"] == etag
        assert bool(answer.content) is (answer.status_code == 200)
        return answer.status_code

    assert [304] * len(held) == [await status(each) for each in held]
    assert [200] * len(other) == [await status(each) for each in other]
    assert 304 == await status('"x"', etag)


async def test_a_version_that_does_not_come_is_told(house: House) -> None:
    """Whoever waits in vain hears how far the table is, or that nothing is new."""
    async with client_of(house, view_s=0.2) as client:
        table = await client.open()
        path = f"/v1/tables/{table.name}/view"
        seen = await client.ask("GET", path, table.tokens[0])
        late = await client.ask("GET", f"{path}?at_least=999999", table.tokens[0])
        same = await client.ask(
            "GET", f"{path}?at_least=999999", table.tokens[0], headers={"If-None-Match": seen.headers["etag"]}
        )

    assert (409, "not_yet") == (late.status_code, late.json()["code"])
    assert seen.json()["version"] == late.json()["details"]["version"]
    assert 304 == same.status_code


async def test_history_is_told_page_by_page_as_the_seat_was_told_it(client: Client) -> None:
    """Every chapter once, in order, whatever the page size."""
    table = await client.open(seats=3)
    await client.play(table, 0, (await client.legal(table, 0))[0])
    path = f"/v1/tables/{table.name}/history"
    whole = (await client.ask("GET", path, table.tokens[0])).json()["chapters"]
    pages, start = [], 0
    while start is not None:
        page = (await client.ask("GET", f"{path}?limit=2&from={start}", table.tokens[0])).json()
        pages += page["chapters"]
        start = page["next"]
    spectator = (await client.ask("GET", path, client.house.key)).json()["chapters"]

    assert whole == pages
    assert ["table_opened", "seat_taken"] == [each["steps"][0]["kind"] for each in whole[:2]]
    assert "coins" in str(whole[-1]["steps"])
    assert "'coins'" not in str(spectator[-1]["steps"])


async def test_the_lobby_shows_tables_newest_first(client: Client) -> None:
    """Anybody may look; pages follow each other without gap or repeat."""
    names = [(await client.open(start=False)).name for _ in range(3)]

    async def listed() -> bool:
        found = (await client.ask("GET", "/v1/tables?status=open")).json()["tables"]
        return set(names) <= {each["table"] for each in found}

    while not await listed():
        await asyncio.sleep(0.02)
    pages, cursor = [], ""
    while True:
        page = (await client.ask("GET", f"/v1/tables?limit=2{cursor}")).json()
        pages += [each["table"] for each in page["tables"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"

    assert names[::-1] == [each for each in pages if each in names]
    assert len(set(pages)) == len(pages)


async def test_a_seat_can_be_left_and_its_old_token_ends(client: Client) -> None:
    """Whoever left never sees the hand of whoever came after."""
    table = await client.open(start=False)
    path = f"/v1/tables/{table.name}/seats/0"
    old = table.tokens[0]
    left = await client.ask("DELETE", path, old)
    given = await client.ask("POST", path, client.house.key, body={"player": "other", "salt": "ab" * 32})
    renewed = await client.ask("POST", f"{path}/token", client.house.key)
    by_old = await client.ask("GET", f"/v1/tables/{table.name}/view", old)
    by_new = await client.ask("GET", f"/v1/tables/{table.name}/view", renewed.json()["token"])

    assert 200 == left.status_code, left.text
    assert 200 == given.status_code, given.text
    assert (403, "not_your_seat") == (by_old.status_code, by_old.json()["code"])
    assert 200 == by_new.status_code


async def test_bots_see_and_move_bot_seats_only(client: Client) -> None:
    """The service's own bots play the seats that are theirs, as any client would."""
    table = await client.open(seats=2, bots=1)
    path = f"/v1/tables/{table.name}"
    seen = await client.ask("GET", f"{path}/view?seat=1", client.house.bots)
    foreign = await client.ask("GET", f"{path}/view?seat=0", client.house.bots)
    command = seen.json()["legal"][0]
    moved = await client.ask("POST", f"{path}/commands", client.house.bots, body=command)
    cheated = await client.ask("POST", f"{path}/commands", client.house.bots, body={**command, "seat": 0})

    assert 1 == seen.json()["viewpoint"]
    assert 200 == moved.status_code, moved.text
    assert [(403, "not_your_seat")] * 2 == [(each.status_code, each.json()["code"]) for each in (foreign, cheated)]


async def test_an_answer_that_takes_longer_is_a_link(client: Client, house: House) -> None:
    """After the wait the sender gets a place to ask, and the answer is there later."""
    table = await client.open()
    async with client_of(house, answer_s=0.15) as hasty:
        command = (await hasty.legal(table, 0))[0]
        with house.rules_at_rest():
            pending = await hasty.play_once(table, 0, command)
            unknown = await hasty.ask("GET", pending.headers["location"], table.tokens[0])
        while (found := await hasty.ask("GET", pending.headers["location"], table.tokens[0])).status_code == 404:
            await asyncio.sleep(0.01)

    assert (202, "pending") == (pending.status_code, pending.json()["status"])
    assert 404 == unknown.status_code
    assert "accepted" == found.json()["status"]


async def test_who_sends_again_gets_the_whole_answer(client: Client, house: House) -> None:
    """With the id that the link named, also where the sender had given none: the token of a seat, once it is taken."""
    path = f"/v1/tables/{(await client.settled('/v1/tables', {'game': 'nains', 'seats': 2}))['table']}/seats"
    async with client_of(house, answer_s=0.05) as hasty:
        with house.rules_at_rest():
            asking = asyncio.create_task(hasty.ask("POST", f"{path}/0", house.key, body={"player": "ann"}))
            pending = await hasty.ask_once("POST", f"{path}/1", house.key, body={"player": "bo"})
        taken = await asking

    assert (202, None) == (pending.status_code, pending.json().get("token"))
    assert (200, "ann", True) == (taken.status_code, taken.json()["player"], bool(taken.json()["token"]))


async def test_nothing_heard_costs_a_read_not_the_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the push gone, answers and views are found by reading."""
    table = await client.open()
    wakes = client.doors.wakes
    monkeypatch.setattr(wakes, "hear", lambda _: None)
    monkeypatch.setattr(wakes, "listening", False)
    played = await client.play(table, 0, (await client.legal(table, 0))[0])

    assert 200 == played.status_code
