"""One house for each file of tests, and a live door for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.live.door import Door, a_door
from tests.services.house import House, a_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return rules and views at work over a store of their own."""
    with a_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    """Return the live door of an API process of its own."""
    async with a_door(house) as door:
        yield door
