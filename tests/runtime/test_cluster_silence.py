"""A node of a cluster that answers nothing, or is gone, is no trouble for the others."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from events.log.errors import StoreAwayError
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import Partition
from tests.clusters import MASTERS, Cluster, running_cluster
from tests.runtime.desk import Desk, envelope, seat_actor
from tests.runtime.echo.commands import Echo
from tests.runtime.echo.rules import EchoShelf
from tests.until import until
from workers.runtime.leases import Leases
from workers.runtime.loop import RuleWorker

TTL_MS = 2_000
ANN = Seat(0)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of this module's own, whose nodes serve their slots whatever becomes of others."""
    with running_cluster(tmp_path_factory.mktemp("own")) as formed:
        for node in range(MASTERS):
            formed.client(node).config_set("cluster-require-full-coverage", "no")
        yield formed


@contextmanager
def silent(cluster: Cluster, node: int) -> Iterator[None]:
    """Have a node answer nothing within the block; afterwards wait until all is well."""
    process = cluster.nodes[node].process
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)
        until(lambda: all(is_well(cluster, each) for each in range(MASTERS)), what="all nodes are there again")


def is_well(cluster: Cluster, node: int) -> bool:
    """Whether a node holds no other for failed."""
    with cluster.client(node) as client:
        return not any(b"fail" in str(each["flags"]).encode() for each in client.cluster("nodes").values())


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

    with silent(own, node):
        ends = time.monotonic() + 3 * TTL_MS / 1000
        table = next(each for each in tables if desk.place(each) in others)
        while time.monotonic() < ends:
            assert [None] * len(others) == [rival.acquire(each, owner="rival", ttl_ms=1) for each in others]
            name = said(table)
            until(lambda name=name: log.answer(desk.place(table), table, name), what="it is answered")  # type: ignore[misc]  # no name
    table = next(each for each in tables if desk.place(each) not in others)
    name = said(table)
    until(lambda: log.answer(desk.place(table), table, name), what="the silent node's tables go on")
    stop.set()
    keeper.join()
    loop.join()
    for each in (desk, log, rival):
        each.close()


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
