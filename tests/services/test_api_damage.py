"""Keys that were written over are told as such, by a code and without what they hold; and nothing else suffers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
import redis
from structlog.testing import capture_logs

from events.streams import (
    LIVE_OF_ALL,
    META,
    PLATFORM_KEYS,
    PLATFORMS,
    SIGNING,
    SIGNING_KEYS,
    Partition,
    numbered,
    partition_of,
    view_of_all,
)
from projections.lobby.lobby import LOBBY, TABLES, left, listed
from projections.tables.projections import STORY, TABLE
from services.api import survey
from services.api.problems import STATUS
from services.api.tokens import table_of
from tests.live.door import Door, a_door
from tests.services.house import House, Table, client_at_once

CANARY = b"canary-5e1f"
QUICK: dict[str, Any] = {"answer_s": 0.05, "view_s": 0.05, "guests": "tests"}
Told = dict[str, str]
"""What each question came to: its status, or the code of the no."""


class Hurt(msgspec.Struct):
    """
    A key, or one field of it, that something else stands in the place of.

    Args:
        key: its name, of a partition and a table.
        how: what stands there: something of another type, or what nobody wrote.
        asks: the questions that are answered with ``store_damaged`` then.
        field: the field of a hash that alone is hurt; else it is the whole key.
        otherwise: questions that are answered with another code.
        named: whether ``/readyz`` names the key.
    """

    key: Callable[[Partition, str], str]
    how: str
    asks: tuple[str, ...] = ()
    field: str | None = None
    otherwise: Told = {}
    named: bool = False

    def told(self, scene: Scene) -> Told:
        """Return what is to be told while it is hurt."""
        ready = {"ready": f"degraded {self.key(scene.place, scene.hurt.name)}"} if self.named else {}
        return {**WHOLE, **dict.fromkeys(self.asks, "store_damaged"), **self.otherwise, **ready}


def view(place: Partition, table: str) -> str:
    return place.view(numbered(TABLE, 1), table)


def story(place: Partition, table: str) -> str:
    return place.view(numbered(STORY, 1), table)


WHOLE: Told = {
    "view": "200",
    "seat view": "200",
    "legal": "200",
    "history": "200",
    "send": "202",
    "answer": "200",
    "make a token": "200",
    "revoke": "204",
    "rematch": "table_not_over",
    "lobby": "200",
    "open tables": "200",
    "key": "200",
    "guest": "201",
    "open": "202",
    "games": "200",
    "alive": "200",
    "ready": "ready",
    "other view": "200",
    "other history": "200",
    "other send": "202",
    "other platform": "200",
    "live": "view",
    "other live": "view",
}
"""What is told while nothing is hurt, and nobody works on commands."""

BY_SEAT = ("seat view", "legal", "history", "send", "answer")
BY_KEY = ("view", "make a token", "revoke", "rematch", "key", "open")
SEEN = ("view", *BY_SEAT, "make a token", "rematch", "live")
"""Who sits where is read of the spectator's view."""

LOBBIES = ("lobby", "open tables")
TYPE, BYTES = "another type", "bytes that mean nothing"
SEATS = (*BY_SEAT, "make a token", "live", "other view", "other history", "other send", "other live", "guest")
LOST = dict.fromkeys(("guest", "ready"), "store_lost")
UNUSABLE = dict.fromkeys(("guest", "ready"), "store_unusable")
NO_KEY = dict.fromkeys((*BY_KEY, "other platform"), "wrong_token")


def named(key: str) -> Callable[[Partition, str], str]:
    return lambda *_: key


def lobby(name: str) -> Callable[[Partition, str], str]:
    return named(view_of_all(numbered(LOBBY, 1), name))


meta, live_of_all = named(META), named(LIVE_OF_ALL)


def live(place: Partition, _: str) -> str:
    return place.live


def commands(place: Partition, _: str) -> str:
    return place.commands


def cursor(place: Partition, _: str) -> str:
    return place.cursor


HURTS = [
    Hurt(meta, TYPE, ("guest", "ready")),
    Hurt(meta, BYTES, otherwise=LOST),
    Hurt(meta, BYTES, field="epoch", otherwise=LOST),
    Hurt(meta, BYTES, field="layout", otherwise=UNUSABLE),
    Hurt(Partition.truth, TYPE, ("view", "make a token", "revoke", "rematch", "send", "answer")),
    Hurt(
        Partition.truth,
        BYTES,
        ("view", "make a token", "revoke", "rematch"),
        otherwise={"answer": "unknown_command"},  # whoever sends it again is told more
    ),
    *(Hurt(view, how, SEEN) for how in (TYPE, BYTES)),
    *(Hurt(view, BYTES, SEEN, field=field) for field in ("version", "spectator")),
    Hurt(view, BYTES, ("seat view", "live"), field="0"),
    *(Hurt(story, how, ("history", "live")) for how in (TYPE, BYTES)),
    *(Hurt(live, how, SEEN, named=True) for how in (TYPE, BYTES)),
    Hurt(live, BYTES, SEEN, field=TABLE, named=True),
    *(Hurt(Partition.revoked, how, (*BY_SEAT, "make a token", "revoke", "live")) for how in (TYPE, BYTES)),
    Hurt(commands, TYPE, ("send",), named=True),
    Hurt(commands, BYTES),  # doors do not read it
    Hurt(cursor, TYPE, ("send",), named=True),
    Hurt(cursor, BYTES, otherwise={"send": "store_lost"}, named=True),
    Hurt(cursor, BYTES, field="dead", named=True),
    Hurt(named(PLATFORM_KEYS), TYPE, (*BY_KEY, "other platform"), named=True),
    Hurt(named(PLATFORM_KEYS), BYTES, otherwise=NO_KEY, named=True),
    *(Hurt(named(PLATFORMS), how, ("guest",), named=True) for how in (TYPE, BYTES)),
    # a page behind which there is another names it in a sealed cursor
    *(
        Hurt(named(key), how, (*SEATS, *LOBBIES), named=True)
        for key in (SIGNING, SIGNING_KEYS)
        for how in (TYPE, BYTES)
    ),
    Hurt(lobby(listed("nains", "open")), TYPE, LOBBIES, named=True),
    Hurt(lobby(listed("nains", "running")), TYPE, ("lobby",), named=True),
    Hurt(lobby(left("nains", "open")), TYPE, ("open tables",), named=True),
    Hurt(lobby(TABLES), TYPE, LOBBIES, named=True),
    # rows that can be read are listed
    *(Hurt(lobby(name), BYTES) for name in (listed("nains", "open"), left("nains", "open"), TABLES)),
    *(Hurt(live_of_all, how, LOBBIES, named=True) for how in (TYPE, BYTES)),
    Hurt(live_of_all, BYTES, LOBBIES, field=LOBBY, named=True),
]
"""Every key the API reads; heads, feeds, positions, indexes and secrets it does not."""

LISTED = (listed("nains", "open"), listed("nains", "running"), left("nains", "open"))
"""Lists of the lobby that are to hold something when they are hurt."""

FAULTS = {"request_failed", "socket_failed", "live_reading_failed", "command_failed", "token_check_failed"}
"""Lines of the log that tell of a fault nobody thought of."""


class Scene(msgspec.Struct):
    """
    A table that is hurt, and one of another partition.

    Args:
        command: one that the hurt table's second seat may send; ``other_command`` one of the other's first seat.
        command_id: of one that was answered; ``new`` of one that opens a table of another partition.
    """

    house: House
    hurt: Table
    other: Table
    command: dict[str, Any]
    other_command: dict[str, Any]
    command_id: str
    new: str

    @property
    def place(self) -> Partition:
        return place_of(self.house, self.hurt.name)


def place_of(house: House, table: str) -> Partition:
    with redis.Redis.from_url(house.url) as store:
        return partition_of(table, int(store.hget(META, "partitions:nains") or 0))


@pytest.fixture
async def scene(house: House) -> Scene:
    async with a_door(house) as door:
        hurt = await door.client.open()
        while place_of(house, (other := await door.client.open()).name) == place_of(house, hurt.name):
            pass
        await door.client.open(start=False)
        await door.client.open(spectator_delay=3_600)
        command_id = str(uuid.uuid4())
        first = (await door.client.legal(hurt, 0))[0]
        played = await door.client.play(hurt, 0, first, Idempotency_Key=command_id)
        assert 200 == played.status_code
        await door.client.ask("DELETE", f"/v1/tables/{hurt.name}/spectators", house.key)
        place = place_of(house, hurt.name)
        with redis.Redis.from_url(house.url) as store:
            store.hset(place.live, TABLE, 1)
            store.hset(LIVE_OF_ALL, LOBBY, 1)
            while not all(store.exists(lobby(name)(place, "")) for name in LISTED):
                await asyncio.sleep(0.005)
        while place_of(house, table_of("tests", (new := uuid.uuid4()).bytes, "nains")) == place_of(house, hurt.name):
            pass
        legal = [(await door.client.legal(table, seat))[0] for table, seat in ((hurt, 1), (other, 0))]
        return Scene(house, hurt, other, command=legal[0], other_command=legal[1], command_id=command_id, new=str(new))


async def all_told(door: Door, scene: Scene) -> Told:
    """Return what every question comes to."""
    ask, house, hurt, other = door.client.ask_once, scene.house, scene.hurt, scene.other
    path, beside = f"/v1/tables/{hurt.name}", f"/v1/tables/{other.name}"
    answers = {
        "view": await ask("GET", f"{path}/view", house.key),
        "seat view": await ask("GET", f"{path}/view", hurt.tokens[0]),
        "legal": await ask("GET", f"{path}/legal", hurt.tokens[1]),
        "history": await ask("GET", f"{path}/history", hurt.tokens[0]),
        "send": await ask("POST", f"{path}/commands", hurt.tokens[1], body=scene.command),
        "answer": await ask("GET", f"{path}/commands/{scene.command_id}", hurt.tokens[0]),
        "make a token": await ask("POST", f"{path}/seats/0/token", house.key),
        "revoke": await ask("DELETE", f"{path}/invitations", house.key),
        "rematch": await ask("POST", f"{path}/rematch", house.key),
        "lobby": await ask("GET", "/v1/tables?limit=1", headers={"Origin": "https://play.example.org"}),
        "open tables": await ask("GET", "/v1/tables?status=open&limit=1"),
        "key": await ask("GET", "/v1/keys", house.key),
        "guest": await ask("POST", "/v1/guests"),
        "open": await ask(
            "POST", "/v1/tables", house.key, body={"game": "nains", "seats": 2}, headers={"Idempotency-Key": scene.new}
        ),
        "games": await ask("GET", "/v1/games"),
        "alive": await ask("GET", "/healthz"),
        "ready": await ask("GET", "/readyz"),
        "other view": await ask("GET", f"{beside}/view", other.tokens[0]),
        "other history": await ask("GET", f"{beside}/history", other.tokens[0]),
        "other send": await ask("POST", f"{beside}/commands", other.tokens[0], body=scene.other_command),
        "other platform": await ask("GET", "/v1/keys", house.other),
    }
    told = {
        name: each.json()["code"] if each.status_code >= 400 else str(each.status_code)
        for name, each in answers.items()
    }
    assert CANARY.decode() not in " ".join(each.text for each in answers.values())
    for name, table, token in (("live", hurt, hurt.tokens[0]), ("other live", other, other.tokens[0])):
        async with door.socket() as line:
            first = await line.ask(token=token)
            if first["kind"] == "welcome":
                first = await line.ask(follow=table.name, after=0)
            if first["kind"] == "following":
                first = await line.hear(lambda each: each["kind"] in ("view", "unfollowed"))
            told[name] = first.get("code") or first["kind"]
            assert CANARY.decode() not in str(line.heard)
    if told["ready"] == "200":
        ready = answers["ready"].json()
        told["ready"] = " ".join([ready["status"], *ready["damaged"]])
    return told


def raw(store: redis.Redis, *words: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
    """Do something by hand."""
    return store.execute_command(*words)  # type: ignore[no-untyped-call]


def overwrite(store: redis.Redis, hurt: Hurt, key: str) -> None:
    """Put something else in the place of a key, of another type or of the same."""
    kind = store.type(key)
    if hurt.field is not None:
        store.hset(key, hurt.field, CANARY)
    elif hurt.how == TYPE:
        store.delete(key)
        if kind == b"string":
            store.hset(key, CANARY, CANARY)
        else:
            store.set(key, CANARY)
    elif kind == b"hash":
        store.hset(key, mapping=dict.fromkeys(store.hkeys(key), CANARY))
    elif kind == b"stream":
        ids = [entry[0] for entry in raw(store, "XRANGE", key, "-", "+")]
        store.delete(key)
        for entry in ids:
            raw(store, "XADD", key, entry, "body", CANARY)
    elif kind == b"zset":
        members = raw(store, "ZRANGE", key, 0, -1)
        store.delete(key)
        for member in members:
            raw(store, "ZADD", key, "inf", b"\xff" + member)
    else:
        store.set(key, CANARY)


@contextmanager
def overwritten(scene: Scene, hurt: Hurt) -> Iterator[None]:
    """Hurt a key while the block is alive, with nobody else at work on the store; then let it be what it was."""
    key = hurt.key(scene.place, scene.hurt.name)
    scene.house.stop()
    try:
        with redis.Redis.from_url(scene.house.url) as store:
            kept = store.dump(key)
            if kept is None:  # nothing was set for any platform
                store.hset(key, "tests", CANARY)
            overwrite(store, hurt, key)
            try:
                yield
            finally:
                store.delete(key)
                if kept is not None:
                    store.restore(key, 0, kept)
    finally:
        scene.house.start()


@pytest.mark.parametrize("number", range(len(HURTS)))
async def test_a_key_that_was_written_over_is_told_and_costs_nothing_else(
    scene: Scene, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question has its answer, those at other tables the usual one; and all is well once the key is whole."""
    hurt = HURTS[number]
    monkeypatch.setattr(survey, "LOOKED_S", 0.0)
    async with a_door(scene.house, **QUICK) as door:
        with capture_logs() as logged:
            with overwritten(scene, hurt):
                told = await all_told(door, scene)
            again = await all_told(door, scene)

    assert hurt.told(scene) == told
    assert set() == FAULTS & {line["event"] for line in logged}
    assert hurt.field == "layout" or CANARY.decode() not in str(logged)  # which layout was found is no secret
    assert {name: WHOLE[name] for name in WHOLE if not name.endswith(("send", "open"))} == {
        name: each for name, each in again.items() if not name.endswith(("send", "open"))
    }
    assert not set(STATUS) & {again["send"], again["open"], again["other send"]}


@pytest.mark.parametrize("how", [TYPE, BYTES])
async def test_a_process_that_finds_no_whole_store_stays_shut_until_it_does(scene: Scene, how: str) -> None:
    """It says so at every door, goes on living, and opens by itself."""
    with (
        overwritten(scene, Hurt(meta, how, field=None if how == TYPE else "partitions:nains")),
        capture_logs() as logged,
    ):
        async with client_at_once(scene.house) as client:
            while not any(line["event"] == "store_failed" for line in logged):
                await asyncio.sleep(0.005)
            asked = [await client.ask("GET", path, scene.house.key) for path in ("/readyz", "/v1/tables", "/v1/keys")]
            alive = await client.ask("GET", "/healthz")

    assert [(503, "store_damaged")] * 3 == [(each.status_code, each.json()["code"]) for each in asked]
    assert 200 == alive.status_code
    assert set() == FAULTS & {line["event"] for line in logged}
