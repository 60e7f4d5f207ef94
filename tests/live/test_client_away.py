"""Tables that cannot be followed for a while, beside others on the same socket: the client waits for those alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pytest

from services.api.problems import Problem
from services.client import AsyncClient, Client, ProblemError, Seen, Unfollowed, patience
from services.client.news import News
from services.live.feeds import Feeds
from services.live.follow import Follow as Followed
from tests.live.cable import Cable
from tests.live.door import Door
from tests.live.test_client import play
from tests.services.house import Table
from tests.until import PATIENCE_S

TIMES = 5
"""How often the table that is away is asked for meanwhile."""


class Listen(Protocol):
    """One of the ways to follow."""

    async def __call__(self, url: str, key: str, tables: list[str], notes: Notes, /) -> None: ...


@pytest.fixture(autouse=True)
def _no_long_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_S", 0.01)


class Away:
    """
    A table that the live door's store does not tell of.

    Args:
        asked: how often it was asked to.
    """

    def __init__(self, feeds: Feeds, table: str, code: str) -> None:
        self._feeds = feeds
        self._table = table
        self._code = code
        self.asked = 0

    @contextmanager
    def now(self) -> Iterator[None]:
        """Say no while the block is alive."""
        join = self._feeds.join

        async def join_others(follow: Followed) -> None:
            if follow.table == self._table:
                self.asked += 1
                raise Problem(self._code)
            await join(follow)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self._feeds, "join", join_others)
            yield


class Notes:
    """
    What a client was told.

    Args:
        over: tables whose end was seen; ``ended`` those of which nothing more comes.
    """

    def __init__(self) -> None:
        self.over: set[str] = set()
        self.ended: list[Unfollowed] = []

    def take(self, news: News) -> None:
        """Note a piece of news."""
        if isinstance(news, Seen) and news.view.status == "over":
            self.over.add(news.table)
        if isinstance(news, Unfollowed):
            self.ended.append(news)


async def follow(url: str, key: str, tables: list[str], notes: Notes) -> None:
    """Note what a client tells until all is over."""
    async with AsyncClient(url, key) as client:
        async for each in client.follow(*tables):
            notes.take(each)


async def follow_plainly(url: str, key: str, tables: list[str], notes: Notes) -> None:
    """Do the same without asyncio."""

    def listen() -> None:
        with Client(url, key) as client:
            for each in client.follow(*tables):
                notes.take(each)

    await asyncio.to_thread(listen)


async def converse(url: str, key: str, tables: list[str], notes: Notes) -> None:
    """Do the same in a conversation."""
    async with AsyncClient(url, key) as client:
        conversation = client.converse()
        conversation.follow(*tables)
        async for each in conversation.news():
            notes.take(each)
            if len(notes.over) == len(tables):
                return


@pytest.mark.parametrize("code", ["store_away", "busy"])
@pytest.mark.parametrize("listen", [follow, follow_plainly, converse])
async def test_a_table_that_is_away_leaves_the_others_alone(door: Door, listen: Listen, code: str) -> None:
    """It is asked for again and again on the socket there is, until it is back; another is followed to its end."""
    lost, good = [await door.client.open() for _ in range(2)]
    away, cable, notes = Away(door.live.feeds, lost.name, code), Cable(door.port), Notes()
    async with cable.laid(), AsyncClient(f"http://127.0.0.1:{door.port}") as players:
        with away.now():
            listening = asyncio.create_task(
                listen(f"http://127.0.0.1:{cable.port}", door.client.house.key, [lost.name, good.name], notes)
            )
            await play(players, good, 6)
            async with asyncio.timeout(PATIENCE_S):
                while notes.over != {good.name} or away.asked < TIMES:
                    await asyncio.sleep(0.005)
        await play(players, lost, 2)
        async with asyncio.timeout(PATIENCE_S):
            await listening

    assert 1 == cable.lines
    assert {good.name, lost.name} == notes.over
    assert [] == notes.ended


async def test_a_table_that_stays_away_is_given_up_by_itself(door: Door) -> None:
    """At the end of the client's patience with the service's word, whether there are others or not."""
    lost, good = [await door.client.open() for _ in range(2)]
    async with AsyncClient(f"http://127.0.0.1:{door.port}", door.client.house.key, patience_s=0.2) as client:
        with Away(door.live.feeds, lost.name, "store_away").now():
            async with asyncio.timeout(PATIENCE_S):
                ended = [each async for each in client.follow(lost.name, good.name) if await gave_up(each, door, good)]
            with pytest.raises(ProblemError, match="store_away"):
                await anext(client.follow(lost.name))

    assert [Unfollowed(table=lost.name, seat=None, code="store_away", details={})] == ended


async def gave_up(news: News, door: Door, good: Table) -> bool:
    """Return whether a follow was given up, upon which the other table is ended."""
    if isinstance(news, Unfollowed):
        await door.client.settled(f"/v1/tables/{good.name}/cancel", None)
    return isinstance(news, Unfollowed)
