"""Tables that are played without a store, from the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.__main__ import program


def simulate(*typed: str, code: int = 0) -> str:
    result = CliRunner().invoke(program(), ["simulate", "nains", "--tables", "2", *typed], env={"COLUMNS": "500"})
    assert code == result.exit_code, result.output
    return result.output


def test_each_table_is_recorded_in_a_folder_that_is_made(tmp_path: Path) -> None:
    """With all folders above it."""
    simulate("--record", str(tmp_path / "of" / "today"))

    assert 2 == len(list((tmp_path / "of" / "today").glob("*.fidchell")))


@pytest.mark.parametrize("place", ["/proc/nowhere", "file", "file/below"])
def test_a_folder_that_cannot_be_is_refused_before_anything_is_played(tmp_path: Path, place: str) -> None:
    """As whatever else was typed wrong; however many tables were to be played."""
    (tmp_path / "file").touch()
    told = simulate("--tables", "1000000000", "--record", str(tmp_path / place), code=2)

    assert "--record" in told
    assert str(tmp_path / place) in told
