"""A new game is laid in one go, plays at once, and passes every check that games must pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli.__main__ import program
from services.scaffold.lay import ROOMS, NameTakenError, WrongRootError, lay_game

ROOT = Path(__file__).parents[2]
PARTS = (
    "events",
    "workers",
    "projections",
    "services",
    "seeds",
    "tests",
    "docs",
    "Makefile",
    "pyproject.toml",
    "compose.yaml",
    "requirements.txt",
    ".env.example",
)
BIN = Path(sys.executable).parent
DOORS = "tests/services/test_gym.py", "tests/services/test_api_description.py"
"""What services tell of every game."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository to lay games in."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / part)
    return tmp_path


def _run(folder: Path, *command: str) -> str:
    # `make test`, under which this may run, tells makes below it what they are to print and do.
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    environment = {**apart, "PYTHONPATH": str(folder)}
    done = subprocess.run(  # noqa: S603  tools of this project
        [BIN / command[0], *command[1:]], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def _make(folder: Path, *words: str) -> str:
    """Make something in a folder whose ``.venv`` is there already, as this one."""
    make = shutil.which("make")
    assert make, "make is missing; install it with: apt-get install make"
    return _run(folder, make, f"BIN={BIN}", "READY=ready", *words)


@pytest.mark.timeout(300)
def test_a_new_game_passes_every_check(copy: Path) -> None:
    """What `make` writes is formatted, typed, contracted, and plays random tables that break nothing."""
    (copy / "ready").touch()
    told = _make(copy, "new-game", "NAME=zatrikion").splitlines()
    folders = [f"{room}/zatrikion" for room in ROOMS]
    pages = [f"docs/{page}" for page in (*re.findall(r"docs/([\w/-]+\.md)", told[-1]), "games/zatrikion.md")]

    assert [True] * len(folders) == [any(line.startswith(f"{folder}/") for line in told) for folder in folders]
    assert told[-1].startswith("Now: make test, then make zatrikion your own: docs/")
    assert all((copy / page).is_file() for page in pages), pages
    assert "" == _make(copy, "--question", "ready"), "what is installed is not installed anew"
    laid = [*folders, "services/bots/gym/zatrikion.py"]
    _run(copy, "ruff", "check", *laid, "events/games.py")
    _run(copy, "ruff", "format", "--check", *laid)
    _run(copy, "mypy", *laid)
    _run(copy, "lint-imports")
    contracts = ("tests/every_game", "tests/golden", "tests/packaging", "tests/projections/test_tellings.py", *DOORS)
    _run(copy, "pytest", "-q", "-p", "no:cacheprovider", *contracts, "-k", "zatrikion or compose or worker or option")
    _run(
        copy,
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/zatrikion",
        "tests/docs/test_messages.py",
        "tests/docs/test_codes.py",
    )


@pytest.mark.parametrize("name", ["", "1st", "Chess", "chess-960", "class", "x" * 21, "nains", "../up", "shapes"])
def test_a_bad_name_writes_nothing(copy: Path, name: str) -> None:
    """A name that cannot be a module, or is taken, is refused before anything is touched."""
    before = sorted(copy.rglob("*"))

    with pytest.raises(NameTakenError):
        lay_game(name, copy)

    assert before == sorted(copy.rglob("*"))


def test_a_page_that_is_there_is_not_written_over(copy: Path) -> None:
    """Whoever began with what the game is about keeps that."""
    page = copy / "docs" / "games" / "zatrikion.md"
    page.write_text("# My own")

    with pytest.raises(NameTakenError, match=r"docs/games/zatrikion\.md is there already"):
        lay_game("zatrikion", copy)

    assert "# My own" == page.read_text()


def test_a_folder_that_is_no_repository_stays_as_it_is(tmp_path: Path) -> None:
    """It is said what is missing there, and how to name the right one."""
    told = CliRunner().invoke(program(), ["new-game", "zatrikion", "--root", str(tmp_path)], env={"COLUMNS": "500"})

    assert 2 == told.exit_code, told.output
    assert f"{tmp_path} is not the root of Fidchell's repository: no {tmp_path / 'events' / 'games.py'}" in told.output
    assert "nothing was written. Say where it is with --root." in told.output
    assert [] == list(tmp_path.iterdir())


def test_a_game_that_cannot_be_laid_whole_leaves_nothing_behind(copy: Path) -> None:
    """Files that were there are as they were, and no folder is new."""
    shutil.rmtree(copy / "workers")
    (copy / "workers").write_text("no folder")
    before = {each: each.read_bytes() if each.is_file() else None for each in copy.rglob("*")}

    with pytest.raises(WrongRootError, match="cannot be written: Not a directory"):
        lay_game("zatrikion", copy)

    assert before == {each: each.read_bytes() if each.is_file() else None for each in copy.rglob("*")}
