"""Who says too much at once has to wait, and nobody else."""

from __future__ import annotations

import asyncio

import pytest

from services.live.pace import Pace
from tests.live.door import PATIENCE_S, a_door
from tests.services.house import House


class Clock:
    """Seconds that pass when the test lets them; ``waiting`` is how many wait for some."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting = 0
        self._moved = asyncio.Condition()

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        async with self._moved:
            self.waiting += 1
            self._moved.notify_all()
            await self._moved.wait_for(lambda: self.now >= until)
            self.waiting -= 1

    async def settled(self, waiting: int) -> None:
        """Return when so many wait."""
        async with asyncio.timeout(PATIENCE_S), self._moved:
            await self._moved.wait_for(lambda: self.waiting == waiting)

    async def go(self, seconds: float) -> None:
        async with self._moved:
            self.now += seconds
            self._moved.notify_all()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which all sockets are held back that are opened from now on."""
    clock = Clock()
    monkeypatch.setattr("services.live.socket.Pace", lambda per_s, _: Pace(per_s, clock.time, clock.sleep))
    return clock


async def test_who_says_more_than_the_limit_waits_and_loses_nothing(house: House, clock: Clock) -> None:
    """Of six messages at two a second one is read each half second, in order; somebody else waits for none of them."""
    async with a_door(house, live={"messages_per_s": 2}) as door, door.line(house.key) as hasty:
        for number in range(1, 7):
            await hasty.say(ping=number)
        await clock.settled(1)
        async with door.line(house.key) as other:
            await other.say(ping=7)
            await clock.settled(2)
            await clock.go(0.5)
            heard = [(await other.kind("pong"))["ping"], (await hasty.kind("pong"))["ping"]]
            for _ in range(5):
                await clock.settled(1)
                await clock.go(0.5)
                heard.append((await hasty.kind("pong"))["ping"])

    assert [7, 1, 2, 3, 4, 5, 6] == heard
    assert 3 == clock.now


async def test_after_a_silence_a_seconds_worth_is_let_through_at_once(clock: Clock) -> None:
    """And no more, however long it was."""
    pace = Pace(4, clock.time, clock.sleep)
    await clock.go(60)
    for _ in range(4):
        await pace.turn()
    fifth = asyncio.create_task(pace.turn())
    await clock.settled(1)
    await clock.go(0.25)
    await fifth
