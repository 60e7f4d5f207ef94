"""Each service of the composed file can do its work with the rights it has there, and no other's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
import redis
import yaml

from events.codec import pack, raw
from events.commit import Envelope
from events.log.errors import StoreAwayError, StoreLostError
from events.log.redis_log import RedisLog
from events.streams import (
    LIVE_OF_ALL,
    META,
    PLATFORM_KEYS,
    PLATFORMS,
    SIGNING,
    SIGNING_KEYS,
    Partition,
    claim_of,
    partition_of,
    view_of_all,
)
from events.tables.commands import OpenTable
from events.tables.vocabulary import Actor
from projections.runtime.shares import Shares
from projections.runtime.words import projector_of
from projections.runtime.work import run as project
from tests.servers import Server, running_server, valkey_binary
from tests.services.house import House, client_of
from tests.until import until
from workers.games import GamesShelf
from workers.runtime.leases import Leases
from workers.runtime.loop import run as decide

ROOT = Path(__file__).parents[2]
ACL: str = yaml.safe_load((ROOT / "compose.yaml").read_text())["configs"]["acl"]["content"]
FIRST = "user default on nopass ~* &* +@all"
TABLE = "nains-acl"
P = partition_of(TABLE, 4)


class Walled:
    """A server with the users of the composed file."""

    def __init__(self, server: Server) -> None:
        self.socket = server.url.removeprefix("unix://")

    def url(self, user: str) -> str:
        """Return the address for a user."""
        return f"unix://{user}:{password(user)}@{self.socket}"

    def client(self, user: str) -> Any:  # noqa: ANN401  the client's types say less than they know
        return redis.Redis.from_url(self.url(user))


def password(user: str) -> str:
    return "health" if user == "health" else f"{user}-word"


def filled_in() -> str:
    """Return the users as the composed service gets them, with a password for each."""
    return re.sub(r"\$\{FIDCHELL_(\w+)_PASSWORD:\?[^}]*\}", lambda found: f"{found[1].lower()}-word", ACL)


@pytest.fixture
def walled(tmp_path: Path) -> Iterator[Walled]:
    """Return an empty server with the users of the composed file, and no other."""
    users = tmp_path / "users.acl"
    users.write_text(FIRST + "\n")
    with running_server(valkey_binary(), tmp_path, settings=("--aclfile", str(users))) as server:
        with redis.Redis.from_url(server.url) as client:
            users.write_text(filled_in())
            client.acl_load()
        yield Walled(server)


class AtWork:
    """A rule worker and a projection worker, each as its own user."""

    def __init__(self, walled: Walled) -> None:
        self._stop = Event()
        RedisLog(walled.url("worker")).close()
        self.rules = RedisLog(walled.url("worker"), games=["nains"])
        self.views = RedisLog(walled.url("projections"), games=["nains"])
        leases = Leases(self.rules, ["nains"], owner="rules")
        shares = Shares(self.views, ["nains"], owner="views")
        self._threads = [
            Thread(target=decide, args=(self.rules, GamesShelf(), leases, self._stop)),
            Thread(
                target=project, args=(projector_of(self.views, ["nains"]), shares, self._stop), kwargs={"block_ms": 20}
            ),
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self.rules.close()
        self.views.close()


@pytest.fixture
def at_work(walled: Walled) -> Iterator[AtWork]:
    """Return both at work."""
    working = AtWork(walled)
    yield working
    working.end()


def test_services_can_start_in_any_order(walled: Walled) -> None:
    """Those that may not lay out the store wait until the one that may has done so."""
    for user in ("projections", "api"):
        with pytest.raises(StoreAwayError, match="a rule worker"):
            RedisLog(walled.url(user), games=["nains"])
    RedisLog(walled.url("worker"), games=["nains"]).close()
    for user in ("projections", "api"):
        RedisLog(walled.url(user), games=["nains"]).close()


class Furnished(House):
    """The house of the tests of the doors, behind walls."""

    def __init__(self, walled: Walled) -> None:
        self.url = walled.url("operator")
        self.key, self.other = self._new_key("platform", "tests"), self._new_key("platform", "others")
        self.url = walled.url("api")


async def test_a_table_is_played_by_services_that_trust_nobody(walled: Walled, at_work: AtWork) -> None:
    """Opened, seated, started, played and read through the doors, with the rights of the composed file."""
    random = Random(1)
    async with client_of(Furnished(walled)) as client:
        table = await client.open(seats=2)
        for _ in range(6):
            for seat in range(2):
                if legal := await client.legal(table, seat):
                    played = await client.play(table, seat, random.choice(legal))
                    assert played.status_code == 200, played.text
        told = await client.ask("GET", f"/v1/tables/{table.name}/history", table.tokens[0])
        assert len(told.json()["chapters"]) > 6
        ended = await client.ask("DELETE", f"/v1/tables/{table.name}/seats/0/token", client.house.key)
        assert 204 == ended.status_code, ended.text
        by_old = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])
        assert "token_revoked" == by_old.json()["code"]
        page = await client.ask("GET", "/v1/tables", headers={"Origin": "https://nobody.example"})
        assert 200 == page.status_code
        assert 200 == (await client.ask("GET", "/v1/keys", client.house.key)).status_code
        listed = await client.ask("GET", "/v1/tables")
        assert [table.name] == [row["table"] for row in listed.json()["tables"]]
        await client.doors.store.submit(P, b"noise")
        until(lambda: at_work.rules.dead(P), what="it is set aside")
        assert (1, [], []) == await client.doors.surveyor.survey(), "counted by those who may not read it"


def test_a_projection_is_rebuilt_with_the_rights_of_projections(walled: Walled, at_work: AtWork) -> None:
    """Views are written, switched and removed; feed and commands are trimmed by the rule worker."""
    doors = RedisLog(walled.url("api"), games=["nains"])
    doors.submit(P, pack(Envelope(bytes(16), TABLE, Actor("platform", "x"), raw(OpenTable(game="nains", seats=2)))))
    views = at_work.views
    until(lambda: views.view_fields(P.view("table@1", TABLE)), what="the views are there")
    for scope, projection in ((P, "table"), (P, "chronicle"), (None, "lobby")):
        views.ask_rebuild(scope, projection)
    until(lambda: not views.view_fields(P.view("table@1", TABLE)), what="the old views are removed")
    until(lambda: views.courses_of_all().number("lobby") == 2, what="the lobby is switched")

    assert views.view_fields(P.view("table@2", TABLE))
    assert [] == list(at_work.rules.trim_feed(P))
    doors.close()


TRUTH, HEAD = P.truth(TABLE), P.head(TABLE)
VIEW = P.view("table@1", TABLE)
REVOKED = P.revoked(TABLE)
FORBIDDEN: dict[str, list[tuple[str, ...]]] = {
    "api": [
        ("HGETALL", P.secrets),
        ("XADD", TRUTH, "*", "body", "x"),
        ("DEL", TRUTH),
        ("HSET", HEAD, "version", "9"),
        ("HSET", VIEW, "0", "x"),
        ("HSET", P.live, "table", "9"),
        ("HSET", P.cursor, "pos", "9-9"),
        ("HSET", META, "layout", "9"),
        ("HSET", PLATFORM_KEYS, "x", "x"),
        ("HDEL", PLATFORM_KEYS, "x"),
        ("HSET", PLATFORMS, "x", "x"),
        ("SET", SIGNING, "x"),
        ("HSET", SIGNING_KEYS, "x", "x"),
        ("HDEL", SIGNING_KEYS, "x"),
        ("DEL", claim_of("x")),
        ("HDEL", REVOKED, "0"),
        ("DEL", REVOKED),
        ("PERSIST", REVOKED),
        ("EXPIRE", TRUTH, "1"),
        ("XTRIM", P.commands, "MAXLEN", "0"),
        ("DEL", P.commands),
        ("XADD", P.feed, "*", "table", "x"),
        ("ZADD", P.tables, "1", "x"),
        ("XRANGE", P.dead, "-", "+"),
        ("PUBLISH", P.push, "x"),
        ("FCALL", "fidchell_1_acquire", "1", P.cursor, "me", "1000"),
        ("FCALL", "fidchell_1_save", "2", P.positions, VIEW, "table@1", P.push, "x"),
        ("FUNCTION", "LOAD", "REPLACE", "#!lua name=fidchell_1\n"),
    ],
    "projections": [
        ("HGETALL", P.secrets),
        ("XRANGE", P.commands, "-", "+"),
        ("XADD", P.commands, "*", "body", "x"),
        ("XADD", TRUTH, "*", "body", "x"),
        ("DEL", TRUTH),
        ("UNLINK", TRUTH),
        ("HSET", HEAD, "version", "9"),
        ("HSET", P.cursor, "pos", "9-9"),
        ("HSET", META, "layout", "9"),
        ("XTRIM", P.feed, "MAXLEN", "0"),
        ("XADD", P.feed, "*", "table", "x"),
        ("HGETALL", PLATFORM_KEYS),
        ("HGETALL", PLATFORMS),
        ("GET", SIGNING),
        ("HGETALL", SIGNING_KEYS),
        ("HGETALL", REVOKED),
        ("HSET", REVOKED, "0", "1"),
        ("FUNCTION", "LOAD", "REPLACE", "#!lua name=fidchell_1\n"),
    ],
    "worker": [
        ("HSET", VIEW, "0", "x"),
        ("HGETALL", PLATFORM_KEYS),
        ("HGETALL", PLATFORMS),
        ("GET", SIGNING),
        ("HGETALL", SIGNING_KEYS),
        ("HGETALL", REVOKED),
        ("HSET", REVOKED, "0", "1"),
        ("SET", claim_of("x"), "x"),
        ("HSET", LIVE_OF_ALL, "lobby", "9"),
        ("HGETALL", view_of_all("lobby@1", "tables")),
        ("DEL", TRUTH),
        ("UNLINK", P.commands),
    ],
    "health": [("GET", "x"), ("INFO",), ("HGETALL", META), ("FUNCTION", "LIST"), ("CONFIG", "GET", "*")],
}
NOBODY = [
    ("FLUSHALL",),
    ("KEYS", "*"),
    ("CONFIG", "SET", "appendonly", "no"),
    ("SHUTDOWN",),
    ("ACL", "LIST"),
    ("FUNCTION", "FLUSH"),
    ("SET", "anything", "x"),
    ("EVAL", "return 1", "0"),
]


@pytest.mark.parametrize("user", FORBIDDEN)
def test_nobody_may_do_what_is_anothers(walled: Walled, user: str) -> None:
    """Each of it is refused by the server, whatever the program would do."""
    RedisLog(walled.url("worker"), games=["nains"]).close()
    with walled.client(user) as client:
        assert client.ping()
        for command in (*FORBIDDEN[user], *NOBODY):
            with pytest.raises(redis.ResponseError, match=r"(?i)permission"):
                client.execute_command(*command)


def test_what_is_forbidden_is_a_command_that_would_work(walled: Walled) -> None:
    """The list above is refused for want of rights, not since it is wrong: the operator may do it."""
    RedisLog(walled.url("worker"), games=["nains"]).close()
    strange = {"FCALL", "FUNCTION", "CONFIG", "XADD"}
    with walled.client("operator") as client:
        for commands in FORBIDDEN.values():
            for command in commands:
                if command[0] not in strange:
                    client.execute_command(*command)


def test_the_default_user_is_off(walled: Walled) -> None:
    """Who has no password has no store."""
    with (
        redis.Redis.from_url(f"unix://{walled.url('x').rpartition('@')[2]}") as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_a_lost_store_is_not_laid_out_by_those_who_may_not(walled: Walled) -> None:
    """They say that it is lost, or wait; nobody else's rights are asked for."""
    log = RedisLog(walled.url("worker"), games=["nains"])
    views = RedisLog(walled.url("projections"), games=["nains"])
    with walled.client("operator") as client:
        client.flushall()

    with pytest.raises(StoreLostError):
        views.standing(Partition("nains", 0))
    with pytest.raises(StoreLostError):
        log.acquire(P, owner="x", ttl_ms=1)
    log.close()
    views.close()
