"""Servers that all tests share: started when first asked for, one of each kind in a test process."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.clusters import Cluster, running_cluster
from tests.servers import HOW_TO_GET_REDIS, Server, redis_binary, running_server, valkey_binary

os.environ["COLUMNS"] = "200"
"""What is printed as tables is as wide wherever tests run."""

settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")
"""What is drawn may take as long as it takes: machines stand still for a moment now and then."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make test`` say which programs this machine lacks."""
    parser.addoption("--without", action="append", default=[], help="leave out tests that need this program")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a program that is said to be missing; without that word such a test fails and says so."""
    missing = set(config.getoption("--without"))
    left_out = [item for item in items if missing & _needs(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _needs(item: pytest.Item) -> set[str]:
    """Return the programs a test needs: as marked, and for what its fixtures start."""
    marked = {str(mark.args[0]) for mark in item.iter_markers("needs")}
    parameters = (
        item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    )
    uses_redis = "redis7" in getattr(item, "fixturenames", ()) or "redis7" in parameters
    return marked | ({"redis-server"} if uses_redis else set())


@pytest.fixture(autouse=True)
def _log_of_its_own() -> Iterator[None]:
    """Let no later test write its log where one did that has ended."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a running Valkey 9."""
    with running_server(valkey_binary(), tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture(scope="session")
def redis7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a running Redis 7.0 as Debian ships it."""
    binary = redis_binary()
    if binary is None:
        pytest.fail(HOW_TO_GET_REDIS)
    with running_server(binary, tmp_path_factory.mktemp("redis7")) as server:
        yield server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a running Valkey cluster of three masters."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as formed:
        yield formed
