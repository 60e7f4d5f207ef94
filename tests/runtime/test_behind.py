"""A new projection far behind gets every commit once: from the feed, or from the histories where the feed was cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from events.log.memory import MemoryLog
from events.log.records import StreamAppend, ViewWrite
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import numbered
from projections.kit.projection import Home, Step
from projections.runtime.projector import Projector
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, Log, envelope, seat_actor
from tests.runtime.echo.commands import Echo
from tests.runtime.echo.rules import EchoShelf
from tests.servers import Server

TABLES = 10
OPENINGS = 4
"""Commits until play goes on at a table of two."""


class Counting:
    """Keeps an entry for each commit; one that came twice could not be written."""

    name = "counting"
    across = False
    pushed = False

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        return [StreamAppend(home.key(step.table), f"{step.after.version}-0", b"") for step in steps]

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        raise AssertionError(table)

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return tables


def filled(log: Log, commits: int) -> list[str]:
    """Play tables until there are so many commits, and return them."""
    desk = Desk(log)
    tables = [desk.running_table() for _ in range(TABLES)]
    left = commits - TABLES * OPENINGS
    for number in range(left):
        desk.post(tables[number % TABLES], envelope(tables[number % TABLES], Echo(seat=Seat(0)), seat_actor(0)))
        if number % 5_000 == 0:
            desk.worker.drain()
    desk.worker.drain()
    desk.close()
    return tables


def counted(log: Log, tables: Sequence[str]) -> int:
    """Have everything projected, and return how many commits were counted."""
    partitions = log.partitions("echo")
    projector = Projector(log, EchoShelf(), partitions, [Counting()])
    while projector.round(block_ms=0):
        pass
    desk = Desk(log)
    found = 0
    for table in tables:
        place = desk.place(table)
        version = numbered("counting", log.standing(place)[1].number("counting"))
        found += len(log.view_entries(place.view(version, table), count=1_000_000))
    desk.close()
    return found


@pytest.mark.parametrize("trimmed", [False, True])
@pytest.mark.parametrize("commits", [1_001, 10_000, pytest.param(100_001, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["memory", "valkey"])
def test_a_new_projection_gets_every_commit_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, kind: str, commits: int, *, trimmed: bool
) -> None:
    """However far behind, no page and no limit ends it early."""
    log: Log = MemoryLog(games=["echo"])
    if kind == "valkey":
        server: Server = request.getfixturevalue("valkey")
        log = RedisLog(emptied(server), games=["echo"])
    tables = filled(log, commits)
    if trimmed:
        for module in ("redis_commands", "memory_commands"):
            monkeypatch.setattr(f"events.log.{module}.MAX_LAG", 100)
        for place in log.partitions("echo"):
            log.trim_feed(place)

    assert commits == sum(log.feed_end(place) for place in log.partitions("echo"))
    assert commits == counted(log, tables)
    log.close()
