"""Pages of the lobby: each public table once, whatever comes and goes meanwhile, and no word of others."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis

from events.streams import numbered, view_of_all
from projections.lobby.lobby import LOBBY
from projections.lobby.lobby import listed as list_of
from services.api import lobby
from services.api.cursors import LONGEST, Place, cursor_of, read_cursor
from services.api.problems import Problem
from tests.services.house import Client, House

SIGNING = bytes(32)
OPEN = view_of_all(numbered(LOBBY, 1), list_of("nains", "open"))


async def listed(client: Client, *names: str) -> None:
    """Return once the lobby lists tables."""
    found: set[str] = set()
    while not set(names) <= found:
        page = (await client.ask("GET", "/v1/tables?limit=200", client.house.key)).json()
        found = {each["table"] for each in page["tables"]}


async def pages(client: Client, token: str | None = None, limit: int = 1) -> AsyncIterator[dict[str, Any]]:
    cursor: str | None = ""
    while cursor is not None:
        page = (await client.ask("GET", f"/v1/tables?limit={limit}{cursor}", token)).json()
        yield page
        cursor = None if page["next"] is None else f"&cursor={page['next']}"


async def test_own_tables_are_for_a_platform_and_its_arbiter(client: Client) -> None:
    """Public and private ones, page by page; nobody else has any."""
    mine = [(await client.open(start=False, private=private)).name for private in (True, False)]
    seat = await client.open()
    mine.append(seat.name)
    await listed(client, *mine)
    for key in (client.house.key, client.house.arbiter):
        found: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = (await client.ask("GET", f"/v1/tables?own=true&limit=1{cursor}", key)).json()
            found += [each["table"] for each in page["tables"]]
            cursor = None if page["next"] is None else f"&cursor={page['next']}"
        assert mine[::-1] == [each for each in found if each in mine]
        assert len(set(found)) == len(found)
    none = (await client.ask("GET", "/v1/tables?own=true", client.house.other)).json()
    refused = [
        await client.ask("GET", "/v1/tables?own=true", token) for token in (None, seat.tokens[0], client.house.bots)
    ]

    assert {"tables": [], "next": None} == none
    assert [(401, "no_token", {}), *[(403, "not_allowed", {"role": "platform"})] * 2] == [
        (each.status_code, each.json()["code"], each.json()["details"]) for each in refused
    ]


@pytest.mark.parametrize(
    "word", ["perhaps", "1", "0", "yes", "no", "on", "t", "True", "FALSE", "%20true", "true%20", ""]
)
async def test_yes_and_no_have_one_spelling_each(client: Client, word: str) -> None:
    """As JSON writes them; like numbers, they are read as strictly as in a body."""
    odd = await client.ask("GET", f"/v1/tables?own={word}", client.house.key)
    good = [await client.ask("GET", f"/v1/tables?own={each}", client.house.key) for each in ("true", "false")]
    told = odd.json()

    assert (422, "malformed", "query.own") == (odd.status_code, told["code"], told["path"])
    assert "wrong_type" == told["details"]["reason"]
    assert [200, 200] == [each.status_code for each in good]


def all_readings(cursor: str) -> bytes:
    """Return what base64 makes of a text, wherever it is begun."""
    return b" ".join(
        base64.urlsafe_b64decode(cursor[start:][: (len(cursor) - start) // 4 * 4].encode()) for start in range(4)
    )


async def test_a_cursor_names_no_table(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a page ends at one that its reader may not know of; and all that they may know of come."""
    public = [(await client.open(start=False)).name]
    private = [(await client.open(start=False, private=True)).name for _ in range(7)]
    public.append((await client.open(start=False)).name)
    await listed(client, *public, *private)
    monkeypatch.setattr(lobby, "MOST", 2)
    monkeypatch.setattr(lobby, "SCANNED", 2)
    found: list[str] = []
    cursors: list[str] = []
    async for page in pages(client, client.house.other, limit=2):
        found += [each["table"] for each in page["tables"]]
        cursors += filter(None, [page["next"]])
    read = b" ".join(map(all_readings, cursors))

    assert public[::-1] == [each for each in found if each in public]
    assert not set(private) & set(found)
    assert len(cursors) > 3
    assert 1 == len({len(each) for each in cursors})
    assert not re.search(rb"nains|\d{6}", read)
    assert b"nains" in all_readings(base64.urlsafe_b64encode(b"178000:nains-a1").decode().rstrip("="))


@pytest.mark.parametrize("gone", ["shown", "last shown", "to come"])
async def test_rows_that_go_between_two_pages_move_no_other(client: Client, house: House, gone: str) -> None:
    """Also among tables that were opened in the same millisecond."""
    names = [(await client.open(start=False)).name for _ in range(6)]
    await listed(client, *names)
    with redis.Redis.from_url(house.url) as store:
        at = int(store.zscore(OPEN, names[0]) or 0)
        store.zadd(OPEN, dict.fromkeys(names, at), xx=True)
        expected = sorted(names, reverse=True)
        found: list[str] = []
        async for page in pages(client):
            found += [each["table"] for each in page["tables"] if each["table"] in names]
            if len(found) == 3:
                place = {"shown": 1, "last shown": 2, "to come": 3}[gone]
                store.zrem(OPEN, expected[place])

    if gone == "to come":
        del expected[3]
    assert expected == found


async def test_more_tables_of_one_millisecond_than_are_looked_at_together(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come all the same."""
    names = [(await client.open(start=False)).name for _ in range(7)]
    await listed(client, *names)
    monkeypatch.setattr(lobby, "MOST", 2)
    monkeypatch.setattr(lobby, "SCANNED", 2)
    with redis.Redis.from_url(house.url) as store:
        store.zadd(OPEN, dict.fromkeys(names, int(store.zscore(OPEN, names[0]) or 0)), xx=True)
    found = [each["table"] async for page in pages(client) for each in page["tables"] if each["table"] in names]

    assert sorted(names, reverse=True) == found


def test_a_cursor_is_good_in_one_spelling_and_of_one_service_alone() -> None:
    """What is no cursor of this list is told as such."""
    place = Place(1_790_000_000_000, "nains-" + "z" * 40)
    cursor = cursor_of(place, SIGNING)
    others = [
        cursor + "=",
        cursor[:-1],
        cursor[:-1] + chr(ord(cursor[-1]) ^ 1),
        cursor.swapcase(),
        "",
        "MTc5MDAwMDAwMDAwMDpuYWlucy1hMQ==",
        cursor_of(place, secrets.token_bytes(32)),
        "\N{LATIN SMALL LETTER E WITH ACUTE}",
    ]

    assert place == read_cursor(cursor, [secrets.token_bytes(32), SIGNING])
    assert len(cursor) <= LONGEST
    for other in others:
        with pytest.raises(Problem, match="malformed"):
            read_cursor(other, [SIGNING])
