"""A projection process outlives whatever becomes of its store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from events.log.errors import StoreAwayError
from events.log.redis_log import RedisLog
from events.streams import Partition, partition_of
from projections.runtime.shares import Shares
from projections.runtime.words import projector_of
from projections.runtime.work import run
from tests.flow.house import House
from tests.runtime.conftest import emptied
from tests.servers import Server, running_server, short_folder, valkey_binary
from tests.until import until

TABLES = ("nains-a", "nains-b", "nains-c")


@contextmanager
def projecting(url: str) -> Iterator[None]:
    """Run a projection worker with a connection of its own."""
    log, stop = RedisLog(url, games=["nains"]), Event()
    shares = Shares(log, ["nains"], owner="one")
    thread = Thread(
        target=run,
        args=(projector_of(log, ["nains"]), shares, stop),
        kwargs={"block_ms": 20},
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        log.close()


def lag(log: RedisLog) -> int:
    """Return how many commits all projections together are behind."""
    return sum(lag_in(log, place) for place in log.partitions("nains"))


def lag_in(log: RedisLog, place: Partition) -> int:
    """Return the same of one partition."""
    standing, _ = log.standing(place)
    return sum(standing.end - standing.positions.get(name, 0) for name in ("table@1", "chronicle@1", "lobby@1"))


def played(log: RedisLog, moves: int) -> House:
    """Return tables of which the last moves may not be projected."""
    house = House(log, games=("nains",))
    for table in TABLES:
        house.open_table(table, seats=2)
    house.work()
    until(lambda: lag(log) == 0, what="the tables are projected")
    move(house, moves)
    return house


def move(house: House, moves: int) -> None:
    random = Random(1)
    for _ in range(moves):
        for table in TABLES:
            house.play_a_move(table, random)
        house.work()


@pytest.mark.parametrize("seconds", [1.5, pytest.param(6.0, marks=pytest.mark.soak)])
def test_a_pause_of_all_writes_is_waited_for(valkey: Server, seconds: float) -> None:
    """The lag returns to nothing by itself, and nobody is bothered."""
    log = RedisLog(emptied(valkey), games=["nains"])
    with capture_logs() as lines, projecting(valkey.url), redis.Redis.from_url(valkey.url) as client:
        house = played(log, 3)
        client.execute_command("CLIENT", "PAUSE", int(seconds * 1000), "WRITE")
        move(house, 5)
        until(lambda: lag(log) == 0, what="all is projected")

    assert [] == _complaints(lines)
    log.close()


def test_a_store_that_is_away_is_told_once_and_taken_up_again(tmp_path: Path) -> None:
    """No restart is needed, and the log does not fill with one complaint."""
    with short_folder() as short, capture_logs() as lines, ExitStack() as stack:
        at: dict[str, Any] = {"aof": True, "socket": short / "s", "settings": ("--appendfsync", "always")}
        with running_server(valkey_binary(), tmp_path, **at) as server:
            log = RedisLog(server.url, games=["nains"])
            stack.enter_context(projecting(server.url))
            house = played(log, 3)
            until(lambda: lag(log) == 0, what="all is projected")
            server.kill()
        until(lambda: "store_failed" in [line["event"] for line in lines], what="it is told")
        with running_server(valkey_binary(), tmp_path, **at):
            move(house, 3)
            until(lambda: lag(log) == 0, what="all is projected again")
            stack.close()
            log.close()

    assert ["store_failed", "store_is_back"] == [line["event"] for line in lines if line["event"].startswith("store_")]


def test_a_full_store_is_waited_for(valkey: Server) -> None:
    """What was sent before the memory ran out is decided and projected as soon as there is room, without a restart."""
    log = RedisLog(emptied(valkey), games=["nains"])
    with capture_logs() as lines, projecting(valkey.url), redis.Redis.from_url(valkey.url) as client:
        house = played(log, 3)
        until(lambda: lag(log) == 0, what="all is projected")
        before = house.view(TABLES[0])["version"]
        house.play_a_move(TABLES[0], Random(1))
        client.config_set("maxmemory", "100kb")
        try:
            until(lambda: "store_failed" in [line["event"] for line in lines], what="it is told")
            with pytest.raises(StoreAwayError, match="is full"):
                house.work()
        finally:
            client.config_set("maxmemory", "0")
        house.work()
        until(lambda: lag(log) == 0, what="all is projected again")
        assert house.view(TABLES[0])["version"] > before
        move(house, 3)
        until(lambda: lag(log) == 0, what="all is projected again")
        chapters = house.chapters(TABLES[0])

    assert [1, *(chapter.last + 1 for chapter in chapters[:-1])] == [chapter.first for chapter in chapters]
    assert ["store_failed", "store_is_back"] == [line["event"] for line in lines if line["event"].startswith("store_")]
    log.close()


def _complaints(lines: list[Any]) -> list[Any]:
    return [line for line in lines if line["log_level"] in ("warning", "error", "critical")]


@pytest.mark.parametrize("key_of", [Partition.truth, lambda place, _: place.feed, lambda place, _: place.positions])
def test_a_key_that_was_written_over_stops_no_other_partition(
    valkey: Server, key_of: Callable[[Partition, str], str]
) -> None:
    """What it is for stands still or is marked as broken; the process lives, and the others are projected."""
    log = RedisLog(emptied(valkey), games=["nains"])
    hurt, *others = TABLES
    place = partition_of(hurt, len(log.partitions("nains")))
    elsewhere = [partition_of(table, len(log.partitions("nains"))) for table in others]
    assert place not in elsewhere
    with redis.Redis.from_url(valkey.url) as client:
        with projecting(valkey.url):
            house = played(log, 3)
            until(lambda: lag(log) == 0, what="all is projected")
        move(house, 2)
        key = key_of(place, hurt)
        client.rename(key, "kept")
        client.set(key, "by hand")
        with capture_logs() as lines, projecting(valkey.url):
            until(lambda: all(lag_in(log, each) == 0 for each in elsewhere), what="the other partitions are projected")
            until(lambda: {line["event"] for line in lines} & {"partition_damaged", "view_broken"}, what="it is told")
            client.rename("kept", key)
            until(lambda: lag(log) == 0, what="it goes on")
    log.close()
