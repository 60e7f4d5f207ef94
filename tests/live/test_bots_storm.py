"""Bots play over one socket: whatever is cut and killed, no table is left standing."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from random import Random

import pytest

from services.bots.service import BotService
from services.client import AsyncClient
from tests.chaos.service import Process, Service, a_service
from tests.live.test_client_storm import Cable

GAMES = ["nains", "inori"]
CUTS = 6
PATIENCE_S = 100.0


async def over(client: AsyncClient, table: str) -> None:
    """Return when a table is over."""
    version = 0
    while (view := await client.view(table, at_least=version)).status != "over":
        version = view.version + 1


async def moved(client: AsyncClient, tables: list[str], moves: int) -> None:
    """Return once so much happened at a table that goes on, or all are over."""
    for table in tables:
        view = await client.view(table)
        if view.status != "over":
            await client.view(table, at_least=view.version + moves)
            return


async def strike(client: AsyncClient, tables: list[str], cable: Cable, killed: list[Process]) -> None:
    """Cut the bots' socket again and again, and kill the process at its other end and others beside it."""
    for number in range(CUTS):
        await moved(client, tables, 2)
        cable.cut()
        process = killed[number % len(killed)]
        process.kill()
        process.start()


async def play_through(service: Service, *, each: int) -> int:
    """Have tables of bots played to the end through all that, and return how many lines the bots had."""
    cable = Cable(service.ports[0])
    quiet = f"http://127.0.0.1:{service.ports[1]}"
    stop = asyncio.Event()
    async with (
        cable.laid(),
        AsyncClient(quiet, service.platform, patience_s=math.inf) as platform,
        AsyncClient(f"http://127.0.0.1:{cable.port}", service.bots) as client,
    ):
        playing = asyncio.create_task(BotService(client, delay_s=0, random=Random(3)).run(stop))
        bots = {0: "random", 1: "random"}
        tables = [(await platform.open_table(game, seats=2, bots=bots)).table for game in GAMES * each]
        for table in tables:
            await platform.start(table)
        async with asyncio.timeout(PATIENCE_S):
            await strike(platform, tables, cable, [service.apis[0], service.workers[0], service.projections[0]])
            await asyncio.gather(*(over(platform, table) for table in tables))
        stop.set()
        await playing
    return cable.lines


@pytest.mark.timeout(180)
async def test_cut_and_killed_the_bots_play_every_table_to_its_end(tmp_path: Path) -> None:
    """Their line is cut, the API at its end, rules and views are killed; each table ends."""
    with a_service(tmp_path, games=GAMES) as service:
        lines = await play_through(service, each=3)

    assert lines > CUTS
