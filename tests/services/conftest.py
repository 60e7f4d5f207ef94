"""One house for each file of tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.services.house import Client, House, a_house, client_of


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return rules and views at work over a store of their own."""
    with a_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
async def client(house: House) -> AsyncIterator[Client]:
    """Return a client of an API process of its own."""
    async with client_of(house) as client:
        yield client
