"""Whatever is cut and killed, each client is told every step once and in the end sees what a plain fold gives."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from events.codec import event_codec
from events.commit import Commit, read_entry
from events.games import GAMES
from events.messages import Seat, TableId, Viewpoint
from events.streams import partition_of
from projections.tables.chronicle import chapter
from projections.tables.projections import document, documents, field_of
from tests.chaos.asking import Http
from tests.chaos.faults import Lane, Storm, killer
from tests.chaos.load import Doors
from tests.chaos.service import Service, a_service
from tests.live.followers import Follower, Json, Tables
from workers.games import GamesShelf
from workers.tables.evolve import apply
from workers.tables.state import unopened

SHELF = GamesShelf()
MINUTES = 60


def folded(service: Service, table: str) -> tuple[dict[Viewpoint, list[Json]], dict[Viewpoint, Json]]:
    """Return what a plain fold of a table's history tells each viewpoint, and what it shows each in the end."""
    game = table.partition("-")[0]
    place = partition_of(table, len(service.log.partitions(game)))
    state, viewpoints = unopened(TableId(table), SHELF), (None, Seat(0), Seat(1))
    told: dict[Viewpoint, list[Json]] = {each: [] for each in viewpoints}
    for body in service.log.history(place, table):
        entry = read_entry(body)
        if isinstance(entry, Commit):
            events = [event_codec(game).read(each.schema, each.body) for each in entry.events]
            found = chapter(state, events, at=entry.command.at, seat=entry.command.actor.seat)
            for each in viewpoints:
                steps = json.loads(found.told(each))
                told[each].append(
                    {"first": found.first, "last": found.last, "at": found.at, "seat": found.seat, "steps": steps}
                )
            state = apply(state, events, entry.command.actor.seat, entry.command.at)
    fields = documents(state)
    spectator = fields[field_of(None)]
    return told, {each: json.loads(document(spectator, fields[field_of(each)])) for each in viewpoints}


def examine(service: Service, finished: list[Follower]) -> None:
    """Hold what every client was told and last saw against the histories."""
    for table in {each.table for each in finished}:
        told, shown = folded(service, table)
        for each in [each for each in finished if each.table == table]:
            seat = None if each.seat is None else Seat(each.seat)

            assert told[seat] == each.told, (table, seat)
            assert shown[seat] == each.view, (table, seat)
            assert "over" == each.view["status"]


@pytest.mark.parametrize(
    ("at_once", "cuts", "kills"),
    [
        pytest.param(6, 12, 3),
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
