"""Memory goes back when a crowd has gone, and nobody waits for that on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.cli.serve import _children
from services.embedded.folder import DataFolder
from services.live.ebb import CROWD, PLAIN, Ebb
from tests.packaging.test_compose import SERVICES


def given_back(*counts: int) -> list[int]:
    """Return at which looks memory was given back."""
    looks: list[int] = []
    found: list[int] = []
    ebb = Ebb(lambda: found.append(len(looks)))
    for count in counts:
        ebb.rose(count)
        ebb.look(count)
        looks.append(count)
    return found


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ((0, 1_000, 1_000, 300, 300), [4]),
        ((1_000, 600, 400, 200, 10, 10, 10), [5]),
        ((1_000, 0, 0, 1_000, 0, 0), [2, 5]),
        ((CROWD - 1, 0, 0), []),
        ((1_000, 600, 600, 600), []),
    ],
    ids=["once", "not before the last have gone", "for each crowd", "not for a few", "not while many stay"],
)
def test_memory_goes_back(counts: tuple[int, ...], found: list[int]) -> None:
    """When at least half of a crowd is gone, and no more of it go."""
    assert found == given_back(*counts)


def test_a_crowd_that_nobody_saw_is_noticed() -> None:
    """It came and went between two looks."""
    given: list[str] = []
    ebb = Ebb(lambda: given.append("back"))
    ebb.look(0)
    ebb.rose(1_000)
    ebb.look(0)
    ebb.look(0)

    assert ["back"] == given


def test_who_starts_the_api_lets_it_give_memory_back(tmp_path: Path) -> None:
    """In containers and on one machine alike."""
    (tmp_path / "logs").mkdir()
    children = _children(DataFolder(tmp_path), {}, host="127.0.0.1", port=8000, workers=1)
    environments = {each.name: each._environment for each in children}  # noqa: SLF001  what it is started with

    assert PLAIN.items() <= SERVICES["api"]["environment"].items()
    assert PLAIN.items() <= environments["api"].items()
