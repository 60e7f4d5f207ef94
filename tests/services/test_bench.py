"""What ``fidchell bench`` says of a floor that is missed, and that it measures sockets."""

from __future__ import annotations

from typing import cast

import msgspec
import pytest
from typer.testing import CliRunner

from services.bench import socket, words
from services.bench.line import Hearer, Line
from services.bench.measure import Bench, Measure
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


@pytest.fixture
def _benches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one bench that meets its floor, and two that do not."""
    made = [a_bench("good", floor=10), a_bench("slow", floor=11), a_bench("far", floor=10, floor_ratio=0.6)]
    monkeypatch.setattr(words, "benches", lambda: made)


@pytest.mark.usefixtures("_benches")
@pytest.mark.parametrize(
    ("options", "code"),
    [([], 1), (["--json"], 1), (["--quick"], 0), (["good"], 0), (["good", "slow"], 1), (["far"], 1)],
)
def test_a_missed_floor_ends_with_1(options: list[str], code: int) -> None:
    """So that a script finds out; a quick run is too short for that."""
    assert code == CliRunner().invoke(program(), ["bench", *options]).exit_code


@pytest.mark.usefixtures("_benches")
def test_the_names_of_the_measurements_are_told() -> None:
    """By its help; nobody has to guess a wrong one to see them."""
    told = CliRunner().invoke(program(), ["bench", "--help"]).output

    assert "Measurements: good, slow, far." in told


@pytest.mark.usefixtures("_benches")
def test_what_missed_its_floor_is_named() -> None:
    """Behind the table, and none that met it."""
    told = CliRunner().invoke(program(), ["bench"])

    assert "Missed the floor: slow, far." in told.stderr


class Answered:
    """A socket that hears an answer to whatever it says, one of those that are ``open``."""

    def __init__(self, hearer: Hearer, held: set[Answered]) -> None:
        self._hearer = hearer
        self._open = held
        held.add(self)

    def say(self, payload: bytes) -> None:
        self._hearer.heard(cast("Line", self), payload)

    def close(self) -> None:
        self._open.discard(self)


async def test_no_socket_outlives_its_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is open when the event loop is closed may keep it from that for ever."""
    held: set[Answered] = set()
    most = 0

    async def open_line(hearer: Hearer, port: int, path: str) -> Line:
        return cast("Line", Answered(hearer, held))

    def rss(pid: int) -> int:
        nonlocal most
        most = max(most, len(held))
        return 1024 * len(held)

    monkeypatch.setattr(socket, "open_line", open_line)
    monkeypatch.setattr(socket, "_rss", rss)

    assert pytest.approx(1.0) == await socket._memory(1, 1, 10, {"token": ""})  # noqa: SLF001  what the bench runs
    assert (10, set()) == (most, held)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_what_is_measured_of_sockets_is_there() -> None:
    """Each figure and its limit, as `make bench` takes them, but for how long."""
    names = ["socket-moves", "socket-p99", "socket-idle"]
    done = CliRunner().invoke(program(), ["bench", "--quick", "--json", *names])
    found = msgspec.json.decode(done.stdout, type=list[Measure])

    assert 0 == done.exit_code
    assert names == [each.name for each in found]
    assert all(each.value > 0 and each.limit > 0 for each in found)
