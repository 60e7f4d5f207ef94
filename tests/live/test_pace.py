"""Who says too much at once has to wait, and nobody else."""

from __future__ import annotations

import asyncio

import pytest

from services.api.problems import Problem
from services.live import reading
from services.live.pace import LONGEST_S, SIZE, Pace
from tests.live.door import a_door
from tests.services.house import House
from tests.until import PATIENCE_S

ANN = b"ann"


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
    """Return the clock by which sockets of doors are held back that are opened from now on."""
    clock = Clock()
    monkeypatch.setattr("services.live.live.Pace", lambda per_s, _: Pace(per_s, clock.time, clock.sleep))
    return clock


async def test_who_says_more_than_the_limit_waits_and_loses_nothing(house: House, clock: Clock) -> None:
    """Behind the first two, at two a second, one is read each half second, in order; nobody else waits for them."""
    async with a_door(house, live={"messages_per_s": 2}) as door, door.line(house.key) as hasty:
        for number in range(1, 7):
            await hasty.say(ping=number)
        await clock.settled(1)
        async with door.line(house.other) as other:
            heard = [(await other.ask(ping=7))["ping"], *[(await hasty.kind("pong"))["ping"] for _ in range(2)]]
            for _ in range(4):
                await clock.settled(1)
                await clock.go(0.5)
                heard.append((await hasty.kind("pong"))["ping"])

    assert [7, 1, 2, 3, 4, 5, 6] == heard
    assert 2 == clock.now


async def test_a_sender_is_one_over_all_their_sockets(house: House, clock: Clock) -> None:
    """A second socket buys no more; the service's own bots are held back nowhere."""
    async with (
        a_door(house, live={"messages_per_s": 2}) as door,
        door.line(house.key) as one,
        door.line(house.key) as two,
        door.line(house.bots) as bots,
    ):
        for line in (one, two):
            await line.ask(ping=1)
        for line in (one, two):
            await line.say(ping=2)
        await clock.settled(2)
        for number in range(20):
            await bots.ask(ping=number)
        await clock.go(1)
        heard = [(await line.kind("pong"))["ping"] for line in (one, two)]

    assert [2, 2] == heard


async def test_a_page_that_is_read_for_a_follow_counts_as_four_messages(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for whole stories again and again waits for them, and nobody else does."""
    monkeypatch.setattr(reading, "NEWEST", 1)
    async with (
        a_door(house, live={"messages_per_s": 5}) as door,
        door.line(house.key) as line,
        door.line(house.bots) as bots,
    ):
        first, second = [(await door.client.open()).name for _ in range(2)]
        await line.ask(follow=first, after=0, views=False)
        await line.kind("steps", table=first)
        following = await line.say(follow=second, after=0, views=False)
        await clock.settled(1)
        await clock.go(0.2)
        await line.answer(following)
        await clock.settled(1)
        await bots.ask(follow=second, after=0, views=False)
        await bots.kind("steps", table=second)
        early = line.chapters(second, None)
        await clock.go(0.8)
        await line.kind("steps", table=second)

    assert [] == early


async def test_a_large_message_counts_by_its_size(clock: Clock) -> None:
    """As one more for each kilobyte."""
    pace = Pace(10, clock.time, clock.sleep)
    await pace.turn(ANN, 8 * SIZE)
    await pace.turn(ANN, SIZE - 1)
    next_one = asyncio.create_task(pace.turn(ANN, 0))
    await clock.settled(1)
    await clock.go(0.1)
    await next_one


async def test_who_has_too_much_waiting_is_told_so_and_not_read(clock: Clock) -> None:
    """So nobody waits longer behind others of the same sender; what is not read is not counted either."""
    pace = Pace(10, clock.time, clock.sleep)
    large = asyncio.create_task(pace.turn(ANN, 69 * SIZE))
    await clock.settled(1)
    told = [asyncio.create_task(pace.turn(ANN, 0)) for _ in range(50)]
    await clock.settled(51)
    await clock.go(LONGEST_S)
    problems = [(await asyncio.gather(each, return_exceptions=True))[0] for each in told]
    await clock.go(6 - LONGEST_S)
    await large

    assert [("rate_limited", 6_000)] * 50 == [
        (each.code, each.details["wait_ms"]) for each in problems if isinstance(each, Problem)
    ]


async def test_after_a_silence_a_seconds_worth_is_let_through_at_once(clock: Clock) -> None:
    """And no more, however long it was."""
    pace = Pace(4, clock.time, clock.sleep)
    await clock.go(60)
    for _ in range(4):
        await pace.turn(ANN, 0)
    fifth = asyncio.create_task(pace.turn(ANN, 0))
    await clock.settled(1)
    await clock.go(0.25)
    await fifth
