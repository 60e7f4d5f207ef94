"""Who does not read is dropped, and costs neither memory nor anybody's time."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import cycle
from pathlib import Path
from statistics import median

import pytest

from services.bench.line import Line, open_line
from services.bench.seats import PATH, Game
from services.ending import end
from services.live.closing import Closing
from tests.chaos.service import Process, Service, a_service
from tests.live.crowds import MINUTES, SEATS, Ear, Platform, settled
from tests.live.door import a_door
from tests.services.house import House

BUSY_MS = 10_000
"""How much later moves may be seen where other tests share the machine, so that only standing still is noticed."""

FLOOR_MS = 50
"""Within which moves are seen beside those who do not read, where nothing else runs, or in twice the time alone."""

LOOK_S = 0.25
"""How often those who do not read ask for more, and how soon another takes the place of one that was dropped."""

SPAN_S = 3
"""Seconds of play for which one figure is taken."""

MEGABYTE = 1_000_000


def dropped(api: Process) -> int:
    """Return how many sockets were closed because their clients did not read."""
    return api.lines().count(f'"code": {Closing.TOO_SLOW.value}, "reason": "{Closing.TOO_SLOW.reason}"')


class Deaf:
    """
    A client that asks and never reads.

    With a platform's key it follows every table that is played; with a token it wants the story of the only table that
    this is for again and again.

    Args:
        table: the only one; ``None`` with a key.
    """

    def __init__(self, line: Line, token: str, table: str | None) -> None:
        self._line = line
        self._table = table
        self._followed: set[str] = set()
        self._line.say(json.dumps({"token": token}).encode())
        self._line.stop_reading()

    @property
    def hopes(self) -> bool:
        """Whether it does not know that it was dropped."""
        return self._line.holds

    def ask(self, game: Game) -> None:
        """Want more: one table more, or the story of its own again."""
        table = min(game.tables - self._followed, default=None) if self._table is None else self._table
        if table is not None:
            self._followed.add(table)
            self._line.say(json.dumps({"follow": table, "from": 0}).encode())

    def go(self) -> None:
        """Cut the line."""
        self._line.close()


class Stalled:
    """
    So many who do not read at any time: by turns with the platform's key, a spectator's token and a seat's.

    Args:
        came: how many there were by now.
        most: bytes of memory that the API process had at most beside them.
    """

    def __init__(self, service: Service, platform: Platform, game: Game, count: int) -> None:
        self._service = service
        (self._api,) = service.apis
        self._platform = platform
        self._game = game
        self._count = count
        self._all: list[Deaf] = []
        self._turns = cycle((None, platform.spectator_token, platform.seat_token))
        self.came = 0
        self.most = 0

    async def come(self) -> None:
        """Fill the places of those who were dropped."""
        while self.came - dropped(self._api) < self._count:
            tables = sorted(self._game.tables)
            table, give = tables[self.came % len(tables)], next(self._turns)
            token = self._service.platform if give is None else await give(table)
            line = await open_line(Ear(), self._service.ports[0], PATH)
            self._all.append(Deaf(line, token, None if give is None else table))
            self.came += 1

    async def come_for_ever(self) -> None:
        while True:
            await self.come()
            await asyncio.sleep(LOOK_S)

    async def ask_for_ever(self) -> None:
        while True:
            self._all = [each for each in self._all if each.hopes]
            self.most = max(self.most, self._api.rss())
            await asyncio.sleep(LOOK_S / self._count)
            for each in self._all[:]:  # one after another: people do not ask all at once
                each.ask(self._game)
                await asyncio.sleep(LOOK_S / self._count)

    def go(self) -> None:
        for each in self._all:
            each.go()


async def wait_of(game: Game, seconds: float, *, per_s: float) -> float:
    """
    Return the time in milliseconds within which 99 of 100 moves are seen, in the middle one of some spans.

    A pause of the machine spoils one span, and what those who do not read cost is there in all of them.
    """
    spans = max(1, round(seconds / SPAN_S))
    return median([await game.stroll(seconds / spans, per_s=per_s) for _ in range(spans)])


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
    """
    Memory stays bounded while messages rain, and the seats see their moves as fast as without them.

    One seat of each table is played with its own token, the others with the bots' key.
    """
    monkeypatch.setenv("FIDCHELL_LIVE_SLOW_S", "3")
    with a_service(tmp_path, workers=1, projections=1, apis=1) as service:
        whole = seconds > 10
        platform = Platform(service)
        tables = [await platform.open(player="ann") for _ in range(400 if whole else 8)]
        tokens = {(each.name, SEATS - 1): each.token for each in tables if each.token is not None}
        (api,) = service.apis
        game = Game([each.name for each in tables], at_once=min(20, len(tables)), seats=SEATS, seed=5, tokens=tokens)
        crowd = Stalled(service, platform, game, stalled)
        await game.begin(service.ports[0], service.bots)
        try:
            alone = await wait_of(game, seconds / 4, per_s=per_s)
            before = api.rss()
            await crowd.come()
            asking, coming = asyncio.create_task(crowd.ask_for_ever()), asyncio.create_task(crowd.come_for_ever())
            game.messages, began = 0, time.monotonic()
            beside = await wait_of(game, seconds, per_s=per_s)
            heard = game.messages / (time.monotonic() - began)
            await end([coming])
            rest = asyncio.create_task(game.stroll(60.0, per_s=per_s))
            await settled(lambda: dropped(api) == crowd.came, "those that do not read are dropped")
            await end([asking, rest])
        finally:
            game.end()
            crowd.go()
            platform.close()
        await asyncio.sleep(0)  # lines close in the loop's next turn
        closed = api.lines().count('"socket_closed"')
    print(f"\n99 of 100 moves seen within {alone:.0f} ms alone, {beside:.0f} ms beside {stalled} who do not read")
    print(f"{crowd.came} came and were dropped; the seats heard {heard:.0f} messages a second")
    print(f"memory: {before // MEGABYTE} MB before, {crowd.most // MEGABYTE} MB at most beside them")

    assert not game.short_of_tables
    assert crowd.came == closed, "nothing else ends a socket"
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
