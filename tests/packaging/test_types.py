"""Whoever installs the package is told its types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.packaging.conftest import ROOMS

PROGRAM = """
from services.client import Client

client = Client("http://127.0.0.1:8000", "key")
reveal_type(client.view("nains-x"))
reveal_type(client.take_seat)
client.view(7)
"""


def checked(site: Path, program: str) -> list[str]:
    """Return what a type checker says of a program that finds the installed package before anything else."""
    file = site.parent / "program.py"
    file.write_text(program)
    done = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", site.parent / "cache", file.name],
        check=False,
        capture_output=True,
        text=True,
        cwd=file.parent,
        env={"PYTHONPATH": str(site)},
    )
    return [line.partition(": ")[2] for line in (done.stdout + done.stderr).splitlines() if line.startswith(file.name)]


def test_a_program_is_told_the_types_of_the_client(installed: Path) -> None:
    """What a call gives, and that it does not take just anything."""
    view, take, wrong = checked(installed, PROGRAM)

    assert 'note: Revealed type is "services.client.views.TableView"' == view
    assert "services.client.results.SeatGiven" in take
    assert wrong.startswith('error: Argument 1 to "view" of "Client" has incompatible type "int"')


def test_every_room_has_its_types(installed: Path) -> None:
    """None of them is taken for one without; nothing but rooms is installed."""
    program = "".join(f"import {room}\n" for room in ROOMS)

    assert [] == checked(installed, program)
    assert set(ROOMS) == {path.parent.name for path in installed.glob("*/__init__.py")}
