"""What a browser keeps of answers is shown to nobody else who asks from it."""

from __future__ import annotations

import time
import uuid
from itertools import permutations

import pytest

from events.messages import Seat
from services.api.caching import OWN, UNKEPT, mark, version_in
from services.api.etags import Tags, tags_of
from tests.services.house import Client, House, Table, client_of
from tests.services.kept import Cache

DOORS = ("view", "legal", "history")


@pytest.fixture
async def table(client: Client) -> Table:
    """Return a table at which two play."""
    return await client.open(seats=2)


@pytest.mark.parametrize("door", DOORS)
async def test_nobody_is_shown_what_another_kept(client: Client, table: Table, door: str) -> None:
    """Two players and a spectator in one browser: each sees their own, in whatever order they look."""
    path = f"/v1/tables/{table.name}/{door}"
    tokens = [*table.tokens, *([] if door == "legal" else [None])]
    own = [(await client.ask("GET", path, token)).json() for token in tokens]
    for order in permutations(range(len(tokens))):
        cache = Cache(client)
        for _ in range(2):
            shown = {each: (await cache.get(path, tokens[each])).json() for each in order}

            assert own == [shown[each] for each in range(len(tokens))]


async def test_a_view_that_is_kept_is_not_sent_again(client: Client, table: Table) -> None:
    """Though others look from the same browser; once somebody has moved it is."""
    path, cache = f"/v1/tables/{table.name}/view", Cache(client)
    viewers = [*table.tokens, None]
    for _ in range(2):
        for token in viewers:
            await cache.get(path, token)
    before = list(cache.statuses)
    await client.play(table, 0, (await client.legal(table, 0))[0])
    seen = [await cache.get(path, token) for token in viewers]

    assert [200] * 3 + [304] * 3 == before
    assert [200] * 3 == cache.statuses[6:]
    assert 1 == len({each.json()["version"] for each in seen})


async def test_whatever_depends_on_the_caller_says_so(client: Client, table: Table) -> None:
    """At every door, with a token and without, noes among the answers; what is the same for all may say it, too."""
    path, token = f"/v1/tables/{table.name}", table.tokens[0]
    legal, known = await client.legal(table, 0), (await client.ask("GET", f"{path}/view", token)).headers["etag"]
    command_id = str(uuid.uuid4())
    answers = [
        *[await client.ask("GET", f"{path}/{door}", who) for door in DOORS for who in (token, None, "fst_x.y")],
        await client.ask("GET", f"{path}/view", token, headers={"If-None-Match": known}),
        await client.ask("GET", f"{path}/view", token, headers={"Origin": "https://play.example.org"}),
        await client.ask("HEAD", f"{path}/view", token),
        await client.play(table, 0, legal[0], Idempotency_Key=command_id),
        await client.ask("GET", f"{path}/commands/{command_id}", token),
        await client.play(table, 0, {"kind": "nothing"}),
        await client.ask("GET", "/v1/tables", client.house.key),
        await client.ask("GET", "/v1/keys", client.house.key),
        await client.ask("DELETE", f"{path}/spectators", client.house.key),
        await client.ask("GET", "/v1/nowhere", token),
        await client.ask("PUT", f"{path}/view", token),
    ]

    assert {200, 204, 304, 401, 404, 405, 422} == {each.status_code for each in answers}
    assert {OWN} == {each.headers.get("cache-control") for each in answers}
    assert all("Authorization" in each.headers["vary"] for each in answers)


async def test_who_asks_too_much_is_told_so_alone(client: Client) -> None:
    """A no that never came to a door is for its sender as well."""
    async with client_of(client.house, rate_address=0.01, rate_burst_s=100) as slow:
        answers = [await slow.ask("GET", "/v1/tables") for _ in range(3)]

    assert 429 == answers[-1].status_code
    assert {(OWN, "Authorization")} == {(each.headers["cache-control"], each.headers["vary"]) for each in answers}


async def test_a_view_is_named_by_the_mark_of_a_command(client: Client, table: Table) -> None:
    """What a view was marked with is good for a command, as is its version; what was answered marks the next view."""
    path = f"/v1/tables/{table.name}/view"
    seen = await client.ask("GET", path, table.tokens[0])
    played = await client.play(table, 0, (await client.legal(table, 0))[0], If_Match=seen.headers["etag"])
    after = await client.ask("GET", path, table.tokens[0], headers={"If-None-Match": played.headers["etag"]})
    stale = await client.play(table, 0, seen.json()["legal"][1], If_Match=seen.headers["etag"])

    assert [200, 304] == [played.status_code, after.status_code]
    assert (409, "stale_version") == (stale.status_code, stale.json()["code"])


def test_a_mark_is_read_as_it_was_written() -> None:
    """In a list of others, weak, or by its version alone."""
    spectator, seat = mark(None, 9), mark(Seat(0), 9)

    assert spectator != seat
    assert seat in Tags(tags_of(f'"x", W/{seat}'))
    assert not any(seat in Tags(tags_of(each)) for each in ("", '"9"', spectator))
    assert [9] * 4 == [version_in(each) for each in (spectator, f"W/{seat}", '"9"', "9")]
    assert [None] * 7 == [version_in(each) for each in ("", '"old"', '"9-"', '"9-1-2"', '"010"', "09", '"00-1"')]
    assert [0, 10**15 - 1] == [version_in(each) for each in ('"0"', f'"{10**15 - 1}"')]


async def test_every_token_is_given_alike(house: House) -> None:
    """Whichever door makes it: with the time at which it ends, in an answer that nobody keeps."""
    async with client_of(house, guests="tests", seat_token_s=600, invitation_s=300, guest_token_s=900) as client:
        table = await client.open()
        opened = await client.open(start=False)
        await client.ask("POST", f"/v1/tables/{table.name}/cancel", house.key)
        path = f"/v1/tables/{opened.name}"
        await client.ask("DELETE", f"{path}/seats/1", house.key)
        now = time.time()
        answers = [
            await client.ask("POST", "/v1/guests"),
            await client.ask("POST", f"{path}/seats/1", house.key, body={"player": "zoe"}),
            await client.ask("POST", f"{path}/seats/1/token", house.key, body={"scope": "watch"}),
            await client.ask("POST", f"{path}/spectators", house.key),
            await client.ask("POST", f"{path}/invitations", house.key),
            await client.ask("POST", f"/v1/tables/{table.name}/rematch", house.key),
        ]
        made = [each for answer in answers for each in answer.json().get("seats", [answer.json()])]
        seats = (made[1], made[2], *made[5:])

    assert 7 == len({each["token"] for each in made})
    assert all(0 <= each["until"] - int(now + 600) <= 30 for each in seats)
    assert 0 <= made[0]["until"] - int(now + 900) <= 30
    assert 0 <= made[4]["until"] - int(now + 300) <= 30
    assert [UNKEPT] * 6 == [each.headers["cache-control"] for each in answers]


async def test_a_seat_without_a_token_has_no_end_of_one(client: Client) -> None:
    """As where a bot sits down."""
    table = await client.open(start=False)
    path = f"/v1/tables/{table.name}/seats/1"
    await client.ask("DELETE", path, client.house.key)
    taken = await client.ask("POST", path, client.house.key, body={"bot": "random"})

    assert (None, None) == (taken.json()["token"], taken.json()["until"])
