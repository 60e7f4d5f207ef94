"""Crowds that come and go leave nothing behind, each of them with a token of their own."""

from __future__ import annotations

import gc
import json
import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from services.api.line import CONNECTIONS
from services.bench.line import Hearer, Line, open_line
from services.bench.seats import PATH
from tests.chaos.service import Process, a_service
from tests.live.crowds import MINUTES, Ear, Platform, settled
from tests.live.door import a_door
from tests.services.house import House

RETURNS = 1.2
"""How much more than before there may be of anything afterwards."""

HANDFUL = 10
"""Spectators that come before all is measured: what one needs for the first time is no part of what a crowd needs."""

LATE_S = 1
"""How far spectators are behind at the table of those who see it late."""


def lines_of(process: Process) -> int:
    """Return how many files and sockets a process holds."""
    return len(os.listdir(f"/proc/{process.pid}/fd"))  # noqa: PTH208  a folder of links


async def a_spectator(ear: Hearer, port: int, *, token: str, table: str) -> Line:
    """Return the line of somebody who follows a table from its beginning."""
    line = await open_line(ear, port, PATH)
    line.say(json.dumps({"token": token}).encode())
    line.say(json.dumps({"follow": table, "from": 0}).encode())
    return line


@pytest.mark.parametrize(
    ("spectators", "rounds"),
    [
        pytest.param(150, 3, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(1_000, 10, marks=[pytest.mark.soak, pytest.mark.timeout(15 * MINUTES)]),
    ],
)
async def test_spectators_come_and_go_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spectators: int, rounds: int
) -> None:
    """
    Connections, keys and memory are what they were before the first crowd, however often one came and was cut.

    Every spectator comes once, with a token that nobody else has; half of them see their table late, and are cut while
    there is more to tell them. In the store not a key stays, of them or of their tokens, and none that is there grows
    with them. A process remembers for a second what a token proved, and who said how much; then of that nothing stays
    either.
    """
    monkeypatch.setenv("FIDCHELL_LIVE_SOCKETS_OF_ADDRESS", str(2 * spectators))
    monkeypatch.setenv("FIDCHELL_LIVE_SOCKETS_OF_TOKEN", "1")
    with a_service(tmp_path, workers=1, projections=1, apis=1) as service:
        platform = Platform(service)
        tables = now, late = await platform.open(), await platform.open(delay_s=LATE_S)
        (api,) = service.apis
        youngest = []

        async def crowd(count: int) -> None:
            ear, lines = Ear(late), []
            for number in range(count):
                table = tables[number % 2].name
                token = await platform.spectator_token(table)
                lines.append(await a_spectator(ear, service.ports[0], token=token, table=table))
            await settled(lambda: ear.saw() == count, "every spectator sees their table")
            made = [(table, await platform.move(table)) for table in tables]
            await settled(lambda: all(ear.were_told(*each) == count // 2 for each in made), "all are told a move")
            last, _ = await platform.move(now), await platform.move(late)
            await settled(lambda: ear.were_told(now, last) == count // 2, "those who are not late are told the next")
            for line in lines:
                line.close()
            platform.close()
            await settled(lambda: sockets() <= quiet, "the lines are gone")
            youngest.append(ear.youngest)
            assert clients() <= most, "whoever follows adds no connection to the store"

        def clients() -> int:
            return int(service.client.info("clients")["connected_clients"])

        def sockets() -> int:
            return lines_of(api) - clients()

        def keys() -> set[bytes]:
            return set(service.client.scan_iter(count=1_000))

        def store() -> int:
            return int(service.client.info("memory")["used_memory"])

        def sizes() -> dict[str, int]:
            return {"memory": api.rss(), "sockets": sockets(), "keys": len(keys()), "store": store()}

        quiet, most = sockets() - 1, clients() + CONNECTIONS  # without the platform's own line
        await crowd(HANDFUL)
        before, kept, highest = sizes(), keys(), []
        for number in range(1, rounds + 1):
            await crowd(spectators)
            highest.append(api.rss())
            await settled(lambda: api.lines().count("memory_given_back") >= number, "memory is given back")  # noqa: B023
        after, left = sizes(), keys() - kept
        paused = [json.loads(line)["ms"] for line in api.lines().splitlines() if "memory_given_back" in line]
    print(f"\n{rounds} times {spectators} spectators: {before} before, {after} after, {max(highest)} bytes at most")
    print(f"giving memory back took {max(paused):.0f} ms at most")

    assert all(after[name] <= before[name] * RETURNS for name in before)
    assert set() == left
    assert min(youngest) >= 1000 * LATE_S


async def test_of_a_crowd_that_is_gone_no_object_stays(house: House) -> None:
    """Pages may be there for another reason, so that only what lies in them tells whether something stays."""
    async with a_door(house, live={"sockets_of_token": 1}) as door:
        now, late = await door.client.open(), await door.client.open(spectator_delay=600)

        async def crowd(spectators: int) -> int:
            ear, lines = Ear(), []
            for number in range(spectators):
                table = (now, late)[number % 2].name
                given = await door.client.settled(f"/v1/tables/{table}/spectators", None)
                lines.append(await a_spectator(ear, door.port, token=given["token"], table=table))
            await settled(lambda: ear.saw() == spectators, "every spectator sees their table")
            for line in lines:
                line.close()
            lines.clear()
            await settled(lambda: not door.live.sockets, "the sockets are gone")
            gc.collect()
            return sys.getallocatedblocks()

        counted = [await crowd(100) for _ in range(5)]

    grown = [after - before for before, after in pairwise(counted)]
    assert min(grown) < 5 * 100, "what stays of each crowd is there every time; other things come once"
