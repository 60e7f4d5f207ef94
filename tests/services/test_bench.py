"""What ``fidchell bench`` says of a floor that is missed."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from services.bench import words
from services.bench.measure import Bench
from services.cli.__main__ import program


def a_bench(name: str, *, floor: float, floor_ratio: float = 0.0) -> Bench:
    """Return a bench whose figure is always 10, of a limit of 20."""
    return Bench(
        name=name,
        about=name,
        unit="a second",
        limit_name="nothing",
        floor=floor,
        goal=100,
        run=lambda _quick: (10.0, 20.0),
        floor_ratio=floor_ratio,
    )


@pytest.fixture(autouse=True)
def _benches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one bench that meets its floor, and two that do not."""
    made = [a_bench("good", floor=10), a_bench("slow", floor=11), a_bench("far", floor=10, floor_ratio=0.6)]
    monkeypatch.setattr(words, "benches", lambda: made)


@pytest.mark.parametrize(
    ("options", "code"),
    [([], 1), (["--json"], 1), (["--quick"], 0), (["good"], 0), (["good", "slow"], 1), (["far"], 1)],
)
def test_a_missed_floor_ends_with_1(options: list[str], code: int) -> None:
    """So that a script finds out; a quick run is too short for that."""
    assert code == CliRunner().invoke(program(), ["bench", *options]).exit_code


def test_the_names_of_the_measurements_are_told() -> None:
    """By its help; nobody has to guess a wrong one to see them."""
    told = CliRunner().invoke(program(), ["bench", "--help"]).output

    assert "Measurements: good, slow, far." in told


def test_what_missed_its_floor_is_named() -> None:
    """Behind the table, and none that met it."""
    told = CliRunner().invoke(program(), ["bench"])

    assert "Missed the floor: slow, far." in told.stderr
