"""A whole small house for tests of the doors: a store of its own, rules and views in a thread, one API."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import redis
from pydantic import SecretStr

from events.codec import pack
from events.log.errors import StoreAwayError
from events.log.redis_cluster import open_store
from events.log.redis_log import RedisLog
from events.streams import PLATFORM_KEYS
from projections.lobby.lobby import Lobby
from projections.runtime.projector import Projector
from projections.tables.projections import Chronicle, TableViews
from services.api.app import create_app
from services.api.doors import Doors
from services.api.keys import kept, name_of, new_key
from services.api.settings import ApiSettings
from services.embedded.server import EmbeddedServer
from tests.until import PATIENCE_S, until
from workers.games import GamesShelf
from workers.runtime.leases import Leases
from workers.runtime.loop import run

SHELF = GamesShelf()
UNLIMITED = {"rate_key": 0, "rate_token": 0, "rate_address": 0}
"""Tests ask faster than people."""
UNHURRIED = dict.fromkeys(("store_s", "answer_s", "view_s"), PATIENCE_S / 2)
"""A machine that stands still for seconds is no store that is away, nor rules that rest: who tests that says so."""
UNPACED = {f"FIDCHELL_{name.upper()}": str(rate) for name, rate in UNLIMITED.items()}
"""The same for processes."""


class Room:
    """Work in a thread that can be stopped and started again."""

    def __init__(self, work: Callable[[threading.Event], None]) -> None:
        self._work = work
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(self._stop,))
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()


class House:
    """
    Rules and views at work over a store.

    Args:
        key: a platform key; ``other`` one of another platform, ``bots`` the service's own, ``arbiter`` one who may
            see every seat of the platform's tables.
        games: of which tables are played.
    """

    def __init__(self, url: str, server: EmbeddedServer | None = None, *, games: Sequence[str] = ("nains",)) -> None:
        self.url = url
        self._server = server
        self._games = games
        self.key, self.other = self._new_key("platform", "tests"), self._new_key("platform", "others")
        self.bots, self.arbiter = self._new_key("bots", "*"), self._new_key("arbiter", "tests")
        self._rules, self._views = Room(self._rule), Room(self._project)

    def _new_key(self, role: str, platform: str) -> str:
        key = new_key()
        name, record = kept(key, role=role, platform=platform)
        with closing(open_store(self.url)) as store:
            store.command("HSET", PLATFORM_KEYS, name, pack(record))
        return key

    @contextmanager
    def a_key(self) -> Iterator[str]:
        """Give a platform key that holds while the block is alive."""
        key = self._new_key("platform", "tests")
        yield key
        with closing(open_store(self.url)) as store:
            store.command("HDEL", PLATFORM_KEYS, name_of(key))

    def start(self) -> None:
        """Let rules and views work."""
        self._rules.start()
        self._views.start()

    def stop(self) -> None:
        """Let them end in order."""
        self._rules.stop()
        self._views.stop()

    def _rule(self, stop: threading.Event) -> None:
        with closing(RedisLog(self.url)) as log:
            run(log, SHELF, Leases(log, self._games, owner="tests"), stop)

    def _project(self, stop: threading.Event) -> None:
        with closing(RedisLog(self.url)) as log:
            partitions = [each for game in self._games for each in log.partitions(game)]
            views = Projector(log, SHELF, partitions, [Chronicle(), Lobby(), TableViews()])
            while not stop.is_set():
                try:
                    views.round(block_ms=20)
                except StoreAwayError:
                    views.forget()

    @contextmanager
    def rules_at_rest(self) -> Iterator[None]:
        """Let commands wait while the block is alive."""
        self._rules.stop()
        try:
            yield
        finally:
            self._rules.start()

    def kill_store(self) -> None:
        """Kill the server, and start it again at the same address."""
        assert self._server is not None
        os.kill(self._server.pid, signal.SIGKILL)
        until(self._server.revive, what="the server's death")

    @contextmanager
    def silent_store(self) -> Iterator[None]:
        """Have the server answer nothing while the block is alive."""
        assert self._server is not None
        with silent(self._server.pid):
            yield

    def settings(self, **more: Any) -> ApiSettings:  # noqa: ANN401  any setting
        return ApiSettings(redis_url=SecretStr(self.url), **{**UNLIMITED, **UNHURRIED, **more})

    def streams(self) -> dict[bytes, int]:
        """Return how long every stream in the store is: what bad input must not make longer."""
        with redis.Redis.from_url(self.url) as client:
            return {key: int(client.xlen(key)) for key in client.scan_iter(_type="stream")}


@contextmanager
def silent(*pids: int) -> Iterator[None]:
    """Have processes stand still while the block is alive."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def grown(before: dict[bytes, int], after: dict[bytes, int]) -> set[bytes]:
    """Return the streams that became longer; a feed may become shorter at any time."""
    return {key for key, length in after.items() if length > before.get(key, 0)}


@contextmanager
def a_house(folder: Path, *, games: Sequence[str] = ("nains",)) -> Iterator[House]:
    with (
        EmbeddedServer(folder, durability="fast") as server,
        settled(House(server.url, server, games=games)) as house,
    ):
        yield house


@contextmanager
def settled(house: House) -> Iterator[House]:
    """Let rules and views of a house work while the block is alive."""
    house.start()
    try:
        yield house
    finally:
        house.stop()


@asynccontextmanager
async def client_of(house: House, **settings: Any) -> AsyncIterator[Client]:  # noqa: ANN401  any setting
    """Give a client of an API process of its own that has found its store."""
    async with client_at_once(house, **settings) as client:
        while not client.doors.wakes.listening:
            await asyncio.sleep(0.005)
        yield client


@asynccontextmanager
async def client_at_once(house: House, **settings: Any) -> AsyncIterator[Client]:  # noqa: ANN401  any setting
    """Give a client of an API process of its own, whether that finds its store or not."""
    app = create_app(house.settings(**settings))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://doors") as http,
    ):
        yield Client(http, house, app.state.doors)


class Table(msgspec.Struct):
    """A table of the tests: its name, and the token of each seat."""

    name: str
    tokens: list[str]


class Client:
    """Speaks to the doors as a platform and its players would."""

    def __init__(self, http: httpx.AsyncClient, house: House, doors: Doors) -> None:
        self.http = http
        self.house = house
        self.doors = doors

    async def ask(
        self,
        method: str,
        path: str,
        token: str | None = None,
        *,
        body: object = None,
        headers: dict[str, str] | None = None,
        **more: Any,  # noqa: ANN401  what httpx takes
    ) -> httpx.Response:
        """Send a request, and again with its id while no answer comes in time; ``body`` is sent as JSON."""
        sent = httpx.Headers(headers, encoding="utf-8")
        while (answer := await self.ask_once(method, path, token, body=body, headers=sent, **more)).status_code == 202:
            sent["Idempotency-Key"] = answer.json()["command_id"]
        return answer

    async def ask_once(
        self,
        method: str,
        path: str,
        token: str | None = None,
        *,
        body: object = None,
        headers: httpx.Headers | dict[str, str] | None = None,
        **more: Any,  # noqa: ANN401  what httpx takes
    ) -> httpx.Response:
        """Send a request and return whatever it is answered, also that there is no answer yet."""
        sent = httpx.Headers(headers, encoding="utf-8")
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            more["content"] = msgspec.json.encode(body)
            sent.setdefault("Content-Type", "application/json")
        return await self.http.request(method, path, headers=sent, **more)

    async def open(self, *, seats: int = 2, start: bool = True, bots: int = 0, **terms: object) -> Table:
        """Open a table under terms, seat everybody, and start it."""
        taken = [{"seat": seats - 1 - number, "bot": "random"} for number in range(bots)]
        body = {"game": "nains", "seats": seats, "bots": taken, **terms}
        table = Table((await self.settled("/v1/tables", body))["table"], [])
        path = f"/v1/tables/{table.name}"
        for seat in range(seats - bots):
            given = await self.settled(f"{path}/seats/{seat}", {"player": f"p{seat}"})
            table.tokens.append(given["token"])
        if start:
            await self.settled(f"{path}/start", None)
        return table

    async def settled(self, path: str, body: object, *, token: str | None = None) -> dict[str, Any]:
        """Send as the platform, or with a token, and return the answer, which has to be a good one."""
        answer = await self.ask("POST", path, token or self.house.key, body=body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    async def legal(self, table: Table, seat: int) -> list[dict[str, Any]]:
        found = await self.ask("GET", f"/v1/tables/{table.name}/legal", table.tokens[seat])
        assert found.status_code == 200, found.text
        return list(found.json()["legal"])

    async def play(self, table: Table, seat: int, command: object, **headers: str) -> httpx.Response:
        """Send a seat's command; ``play_once`` does so without waiting for its answer."""
        return await self.ask(*self._command(table, seat), body=command, headers=_named(headers))

    async def play_once(self, table: Table, seat: int, command: object, **headers: str) -> httpx.Response:
        return await self.ask_once(*self._command(table, seat), body=command, headers=_named(headers))

    @staticmethod
    def _command(table: Table, seat: int) -> tuple[str, str, str]:
        return "POST", f"/v1/tables/{table.name}/commands", table.tokens[seat]


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
