"""A node of a cluster that answers nothing, or is gone, is no trouble for the others."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from events.log.errors import DamagedError, NodeAwayError, StoreAwayError
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import Partition, workers_of
from tests.clusters import APART, Cluster, running_cluster
from tests.runtime.desk import Desk, envelope, seat_actor
from tests.runtime.echo.commands import Echo
from tests.runtime.echo.rules import EchoShelf
from tests.runtime.processes import workers
from tests.until import until
from workers.runtime.leases import Leases
from workers.runtime.loop import RuleWorker

TTL_MS = 2_000
STOOD_STILL_S = TTL_MS / 4000
"""Of a machine, or of a node, that took longer from one look to the next nobody's leases need be renewed in time."""
ANN = Seat(0)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of this module's own, whose nodes serve their slots whatever becomes of others."""
    with running_cluster(tmp_path_factory.mktemp("own"), settings=APART) as formed:
        yield formed


def parted(cluster: Cluster, log: RedisLog) -> tuple[int, list[Partition]]:
    """Return a node that holds some partitions, and the partitions that other nodes hold."""
    node = cluster.holder(log.partitions("echo")[0].cursor)
    return node, [each for each in log.partitions("echo") if cluster.holder(each.cursor) != node]


def test_a_silent_node_costs_nobody_a_lease_at_the_others(own: Cluster) -> None:
    """They are renewed in time, their commands are handled, and the node's own are taken up when it is back."""
    own.flush()
    log, rival = RedisLog(own.url, games=["echo"]), RedisLog(own.url, games=["echo"])
    desk = Desk(log)
    tables = [desk.running_table() for _ in range(12)]
    desk.worker.leases.release_all()
    node, others = parted(own, log)
    leases = Leases(log, ["echo"], owner="steady", ttl_ms=TTL_MS)
    stop = Event()
    keeper = leases.keep(stop)
    loop = Thread(target=RuleWorker(log, EchoShelf(), leases).run, args=(stop,), daemon=True)
    until(lambda: len(leases.held()) == len(log.partitions("echo")), what="everything is taken")
    loop.start()

    def said(table: str) -> bytes:
        name = uuid.uuid4().bytes
        log.submit(desk.place(table), envelope(table, Echo(seat=ANN), seat_actor(ANN), command_id=name))
        return name

    nodes = {each: own.holder(each.cursor) for each in others}

    def all_are_kept() -> bool:
        return {b"steady"} == {own.ask(there, "HGET", each.cursor, "owner") for each, there in nodes.items()}

    with own.silent(node):
        ends, looked = time.monotonic() + 3 * TTL_MS / 1000, time.monotonic()
        table = next(each for each in tables if desk.place(each) in others)
        name = said(table)
        while time.monotonic() < ends:
            with suppress(NodeAwayError):  # another one stood still for a moment
                if any(rival.acquire(each, owner="rival", ttl_ms=1) for each in others):
                    assert time.monotonic() - looked > STOOD_STILL_S
                    until(all_are_kept, what="all is taken up again")
                looked = time.monotonic()
                if log.answer(desk.place(table), table, name):
                    name = said(table)
        until(lambda: log.answer(desk.place(table), table, name), what="it is answered")
    table = next(each for each in tables if desk.place(each) not in others)

    def sent() -> bytes | None:
        with suppress(NodeAwayError):  # for a moment it is not asked
            return said(table)
        return None

    name = until(sent, what="the silent node takes commands")
    until(lambda: log.answer(desk.place(table), table, name), what="its tables go on")
    stop.set()
    keeper.join()
    loop.join()
    for each in (desk, log, rival):
        each.close()


def owner_at(cluster: Cluster, node: int, place: Partition) -> int:
    """Return the process that holds a partition of a node; 0 where none does, or its lease is over."""
    owner, until_ms = cluster.ask(node, "HMGET", place.cursor, "owner", "until")
    seconds, micros = cluster.ask(node, "TIME")
    is_held = owner is not None and int(until_ms) > int(seconds) * 1_000 + int(micros) // 1_000
    return int(owner.split(b":")[-2]) if is_held else 0


def test_a_worker_that_dies_is_replaced_beside_the_silent_node_of_their_names(own: Cluster, tmp_path: Path) -> None:
    """Others take what nobody holds and can be reached, and share it fairly when they hear of each other again."""
    own.flush()
    with closing(RedisLog(own.url, games=["echo"])) as log:
        nodes = {place: own.holder(place.cursor) for place in log.partitions("echo")}
    silent = own.holder(workers_of("echo"))
    elsewhere = [place for place, node in nodes.items() if node != silent]

    def share_all(pids: set[int]) -> bool:
        held = [owner_at(own, node, place) for place, node in nodes.items()]
        return all(held.count(pid) == len(held) // len(pids) for pid in pids)

    with workers(own.urls, tmp_path, ttl_ms=TTL_MS) as group:
        pids = {group.start().pid, group.start().pid}
        until(lambda: share_all(pids), what="they share all")
        dying = until(lambda: owner_at(own, nodes[elsewhere[0]], elsewhere[0]), what="somebody holds it")
        with own.silent(silent):
            group.kill(next(each for each in group.running if each.pid == dying))
            left = pids - {dying}
            until(
                lambda: left == {owner_at(own, nodes[place], place) for place in elsewhere},
                what="the other has taken up what can be reached",
            )
            left.add(group.start().pid)
        until(lambda: share_all(left), what="they share all again")


def test_what_is_damaged_is_named_beside_a_silent_node(own: Cluster) -> None:
    """Keys of other nodes that were written over stop what they are for, and nothing else."""
    own.flush()
    log = RedisLog(own.urls, games=["echo"])
    node, (damaged, *_) = parted(own, log)
    places = log.partitions("echo")
    for key in (damaged.commands, damaged.feed):
        own.ask(own.holder(key), "SET", key, "noise")
    with own.silent(node):
        with pytest.raises(DamagedError) as told:
            log.read_commands(dict.fromkeys(places, "0-0"), count=1, block_ms=0)
        found = log.damaged(places)
    log.close()

    assert {damaged} == told.value.partitions
    assert {damaged} == found.keys()
    assert damaged.feed in found[damaged]


def test_a_seed_that_is_gone_is_passed_over(own: Cluster) -> None:
    """Any of several addresses leads to the cluster; if none does, it is said."""
    own.flush()
    gone, living = "redis://127.0.0.1:1", own.url
    log = RedisLog(f"{gone},{living}", games=["echo"])

    assert log.is_cluster
    assert log.epoch
    log.close()
    with pytest.raises(StoreAwayError):
        RedisLog(f"{gone},{gone}", games=["echo"])
