"""The store in all its forms, empty for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from events import games
from events.log import cluster_nodes
from events.log.memory import MemoryLog
from events.log.redis_log import RedisLog
from tests.clusters import Cluster
from tests.runtime.desk import Desk
from tests.runtime.echo import learn
from tests.servers import Server
from tests.until import PATIENCE_S

Log = MemoryLog | RedisLog


@pytest.fixture(autouse=True)
def _echo_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the game of echoes known while a test of this folder runs, and no longer."""
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()


def emptied(server: Server | Cluster) -> str:
    """Return the address of a server, or of a cluster, after everything was removed from it."""
    if isinstance(server, Cluster):
        server.flush()
        return server.url
    with redis.Redis.from_url(server.url) as client:
        client.flushall()
    return server.url


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nodes of a cluster waited for, which stand still for seconds now and then."""
    monkeypatch.setattr(cluster_nodes, "ANSWER_S", PATIENCE_S)


@pytest.fixture(params=["memory", "valkey", "redis7", "cluster"])
def log(request: pytest.FixtureRequest, patient: None) -> Iterator[Log]:
    """Return an empty store with four partitions of the game ``nains``."""
    opened: Log
    if request.param == "memory":
        opened = MemoryLog(games=["nains"])
    else:
        opened = RedisLog(emptied(request.getfixturevalue(request.param)), games=["nains"])
    yield opened
    opened.close()


@pytest.fixture
def on_valkey(valkey: Server) -> Iterator[RedisLog]:
    """Return an empty store on Valkey."""
    opened = RedisLog(emptied(valkey), games=["nains"])
    yield opened
    opened.close()


@pytest.fixture(params=["memory", "valkey", "cluster"])
def desk(request: pytest.FixtureRequest, patient: None) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes."""
    opened: Log
    if request.param == "memory":
        opened = MemoryLog(games=["echo"])
    else:
        opened = RedisLog(emptied(request.getfixturevalue(request.param)), games=["echo"])
    made = Desk(opened)
    yield made
    made.close()
    opened.close()
