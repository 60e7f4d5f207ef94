"""The bots' own service plays whole tables; whatever is cut and killed, each ends, and who follows misses nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from random import Random

import msgspec
import pytest

from events.games import GAMES
from events.messages import Seat
from services.client import AsyncClient, Chapter, Client, Follow, News, Seen, TableView, Told
from services.ending import end
from tests.chaos.faults import Lane, Storm, killer
from tests.chaos.service import Process, Service, a_service
from tests.live.cable import Cable
from tests.live.folded import folded

PATIENCE_S = 120.0
PLAIN_EVERY = 10
"""One of so many places is followed by the client for plain programs."""
BOTS_EVERY = 4
"""One of so many cuts is of a line of the bots, who have few."""
MINUTES = 60


class Opening(msgspec.Struct, frozen=True):
    """How a table is opened; ``modules`` are those of Seasons of Inis."""

    game: str
    seats: int = 2
    modules: tuple[str, ...] = ()


OPENINGS = (
    Opening("nains"),
    Opening("inori"),
    Opening("inis"),
    Opening("inis", modules=("seasons", "sea_travels")),
    Opening("nains", seats=4),
    Opening("inis", modules=("want_king", "new_epic_tales")),
    Opening("inori", seats=3),
    Opening("inis", seats=3, modules=("seasons",)),
    Opening("nains", seats=3),
    Opening("inis", seats=5, modules=("fifth_player", "want_king", "seasons", "sea_travels", "new_epic_tales")),
)
"""Of these there are tables, in turn."""


class Ear:
    """
    Everybody who follows one table: a spectator and every seat.

    Args:
        told: the chapters of each, in the order in which they came.
        seen: the versions of each one's views, with how far the story had been told by then.
        views: the newest view of each.
    """

    def __init__(self, table: str, seats: int) -> None:
        self.table = table
        self.told: dict[int | None, list[Chapter]] = {each: [] for each in (None, *range(seats))}
        self.seen: dict[int | None, list[tuple[int, int]]] = {each: [] for each in self.told}
        self.views: dict[int | None, TableView] = {}

    async def listen(self, client: AsyncClient) -> None:
        """Return when the table is over."""
        async for news in client.follow(*self._follows):
            self._take(news)

    def listen_plainly(self, client: Client) -> None:
        """Return when the table is over."""
        for news in client.follow(*self._follows):
            self._take(news)

    @property
    def _follows(self) -> list[Follow]:
        return [Follow(table=self.table, seat=each, after=0) for each in self.told]

    def _take(self, news: News) -> None:
        assert isinstance(news, Told | Seen), news
        told = self.told[news.seat]
        if isinstance(news, Told):
            told.append(news.chapter)
        else:
            self.seen[news.seat].append((news.view.version, told[-1].last))
            self.views[news.seat] = news.view


class Hall:
    """
    Tables of bots, each followed from everywhere: in each place one after another, until it is enough.

    Args:
        ears: of the tables that are over.
    """

    def __init__(self, service: Service, cable: Cable, enough: Callable[[], bool]) -> None:
        self._url = f"http://127.0.0.1:{cable.port}"
        self._keys = service.platform, service.bots
        self._enough = enough
        self._openings = cycle(OPENINGS)
        self.ears: list[Ear] = []

    async def play(self, places: int) -> None:
        """Return when every table that was opened is over."""
        platform, bots = self._keys
        with Client(self._url, bots, patience_s=PATIENCE_S) as plain:
            async with AsyncClient(self._url, bots, patience_s=PATIENCE_S) as client, asyncio.TaskGroup() as group:

                async def listen(ear: Ear) -> None:
                    await ear.listen(client)

                async def listen_plainly(ear: Ear) -> None:
                    await asyncio.to_thread(ear.listen_plainly, plain)

                for number in range(places):
                    follow = listen if number % PLAIN_EVERY else listen_plainly
                    group.create_task(self._place(client.using(platform), follow))

    async def _place(self, client: AsyncClient, follow: Callable[[Ear], Awaitable[None]]) -> None:
        while True:
            opening = next(self._openings)
            options = dict.fromkeys(opening.modules, True)
            bots = {seat: ("greedy", "random")[seat % 2] for seat in range(opening.seats)}
            opened = await client.open_table(opening.game, seats=opening.seats, options=options, bots=bots)
            await client.start(opened.table)
            ear = Ear(opened.table, opening.seats)
            await follow(ear)
            self.ears.append(ear)
            if self._enough():
                return


def bots_of(service: Service, folder: Path, cable: Cable) -> Process:
    """Return the process that plays all bot seats, as an operator runs it."""
    key = folder / "bots.key"
    key.write_text(service.bots, encoding="ascii")
    words = ["-m", "services.cli", "bots", "--url", f"http://127.0.0.1:{cable.port}", "--key-file", str(key)]
    return Process("bots", [*words, "--delay", "0"], {}, folder / "bots.log", up=b"bots_sat_down")


def examine(service: Service, ear: Ear) -> None:
    """Hold what everybody at a table was told and last saw against its history."""
    expected = folded(service, ear.table)
    state = expected.state

    assert state.outcome is not None, "it was played to its end"
    assert ("", ()) == (state.cancelled, state.concessions), "nobody gave up"
    assert set(expected.told) == set(ear.told)
    for seat, chapters in ear.told.items():
        viewpoint = None if seat is None else Seat(seat)
        versions = [version for version, _ in ear.seen[seat]]

        assert expected.told[viewpoint] == msgspec.to_builtins(chapters), (ear.table, seat)
        assert expected.shown[viewpoint] == ear.views[seat].document, (ear.table, seat)
        assert sorted(set(versions)) == versions, "newer views alone"
        assert all(version <= told for version, told in ear.seen[seat]), "views come behind their steps"


class Cutter:
    """
    Cuts lines at random, for ever.

    Args:
        cuts: how many it cut.
    """

    def __init__(self, bots: Cable, others: Cable, pause_s: float) -> None:
        self._bots, self._others = bots, others
        self._pause_s = pause_s
        self._random = Random(6)
        self.cuts = 0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._random.uniform(0, self._pause_s))
            cable = self._others if self._random.randrange(BOTS_EVERY) else self._bots
            self.cuts += cable.cut_one()


@pytest.mark.parametrize(
    ("places", "cuts", "kills", "pause_s", "every_s"),
    [
        pytest.param(5, 12, 6, 0.8, (3.5, 5.5), marks=pytest.mark.timeout(6 * MINUTES)),
        pytest.param(100, 200, 40, 2.0, (8.0, 16.0), marks=[pytest.mark.soak, pytest.mark.timeout(45 * MINUTES)]),
    ],
)
async def test_cut_and_killed_the_bots_play_every_table_to_its_end(
    tmp_path: Path, places: int, cuts: int, kills: int, pause_s: float, every_s: tuple[float, float]
) -> None:
    """Two APIs, two rule workers, all games; lines are cut, and whoever works is killed, the bots themselves, too."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(places + 2))
    with a_service(tmp_path, games=list(GAMES)) as service:
        wire, cable = Cable(*service.ports, seed=1), Cable(*service.ports, seed=2)
        async with wire.laid(), cable.laid():
            bots = bots_of(service, tmp_path, wire)
            service.beside.append(bots)
            bots.start()
            groups = {
                "rule worker": service.workers,
                "projection worker": service.projections,
                "API": service.apis,
                "bots": service.beside,
            }
            lanes = [Lane(every_s, {f"{name} killed": killer(group)}, group) for name, group in groups.items()]
            storm, cutter = Storm(service, lanes, seed=4), Cutter(wire, cable, pause_s)

            def enough() -> bool:
                struck = storm.counted.total() >= kills and len(storm.counted) == len(groups)
                return struck and cutter.cuts >= cuts

            hall, began = Hall(service, cable, enough), loop.time()
            playing = asyncio.create_task(hall.play(places))
            cutting = asyncio.create_task(cutter.run())
            try:
                await asyncio.to_thread(storm.rage, lambda: playing.done() or enough(), timeout=15 * MINUTES)
                await asyncio.to_thread(storm.calm, playing.done, timeout=25 * MINUTES)
                await playing
            finally:
                await end([playing, cutting])
        took = loop.time() - began
        steps = sum(len(each.steps) for ear in hall.ears for told in ear.told.values() for each in told)
        print(f"\n{len(hall.ears)} tables in {took:.0f} s; {cutter.cuts} lines cut; {dict(storm.counted)}")
        print(f"{steps} steps heard by {sum(len(ear.told) for ear in hall.ears)} that followed")
        print(f"{wire.lines} lines of the bots, {cable.lines} of the others")
        for ear in hall.ears:
            examine(service, ear)

        assert len(hall.ears) >= places
