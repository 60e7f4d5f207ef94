"""Runs every check this machine can, and names what it lacks for the others: ``make test``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "import contracts": ["lint-imports"],
}

TOOLS = {
    "redis-server": "apt-get install redis-server",
    "node": "apt-get install nodejs",
}
"""Programs some tests need, and how to get them."""


STOPPED = 130
"""What a program returns that ends on Ctrl-C."""


def main() -> int:
    """Run all checks, print what they found, and return 0 when all that ran are content."""
    try:
        return check()
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
        return STOPPED


def check() -> int:
    """Run them, whatever stops them."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and os.environ.get("CI"):
        print(f"CI must leave no check out, but lacks {', '.join(missing)}")
        return 1
    failed = [name for name, command in CHECKS.items() if not _passes(name, command)]
    if not _passes("tests", ["pytest", "-n", "auto", *(f"--without={tool}" for tool in missing)], quiet=False):
        failed.append("tests")
    for tool in missing:
        print(f"NOT RUN: tests that need {tool}; to run them too: {TOOLS[tool]}")
    print(f"FAILED: {', '.join(failed)}" if failed else "All checks passed.", flush=True)
    return 1 if failed else 0


def _passes(name: str, command: list[str], *, quiet: bool = True) -> bool:
    print(f"{name} ...", flush=True)
    began = time.monotonic()
    done = subprocess.run(  # noqa: S603  the commands above, nothing from outside
        [BIN / command[0], *command[1:]],
        cwd=ROOT,
        check=False,
        text=True,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    if done.returncode != 0 and quiet:
        print(done.stdout)
    print(f"{name}: {'passed' if done.returncode == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
