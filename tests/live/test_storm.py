"""Whatever is cut and killed, each client is told every step once and in the end sees what a plain fold gives."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from events.games import GAMES
from events.messages import Seat
from tests.chaos.asking import Http
from tests.chaos.faults import Lane, Storm, killer
from tests.chaos.load import Doors
from tests.chaos.service import Service, a_service
from tests.live.folded import folded
from tests.live.followers import Follower, Tables

MINUTES = 60


def examine(service: Service, finished: list[Follower]) -> None:
    """Hold what every client was told and last saw against the histories."""
    for table in {each.table for each in finished}:
        expected = folded(service, table)
        for each in [each for each in finished if each.table == table]:
            seat = None if each.seat is None else Seat(each.seat)

            assert expected.told[seat] == each.told, (table, seat)
            assert expected.shown[seat] == each.view, (table, seat)
            assert "over" == each.view["status"]


@pytest.mark.parametrize(
    ("at_once", "cuts", "kills"),
    [
        pytest.param(6, 12, 3, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(100, 200, 20, marks=[pytest.mark.soak, pytest.mark.timeout(30 * MINUTES)]),
    ],
)
async def test_cut_and_killed_nobody_misses_a_step(tmp_path: Path, at_once: int, cuts: int, kills: int) -> None:
    """Tables of all games over two API processes and two rule workers; lines are cut, processes killed."""
    with a_service(tmp_path, games=list(GAMES)) as service:
        http = Http()
        doors = Doors(service.ports, http, Random(5))
        tables = Tables(doors, ports=service.ports, platform=service.platform, bots=service.bots, games=list(GAMES))
        every_s = (service.ttl_ms / 1000 + 0.2, service.ttl_ms / 1000 + 1.0)
        groups = {"rule worker": service.workers, "projection worker": service.projections, "API": service.apis}
        lanes = [Lane(every_s, {f"{name} killed": killer(group)}, group) for name, group in groups.items()]
        storm = Storm(service, lanes, seed=4)

        def enough(counted: Counter[str]) -> bool:
            return counted.total() >= kills and tables.counted["lines cut"] >= cuts

        async def cut() -> None:
            while True:
                await asyncio.sleep(tables.random.uniform(0.0, 0.4))
                tables.cut()

        tables.start(at_once)
        cutting = asyncio.create_task(cut())
        try:
            await asyncio.to_thread(storm.rage, lambda: tables.failed or enough(storm.counted), timeout=20 * MINUTES)
            cutting.cancel()
            tables.stop(giving_up=0.2)
            ended = asyncio.create_task(tables.done())
            await asyncio.to_thread(storm.calm, ended.done, timeout=5 * MINUTES)
            await ended
        finally:
            cutting.cancel()
            await tables.end()
            http.close()
        print(f"\n{dict(storm.counted)}; {dict(tables.counted)}; {len(tables.finished) // 3} tables")
        examine(service, tables.finished)

        assert len(tables.finished) >= 3 * at_once
