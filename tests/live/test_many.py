"""Crowds that come and go leave nothing behind, and who does not read costs neither memory nor anybody's time."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from services.api.line import CONNECTIONS
from services.bench.line import Line, open_line
from services.bench.seats import PATH, Game
from services.live.closing import Closing
from tests.chaos.asking import Http
from tests.chaos.load import Doors
from tests.chaos.service import Process, Service, a_service
from tests.live.door import a_door
from tests.services.house import House
from tests.until import until

RETURNS = 1.2
"""How much more than before there may be of anything afterwards."""

HANDFUL = 10
"""Spectators that come before all is measured: what one needs for the first time is no part of what a crowd needs."""

BUSY_MS = 10_000
"""How much later moves may be seen where other tests share the machine, so that only standing still is noticed."""

FLOOR_MS = 50
"""Within which moves are seen beside those who do not read, where nothing else runs, or in twice the time alone."""

MEGABYTE = 1_000_000
MINUTES = 60


class Ear:
    """
    Counts what it hears by kind.

    Args:
        closed: the close codes that came.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}

    def heard(self, line: Line, payload: bytes) -> None:
        kind = json.loads(payload)["kind"]
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


async def opened(service: Service, count: int, *, seats: int = 4) -> list[str]:
    """Return so many started tables of bots' seats."""
    http = Http()
    doors = Doors(service.ports, http, Random(3))
    tables = []
    for _ in range(count):
        opening = {
            "game": "nains",
            "seats": seats,
            "bots": [{"seat": seat, "bot": "random"} for seat in range(seats)],
        }
        table = (await doors.ask("POST", "/v1/tables", service.platform, body=opening, command=str(uuid.uuid4())))[
            "table"
        ]
        await doors.ask("POST", f"/v1/tables/{table}/start", service.platform, command=str(uuid.uuid4()))
        tables.append(table)
    http.close()
    return tables


def lines_of(process: Process) -> int:
    """Return how many files and sockets a process holds."""
    return len(os.listdir(f"/proc/{process.pid}/fd"))  # noqa: PTH208  a folder of links


def dropped(service: Service) -> int:
    """Return how many sockets were closed because their clients did not read."""
    return service.lines().count('"reason": "too_slow"')


async def settled(condition: Callable[[], bool], what: str) -> None:
    """Wait in a thread, so that sockets go on meanwhile."""
    await asyncio.to_thread(until, condition, what=what)


@pytest.mark.parametrize(
    ("spectators", "rounds"),
    [
        pytest.param(150, 3, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(1_000, 10, marks=[pytest.mark.soak, pytest.mark.timeout(10 * MINUTES)]),
    ],
)
async def test_spectators_come_and_go_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spectators: int, rounds: int
) -> None:
    """Connections, keys and memory are what they were before the first crowd, however often one came and was cut."""
    monkeypatch.setenv("FIDCHELL_LIVE_SOCKETS_OF_ADDRESS", str(2 * spectators))
    monkeypatch.setenv("FIDCHELL_LIVE_SOCKETS_OF_TOKEN", str(2 * spectators))
    with a_service(tmp_path, workers=1, projections=1, apis=1) as service:
        (table,) = await opened(service, 1)
        (api,) = service.apis

        async def crowd(count: int) -> None:
            ear = Ear()
            lines = [await open_line(ear, service.ports[0], PATH) for _ in range(count)]
            for line in lines:
                line.say(json.dumps({"token": service.platform}).encode())
                line.say(json.dumps({"follow": table, "from": 0}).encode())
            await settled(lambda: ear.kinds.get("view", 0) >= count, "every spectator sees the table")
            for line in lines:
                line.close()
            await settled(lambda: sockets() <= quiet, "the lines are gone")
            assert clients() <= most, "whoever follows adds no connection to the store"

        def clients() -> int:
            return int(service.client.info("clients")["connected_clients"])

        def sockets() -> int:
            return lines_of(api) - clients()

        def sizes() -> dict[str, int]:
            return {"memory": api.rss(), "sockets": sockets(), "keys": service.client.dbsize()}

        quiet, most = sockets(), clients() + CONNECTIONS
        await crowd(HANDFUL)
        before, highest = sizes(), []
        for number in range(1, rounds + 1):
            await crowd(spectators)
            highest.append(api.rss())
            await settled(lambda: api.lines().count("memory_given_back") >= number, "memory is given back")  # noqa: B023
        after = sizes()
        paused = [json.loads(line)["ms"] for line in api.lines().splitlines() if "memory_given_back" in line]
    print(f"\n{rounds} times {spectators} spectators: {before} before, {after} after, {max(highest)} bytes at most")
    print(f"giving memory back took {max(paused):.0f} ms at most")

    assert all(after[name] <= before[name] * RETURNS for name in before)


class Stalled:
    """
    Clients that follow the tables of a game and never read; whoever is dropped comes again at once.

    Args:
        count: how many there are at any time.
        came: how many there were by now.
        most: bytes of memory that the API process had at most beside them.
    """

    def __init__(self, service: Service, game: Game, count: int) -> None:
        self._service = service
        self._game = game
        self._count = count
        self._lines: list[Line] = []
        self.came = 0
        self.most = 0

    async def come(self) -> None:
        """Fill the places of those who were dropped."""
        while self.came - dropped(self._service) < self._count:
            line = await open_line(Ear(), self._service.ports[0], PATH)
            line.say(json.dumps({"token": self._service.platform}).encode())
            line.stop_reading()
            for table in sorted(self._game.tables):
                line.say(json.dumps({"follow": table, "from": 0}).encode())
            self._lines.append(line)
            self.came += 1

    async def come_for_ever(self) -> None:
        while True:
            await self.come()
            self.most = max(self.most, self._service.apis[0].rss())
            await asyncio.sleep(0.5)

    def go(self) -> None:
        for line in self._lines:
            line.close()


async def test_of_a_crowd_that_is_gone_no_object_stays(house: House) -> None:
    """Pages may be there for another reason, so that only what lies in them tells whether something stays."""
    async with a_door(house, live={"sockets_of_token": 200}) as door:
        table = await door.client.open()

        async def crowd(spectators: int) -> int:
            ear = Ear()
            lines = [await open_line(ear, door.port, PATH) for _ in range(spectators)]
            for line in lines:
                line.say(json.dumps({"token": house.key}).encode())
                line.say(json.dumps({"follow": table.name, "from": 0}).encode())
            await settled(lambda: ear.kinds.get("view", 0) == spectators, "every spectator sees the table")
            for line in lines:
                line.close()
            lines.clear()
            await settled(lambda: not door.live.sockets, "the sockets are gone")
            gc.collect()
            return sys.getallocatedblocks()

        counted = [await crowd(100) for _ in range(5)]

    grown = [after - before for before, after in pairwise(counted)]
    assert min(grown) < 5 * 100, "what stays of each crowd is there every time; other things come once"


@pytest.mark.parametrize(
    ("stalled", "seconds", "per_s"),
    [
        pytest.param(10, 3.0, 30, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(50, 60.0, 200, marks=[pytest.mark.soak, pytest.mark.timeout(10 * MINUTES)]),
    ],
)
async def test_who_does_not_read_is_dropped_and_costs_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stalled: int, seconds: float, per_s: float
) -> None:
    """Memory stays bounded while messages rain, and the seats see their moves as fast as without them."""
    monkeypatch.setenv("FIDCHELL_LIVE_SLOW_S", "3")
    with a_service(tmp_path, workers=1, projections=1, apis=1) as service:
        whole = seconds > 10
        tables = await opened(service, 400 if whole else 8)
        (api,) = service.apis
        game = Game(tables, at_once=min(20, len(tables)), seats=4, seed=5)
        crowd = Stalled(service, game, stalled)
        await game.begin(service.ports[0], service.bots)
        try:
            alone = await game.stroll(2.0, per_s=per_s)
            before = api.rss()
            await crowd.come()
            coming = asyncio.create_task(crowd.come_for_ever())
            game.messages = 0
            beside = await game.stroll(seconds, per_s=per_s)
            heard = game.messages / (1.25 * seconds)
            coming.cancel()
            rest = asyncio.create_task(game.stroll(60.0, per_s=per_s))
            await settled(lambda: dropped(service) >= crowd.came, "those that do not read are dropped")
            rest.cancel()
        finally:
            game.end()
            crowd.go()
        await asyncio.sleep(0)  # lines close in the loop's next turn
    print(f"\n99 of 100 moves seen within {alone:.0f} ms alone, {beside:.0f} ms beside {stalled} who do not read")
    print(f"{crowd.came} came and were dropped; the seats heard {heard:.0f} messages a second")
    print(f"memory: {before // MEGABYTE} MB before, {crowd.most // MEGABYTE} MB at most beside them")

    assert not game.short_of_tables
    assert heard >= (1_000 if whole else 1), "messages a second"
    assert crowd.most - before < 50 * MEGABYTE
    assert beside <= (max(FLOOR_MS, 2 * alone) if whole else alone + BUSY_MS)


async def test_who_does_not_read_is_told_with_a_code_when_it_reads_again(house: House) -> None:
    """What was on the way comes first, then why the socket was closed."""
    async with a_door(house, live={"slow_s": 0.3}) as door:
        table = await door.client.open()
        async with door.line(table.tokens[0]) as line:
            line.socket.transport.pause_reading()
            began = time.monotonic()
            while door.live.sockets and time.monotonic() < began + 20:
                await line.say(follow=table.name, after=0)
                await asyncio.sleep(0)
            line.socket.transport.resume_reading()

            assert (Closing.TOO_SLOW.value, "too_slow") == await line.closed()
