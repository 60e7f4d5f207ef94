"""Bots are refused hundreds of times at one table, by a limit or as too late, and play it to its end all the same."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from services.api.buckets import Buckets
from services.bots.seat import SeatPlayer
from services.bots.service import BotService
from services.client import Accepted, AsyncClient, Conversation, ProblemError, TableView, patience
from services.live import live
from tests.live.door import Door, a_door
from tests.services.house import House, Table
from workers.runtime.table import MAX_REFUSALS

pytestmark = pytest.mark.timeout(300)

TIMES = 12
"""How often each answer is given where every one but the first comes too late."""
ONE_OF = 4
"""How many tries of a limited address there are for one that is let through."""

answer_once = SeatPlayer._answer  # noqa: SLF001  what a bot does when it is asked
send_once = Conversation._answer  # noqa: SLF001  what the client does until there is an answer


class Refused:
    """
    What became of everything that bots sent.

    Args:
        codes: the refusals, by what the client was told.
        versions: those that accepted commands made.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.codes: Counter[str] = Counter()
        self.versions: list[int] = []
        counted = self

        async def answer(self: Conversation, command_id: str, message: dict[str, object]) -> Accepted:
            try:
                accepted = await send_once(self, command_id, message)
            except ProblemError as problem:
                counted.codes[f"{problem.code} {problem.details.get('refused', '')}".strip()] += 1
                raise
            counted.versions.append(accepted.last)
            return accepted

        monkeypatch.setattr(Conversation, "_answer", answer)


@asynccontextmanager
async def bots_at(door: Door) -> AsyncIterator[AsyncClient]:
    """Let bots play, and give a client of theirs."""
    stop = asyncio.Event()
    async with AsyncClient(f"http://127.0.0.1:{door.port}", door.client.house.bots) as client:
        playing = asyncio.create_task(BotService(client, delay_s=0, random=Random(1)).run(stop))
        try:
            yield client
        finally:
            stop.set()
            await playing


async def played(client: AsyncClient, table: Table) -> tuple[TableView, list[int]]:
    """Return how a table ended, and the version that each command after its start made."""
    version = 0
    while (view := await client.view(table.name, at_least=version)).status != "over":
        version = view.version + 1
    story = [chapter async for chapter in client.history(table.name)]
    started = next(number for number, each in enumerate(story) if any(s["kind"] == "table_started" for s in each.steps))
    return view, [chapter.last for chapter in story[started + 1 :]]


def require_natural_end(view: TableView) -> None:
    assert view.outcome is not None
    assert "final_scoring" == view.outcome.reason
    assert not any(each.conceded for each in view.seats)


def require_once(versions: list[int], answered: list[int]) -> None:
    """What was accepted happened, once, and nothing else did; a bot that sees the end leaves before its last answer."""
    assert sorted(answered) in (versions, versions[:-1])


async def test_whose_answers_come_too_late_plays_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if many bots sat in each seat: soon refusals are no longer kept, and why each was refused is told still."""

    async def answer_often(self: SeatPlayer, view: TableView) -> int:
        told = await asyncio.gather(*(answer_once(self, view) for _ in range(TIMES)), return_exceptions=True)
        for each in told:
            if isinstance(each, int):
                return each
        assert isinstance(told[0], ProblemError)
        raise told[0]

    monkeypatch.setattr(SeatPlayer, "_answer", answer_often)
    refused = Refused(monkeypatch)
    async with a_door(house) as door:
        table = await door.client.open(seats=2, bots=2)
        async with bots_at(door) as client:
            view, versions = await played(client, table)

    require_natural_end(view)
    require_once(versions, refused.versions)
    assert refused.codes["rate_limited stale_version"] > MAX_REFUSALS


class Spent(Buckets):
    """What an address may try has been tried, but for one moment in so many."""

    def __init__(self) -> None:
        super().__init__(rate=1, burst_s=1)
        self._asked = 0

    def wait(self, sender: bytes, *, now: float) -> float:
        self._asked += 1
        return 0.0 if self._asked % ONE_OF == 0 else super().wait(sender, now=now) + 0.001


async def test_whose_address_is_limited_sends_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody beside the bots tries tokens out: for that most of their commands are refused, and none is lost."""
    monkeypatch.setattr(patience, "FIRST_S", 0.01)
    monkeypatch.setattr(live, "FRESH_S", 0.001)
    refused = Refused(monkeypatch)
    async with a_door(house, live={"check_s": 0.1}) as door:
        table = await door.client.open(seats=5, bots=5)  # which is long enough, however it goes
        async with bots_at(door) as client:
            while not refused.versions:
                await asyncio.sleep(0.005)
            monkeypatch.setattr(door.live.desk, "_tries", Spent())
            view, versions = await played(client, table)

    require_natural_end(view)
    require_once(versions, refused.versions)
    assert {"rate_limited"} == {*refused.codes} - {"pending"}, "or it was late"
    assert refused.codes["rate_limited"] > MAX_REFUSALS
