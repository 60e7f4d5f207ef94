"""How fast the live door shows moves, and what a socket costs, with processes of their own."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import msgspec
import redis
import uvloop

from events.codec import pack
from events.log.redis_log import RedisLog
from events.streams import PLATFORM_KEYS
from services.api.keys import kept, new_key
from services.bench.line import Line, open_line
from services.bench.measure import Bench
from services.bench.seats import PATH, Game
from services.bench.stage import process, until
from services.embedded.server import EmbeddedServer
from services.live.ebb import PLAIN

GAME: Final = "nains"
SEATS: Final = 4
AT_ONCE: Final = 50
"""Tables that are played at the same time, each seat on a socket of its own."""
TABLES: Final = 4 * AT_ONCE
SECONDS: Final = 5.0
QUICK_S: Final = 1.5
PACE: Final = 400.0
"""Moves a second at which the time to the own view is taken."""
MOST_REFUSED: Final = 0.01
"""Share of moves above which a figure would not speak of moves."""
IDLE: Final = 1_000
OPENED_AT_ONCE: Final = 20
ONE_SENDER: Final = {"FIDCHELL_LIVE_SOCKETS_OF_ADDRESS": "4000", "FIDCHELL_LIVE_SOCKETS_OF_TOKEN": "4000"}
"""All sockets of a bench are of one key and one address."""

Measuring = Callable[[Game], Coroutine[Any, Any, float]]


def moves() -> Bench:
    """Return the bench of moves a second over sockets."""
    return Bench(
        name="socket-moves",
        about=f"{AT_ONCE} tables of {GAME}, every seat following, AOF everysec: commands to the own view over sockets",
        unit="moves/s",
        limit_name="the same messages between the same sockets, with no service behind them",
        floor=1_000,
        goal=2_000,
        run=_moves,
    )


def wait() -> Bench:
    """Return the bench of the time from a command to its own view."""
    return Bench(
        name="socket-p99",
        about=f"the same at {PACE:.0f} moves a second: time within which 99 of 100 see their own move",
        unit="ms",
        limit_name="the same messages between the same sockets, with no service behind them",
        floor=50,
        goal=20,
        better="less",
        run=_wait,
    )


def idle() -> Bench:
    """Return the bench of the memory that a socket takes in the API process."""
    return Bench(
        name="socket-idle",
        about=f"memory of each of {IDLE} sockets that follow one table and hear nothing",
        unit="KB",
        limit_name="a socket of the same server with no service behind it",
        floor=60,
        goal=40,
        better="less",
        run=_idle,
    )


def _moves(quick: bool) -> tuple[float, float]:
    return _both(lambda game: game.race(QUICK_S if quick else SECONDS), quick=quick)


def _wait(quick: bool) -> tuple[float, float]:
    return _both(lambda game: game.stroll(QUICK_S if quick else SECONDS, per_s=PACE), quick=quick)


def _both(measuring: Measuring, *, quick: bool) -> tuple[float, float]:
    with _service() as (port, platform, bots, _):
        tables = uvloop.run(_opened(port, platform, AT_ONCE if quick else TABLES))
        figure = uvloop.run(_played(tables, port, bots, measuring))
    with _echo() as (port, _):
        limit = uvloop.run(_played([f"t{number}" for number in range(AT_ONCE)], port, "", measuring))
    return figure, limit


async def _played(tables: list[str], port: int, key: str, measuring: Measuring) -> float:
    game = Game(tables, at_once=AT_ONCE, seats=SEATS, seed=17)
    await game.begin(port, key)
    try:
        figure = await measuring(game)
    finally:
        game.end()
    if game.short_of_tables:
        raise RuntimeError("there were too few tables for so many moves")
    if sum(game.refused.values()) > MOST_REFUSED * len(game.waits):
        raise RuntimeError(f"moves were refused: {game.refused}")
    return figure


def _idle(quick: bool) -> tuple[float, float]:
    sockets = IDLE // 5 if quick else IDLE
    with _service() as (port, platform, _, pid):
        (table,) = uvloop.run(_opened(port, platform, 1))
        figure = uvloop.run(_memory(pid, port, sockets, {"token": platform}, {"follow": table}))
    with _echo() as (port, pid):
        limit = uvloop.run(_memory(pid, port, sockets, {"token": ""}))
    return figure, limit


class _Silent:
    """Hears and does nothing, but tells when so much was heard."""

    def __init__(self, expected: int) -> None:
        self._left = expected
        self.all = asyncio.Event()

    def heard(self, line: Line, payload: bytes) -> None:
        self._left -= 1
        if not self._left:
            self.all.set()


async def _memory(pid: int, port: int, sockets: int, *said: dict[str, str]) -> float:
    """Return the kilobytes that each socket adds to a process."""
    grown = 0
    for lines in (sockets // 5, sockets):  # the first few bring everything into memory that all share
        before = _rss(pid)
        hearer = _Silent(lines * len(said))
        opened = [await open_line(hearer, port, PATH) for _ in range(lines)]
        for line in opened:
            for message in said:
                line.say(msgspec.json.encode(message))
        await hearer.all.wait()
        await asyncio.sleep(0.5)
        grown = _rss(pid) - before
        for line in opened:
            line.close()
        await asyncio.sleep(1.0)  # lines that were still open when the event loop ends would keep it from that
    return grown / 1024 / sockets


def _rss(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _opened(port: int, platform: str, count: int) -> list[str]:
    """Open tables whose seats are all bots', and start them."""
    opening = {"game": GAME, "seats": SEATS, "bots": [{"seat": seat, "bot": "random"} for seat in range(SEATS)]}
    room = asyncio.Semaphore(OPENED_AT_ONCE)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {platform}"}, timeout=60
    ) as http:

        async def settled(path: str, body: object = None) -> dict[str, Any]:
            key = {"Idempotency-Key": str(uuid4())}
            while (answer := await http.post(path, json=body, headers=key)).status_code == httpx.codes.ACCEPTED:
                pass
            answer.raise_for_status()
            return dict(answer.json())

        async def table() -> str:
            async with room:
                name = str((await settled("/v1/tables", opening))["table"])
                await settled(f"/v1/tables/{name}/start")
                return name

        return list(await asyncio.gather(*(table() for _ in range(count))))


@contextmanager
def _service() -> Iterator[tuple[int, str, str, int]]:
    """Give port, platform key, bots' key and process id of a door with everything behind it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fidchell-")))
        server = stack.enter_context(EmbeddedServer(folder / "data", durability="fast", tell=lambda _: None))
        RedisLog(server.url, games=[GAME]).close()
        keys = _new_key(server.url, "platform"), _new_key(server.url, "bots")
        store, port = {"REDIS_URL": server.url, **ONE_SENDER}, _free_port()
        for words in (("worker", GAME), ("project", GAME)):
            stack.enter_context(process("-m", "services.cli", *words, environment=store))
        door = stack.enter_context(
            process("-m", "services.cli", "api", "--port", str(port), environment={**store, **PLAIN})
        )
        until(lambda: _listens(port))
        yield port, *keys, door.pid


@contextmanager
def _echo() -> Iterator[tuple[int, int]]:
    port = _free_port()
    with process("-m", "services.bench.echo", str(port), environment=PLAIN) as door:
        until(lambda: _listens(port))
        yield port, door.pid


def _new_key(url: str, role: str) -> str:
    key = new_key()
    name, record = kept(key, role=role, platform="*" if role == "bots" else "bench")
    with redis.Redis.from_url(url) as client:
        client.hset(PLATFORM_KEYS, name, pack(record))
    return key


def _listens(port: int) -> bool:
    try:
        return bool(httpx.get(f"http://127.0.0.1:{port}/readyz").json().get("listening"))
    except (httpx.TransportError, ValueError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
