"""The doors answer as their description says, whatever is sent: no fault of theirs, no shape that is not described."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.described import OPERATIONS, Service, send, service
from tests.services.house import House

SAMPLE = 12
SOAK = 600


@pytest.fixture(scope="module")
def running(house: House) -> Iterator[Service]:
    """Return a running API."""
    with service(house) as found:
        yield found


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(running: Service, method: str, path: str) -> None:
    """A sample of good and bad requests, the same at every run."""
    send(running, method, path, examples=SAMPLE, number=None)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described_for_long(running: Service, method: str, path: str, number: int) -> None:
    """Many more, drawn anew by each number."""
    send(running, method, path, examples=SOAK, number=number)
