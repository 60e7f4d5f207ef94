"""Servers that all tests share: started when first asked for, one of each kind in a test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import HOW_TO_GET_REDIS, Server, redis_binary, running_server, valkey_binary


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
