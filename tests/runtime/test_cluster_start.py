"""A process starts beside a node of a cluster that answers nothing, and each node is looked at before its first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import Event, Thread

import pytest
from structlog.testing import capture_logs

from events.log.errors import NodeAwayError, StoreUnusableError
from events.log.redis_log import RedisLog
from events.log.redis_store import LIBRARY
from events.process import opened
from events.streams import META, Partition
from tests.clusters import APART, MASTERS, Cluster, running_cluster
from tests.until import until


@pytest.fixture(scope="module")
def formed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of this module's own, whose nodes serve their slots whatever becomes of others."""
    with running_cluster(tmp_path_factory.mktemp("own"), settings=APART) as cluster:
        yield cluster


@pytest.fixture
def laid_out(formed: Cluster) -> Cluster:
    """Return it with a store in which nothing has happened."""
    return emptied(formed)


def emptied(cluster: Cluster) -> Cluster:
    """Return a cluster with a store in which nothing has happened, all of whose nodes are fit."""
    cluster.flush()
    for node in range(MASTERS):
        cluster.ask(node, "CONFIG", "SET", "maxmemory-policy", "noeviction")
    RedisLog(cluster.url, games=["echo"]).close()
    return cluster


def spread(cluster: Cluster) -> Mapping[int, Sequence[Partition]]:
    """Return which partitions each node holds."""
    found: dict[int, list[Partition]] = {node: [] for node in range(MASTERS)}
    for number in range(4):
        place = Partition("echo", number)
        found[cluster.holder(place.cursor)].append(place)
    assert all(found.values())
    return found


def aside(cluster: Cluster) -> int:
    """Return a node that does not hold what tells how the store is laid out."""
    return next(node for node in range(MASTERS) if node != cluster.holder(META))


class Start:
    """A process that opens its store, and what it logs meanwhile."""

    def __init__(self, url: str) -> None:
        self.stop = Event()
        self.found: list[RedisLog] = []
        self._thread = Thread(target=self._open, args=(url,), daemon=True)
        self._thread.start()

    def _open(self, url: str) -> None:
        log = opened(url, ["echo"], self.stop)
        if log is not None:
            self.found.append(log)

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._thread.is_alive()

    def store(self) -> RedisLog:
        """Return the store as soon as it is open."""
        (log,) = until(lambda: self.found, what="the store is open")
        self._thread.join()
        return log


def can_work(log: RedisLog, places: Sequence[Partition]) -> bool:
    """Whether leases of all of some partitions are given."""
    try:
        return all(log.acquire(each, owner="one", ttl_ms=60_000) for each in places)
    except NodeAwayError:
        return False


def test_a_process_starts_beside_a_silent_node(laid_out: Cluster) -> None:
    """It says which is away, works at the others, and goes on there as soon as it is back."""
    node, places = aside(laid_out), spread(laid_out)
    with laid_out.silent(node), capture_logs() as lines:
        log = Start(laid_out.urls).store()
        told = [line["problem"] for line in lines if line["event"] == "node_away"]
        for each in range(MASTERS):
            assert can_work(log, places[each]) == (each != node)
    until(lambda: can_work(log, places[node]), what="the node is taken up")
    log.close()

    (problem,) = told
    assert f"127.0.0.1:{laid_out.ports[node]} " in problem


def test_a_node_that_was_silent_is_looked_at_before_it_is_used(laid_out: Cluster) -> None:
    """One that may evict histories is used as little as before, and it is said why, until that is mended."""
    node, places = aside(laid_out), spread(laid_out)
    laid_out.ask(node, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    laid_out.ask(node, "FUNCTION", "FLUSH")
    with laid_out.silent(node):
        log = RedisLog(laid_out.urls, games=["echo"])

    def problem() -> str:
        with pytest.raises(NodeAwayError) as told:
            log.acquire(places[node][0], owner="one", ttl_ms=60_000)
        return str(told.value)

    until(lambda: "noeviction" in problem(), what="it is said what is wrong")
    assert [] == laid_out.ask(node, "FUNCTION", "LIST", "LIBRARYNAME", LIBRARY)
    assert can_work(log, places[(node + 1) % MASTERS])
    with pytest.raises(StoreUnusableError):
        RedisLog(laid_out.urls, games=["echo"])
    laid_out.ask(node, "CONFIG", "SET", "maxmemory-policy", "noeviction")
    until(lambda: can_work(log, places[node]), what="the node is taken up")
    log.close()


def test_a_process_waits_for_the_node_that_tells_how_the_store_is_laid_out(laid_out: Cluster) -> None:
    """It says which node that is and what for, and starts by itself when it is back."""
    node, places = laid_out.holder(META), spread(laid_out)
    with capture_logs() as lines:
        with laid_out.silent(node):
            start = Start(laid_out.urls)
            until(lambda: lines, what="it is said")
            assert [] == start.found
        log = start.store()

    assert can_work(log, places[node])
    log.close()
    assert "store_failed" == lines[0]["event"]
    assert f"127.0.0.1:{laid_out.ports[node]} " in lines[0]["problem"]
    assert META in lines[0]["problem"]


def test_a_process_can_be_told_to_end_while_it_waits(laid_out: Cluster) -> None:
    """Though the only node that it was told of says nothing."""
    with laid_out.silent(0), capture_logs() as lines:
        start = Start(laid_out.url)
        until(lambda: lines, what="it is said")
        start.stop.set()
        until(lambda: not start.is_alive, what="it has ended")

    assert [] == start.found
    assert ["store_failed"] == [line["event"] for line in lines]


def test_a_store_that_is_not_opened_is_left_without_a_connection(laid_out: Cluster) -> None:
    """Whatever was asked of it before it proved to be unfit, and however long that is remembered."""
    with pytest.raises(StoreUnusableError) as told:
        RedisLog(laid_out.url, games=["echo"], epoch="another")

    assert told.value.__traceback__ is not None
    until(lambda: [1] * MASTERS == connections(laid_out), what="all connections are given back")


def connections(cluster: Cluster) -> list[int]:
    """Return how many clients each node has, who asks among them."""
    return [
        sum(b"lib-name" in line and b"flags=N" in line for line in cluster.ask(node, "CLIENT", "LIST").splitlines())
        for node in range(MASTERS)
    ]


def test_the_functions_come_back_at_a_node_beside_a_silent_one(laid_out: Cluster) -> None:
    """They are put where they are missing, and nobody waits for the node that cannot be asked."""
    node, places, log = aside(laid_out), spread(laid_out), RedisLog(laid_out.urls, games=["echo"])
    there = (node + 1) % MASTERS
    with laid_out.silent(node):
        laid_out.ask(there, "FUNCTION", "FLUSH")
        assert can_work(log, places[there])
    log.close()
