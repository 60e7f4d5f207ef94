"""A node of a cluster that answers nothing holds up no view that lies elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from structlog.testing import capture_logs

from events.log.errors import NodeAwayError
from events.log.redis_log import RedisLog
from events.streams import LIVE_OF_ALL, Partition
from projections.lobby.lobby import LOBBY
from projections.runtime.shares import Shares
from projections.runtime.words import projector_of
from projections.runtime.work import run
from projections.tables.projections import STORY, TABLE
from tests.clusters import APART, Cluster, running_cluster
from tests.flow.house import House
from tests.services.house import silent
from tests.until import until
from workers.games import GamesShelf
from workers.runtime import loop
from workers.runtime.leases import Leases

GAMES = ["nains"]
MOVES = 4
OPENED = 4
"""Commits of a table until it is started: opened, two seats taken, started."""


@pytest.fixture
def split(tmp_path: Path) -> Iterator[Cluster]:
    """Return a cluster whose nodes serve their slots whatever becomes of others."""
    with running_cluster(tmp_path, settings=APART) as formed:
        yield formed


@contextmanager
def at_work(url: str) -> Iterator[None]:
    """Run a rule worker and a projection worker, each with a connection of its own."""
    stop = Event()

    def decide() -> None:
        with closing(RedisLog(url, games=GAMES)) as log:
            loop.run(log, GamesShelf(), Leases(log, GAMES, owner="rules"), stop)

    def project() -> None:
        with closing(RedisLog(url, games=GAMES)) as log:
            run(projector_of(log, GAMES), Shares(log, GAMES, owner="views"), stop, block_ms=20)

    threads = [Thread(target=work) for work in (decide, project)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        stop.set()
        for each in threads:
            each.join()


def tables_of(log: RedisLog) -> dict[Partition, str]:
    """Return a name of a table for each partition."""
    house, found = House(log), dict[Partition, str]()
    for number in range(100):
        found.setdefault(house.partition(f"nains-{number}"), f"nains-{number}")
    assert set(log.partitions("nains")) == set(found)
    return found


def is_projected(log: RedisLog, place: Partition, *projections: str) -> bool:
    """Whether projections have taken in everything that happened in a partition, and its node says so."""
    try:
        standing, _ = log.standing(place)
    except NodeAwayError:
        return False
    return standing.end >= OPENED and all(standing.end == standing.positions.get(f"{name}@1") for name in projections)


def play(house: House, table: str) -> None:
    """Make moves at a table, each of which is seen and told before the next."""
    random = Random(1)
    for _ in range(MOVES):
        before = house.view(table)["version"]
        assert house.play_a_move(table, random)
        until(lambda before=before: house.view(table)["version"] > before, what="the move is seen")  # type: ignore[misc]  # no name
        until(lambda: house.chapters(table)[-1].last == house.view(table)["version"], what="the move is told")


@pytest.mark.parametrize(
    ("key", "going_on"),
    [(LIVE_OF_ALL, [TABLE, STORY]), (Partition("nains", 0).cursor, [TABLE, STORY, LOBBY])],
    ids=["with what tables share", "with tables"],
)
def test_views_on_other_nodes_go_on_beside_a_silent_one(split: Cluster, key: str, going_on: list[str]) -> None:
    """What lies there waits, be it the lobby or some tables, and catches up without a restart."""
    log = RedisLog(split.url, games=GAMES)
    house, tables, node = House(log), tables_of(log), split.holder(key)
    others = {place: table for place, table in tables.items() if split.holder(place.cursor) != node}

    def all_is_projected() -> bool:
        return all(is_projected(log, place, TABLE, STORY, LOBBY) for place in tables)

    with capture_logs() as lines, at_work(split.url):
        for table in tables.values():
            house.open_table(table, seats=2)
        until(all_is_projected, what="all is projected")
        with silent(split.nodes[node].process.pid):
            for place, table in others.items():
                play(house, table)
                until(lambda place=place: is_projected(log, place, *going_on), what="the rest is projected")  # type: ignore[misc]  # no name
            with pytest.raises(NodeAwayError):
                log.view_field(key, "any")
        until(all_is_projected, what="all is projected again")
        for table in tables.values():
            play(house, table)
        until(lambda: "store_is_back" in [line["event"] for line in lines], what="it is told")
    log.close()

    told = [line["event"] for line in lines if line["event"] in {"store_failed", "store_is_back"}]
    assert told
    assert ["store_failed", "store_is_back"] * (len(told) // 2) == told, (
        "each time once, should another stand still, too"
    )


def test_workers_that_start_beside_a_silent_node_serve_the_others(split: Cluster) -> None:
    """Also where that node holds the names of the workers: what is left alone is taken up by whoever can."""
    log = RedisLog(split.urls, games=GAMES)
    house, tables, node = House(log), tables_of(log), split.holder(LIVE_OF_ALL)
    others = {place: table for place, table in tables.items() if split.holder(place.cursor) != node}
    with silent(split.nodes[node].process.pid), at_work(split.urls):
        for table in others.values():
            house.open_table(table, seats=2)
        until(lambda: all(is_projected(log, place, TABLE, STORY) for place in others), what="all is seen and told")
        for table in others.values():
            play(house, table)
    log.close()
