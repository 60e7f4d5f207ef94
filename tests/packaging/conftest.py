"""The package as anybody gets it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("events", "workers", "projections", "services", "seeds")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the package alone was installed to, as anybody would; nothing is downloaded."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    subprocess.run(  # noqa: S603  our own package
        [sys.executable, "-m", "pip", "install", *offline, "--target", str(folder / "site"), ".[gym]"],
        cwd=source,
        check=True,
    )
    return folder / "site"
