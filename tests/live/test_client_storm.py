"""The client follows tables through cut lines and killed processes: it is told every step once and in order."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest

from services.client import AsyncClient, Chapter, Follow, Seen, Told
from tests.chaos.service import Process, a_service
from tests.live.cable import Cable
from tests.live.test_client import versions

MOVES = 24
CUT_EVERY = 3
"""Moves between one cut and the next."""
KILLED_AT = 13
MINUTES = 60


class Listener:
    """
    Follows a table from a seat, and as a spectator without views.

    Args:
        told: the chapters of each, in the order in which they came.
        seen: versions of the seat's views.
    """

    def __init__(self, client: AsyncClient, table: str) -> None:
        self._news = client.follow(Follow(table=table, seat=0, after=0), Follow(table=table, after=0, views=False))
        self._moved = asyncio.Condition()
        self.told: dict[int | None, list[Chapter]] = {0: [], None: []}
        self.seen: list[int] = []

    async def listen(self) -> None:
        """Return when the table is over."""
        async for news in self._news:
            assert isinstance(news, Told | Seen)
            async with self._moved:
                if isinstance(news, Told):
                    self.told[news.seat].append(news.chapter)
                else:
                    self.seen.append(news.view.version)
                self._moved.notify_all()

    async def heard(self, version: int) -> None:
        """Return once both were told a version."""
        async with self._moved:
            await self._moved.wait_for(lambda: all(each and each[-1].last >= version for each in self.told.values()))


async def move(players: AsyncClient, table: str, version: int) -> int:
    """Let a seat that is asked make its first move; return the version it made."""
    for seat in (0, 1):
        view = await players.view(table, seat=seat, at_least=version)
        if view.legal:
            return (await players.send(table, view.legal[0], version=view.version)).last
    raise AssertionError(view)


async def play(players: AsyncClient, table: str, listener: Listener, cable: Cable, api: Process) -> None:
    """Make moves until the end, one after each other as they are heard; cut the line and kill who is at its end."""
    version = (await players.view(table)).version
    for number in range(MOVES):
        await listener.heard(version)
        if number == KILLED_AT:
            api.kill()
            api.start()
        elif number % CUT_EVERY == 0:
            cable.cut()
        version = await move(players, table, version)
    await listener.heard(version)
    await players.send(table, {"kind": "concede", "seat": 1})


@pytest.mark.timeout(5 * MINUTES)
async def test_cut_and_killed_the_client_misses_no_step(tmp_path: Path) -> None:
    """Its line is cut again and again and the API at the other end killed; each follow goes on where it was."""
    with a_service(tmp_path, workers=1, projections=1) as service:
        cable = Cable(service.ports[0])
        quiet = f"http://127.0.0.1:{service.ports[1]}"
        async with cable.laid(), AsyncClient(quiet, service.bots) as players:
            platform = players.using(service.platform)
            table = (await platform.open_table("nains", seats=2, bots={0: "random", 1: "random"})).table
            await platform.start(table)
            async with AsyncClient(f"http://127.0.0.1:{cable.port}", service.bots, patience_s=math.inf) as client:
                listener = Listener(client, table)
                async with asyncio.TaskGroup() as group:
                    group.create_task(listener.listen())
                    group.create_task(play(players, table, listener, cable, service.apis[0]))
            stories = {seat: [each async for each in players.history(table, seat=seat)] for seat in listener.told}
            last = (await players.view(table, seat=0)).version

    assert cable.lines > MOVES // CUT_EVERY
    assert stories == listener.told
    assert [*range(1, last + 1)] == versions(listener.told[0])
    assert sorted(set(listener.seen)) == listener.seen
    assert last == listener.seen[-1]
