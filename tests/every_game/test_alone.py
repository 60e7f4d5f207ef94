"""A replay needs its history and nothing else: no clock, no chance, no order that a process happens to have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from events.games import GAMES
from tests.golden.recorded import digests, files

ROOT = Path(__file__).parents[2]
RECORDED = [file for game in GAMES for file in [each for each in files() if each.name.startswith(f"{game}-")][:1]]
"""One of each game that has any."""


@pytest.mark.parametrize("hash_seed", range(10))
def test_a_recorded_game_is_replayed_without_clock_and_chance(hash_seed: int) -> None:
    """Whatever the hash seed, verify and every view are as they were recorded."""
    done = subprocess.run(  # noqa: S603  this program itself
        [sys.executable, "-m", "tests.every_game.alone", *map(str, RECORDED)],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert [f"{file.name} verified {digests()[file.name]}" for file in RECORDED] == done.stdout.splitlines(), (
        done.stderr
    )


def test_what_a_replay_must_not_ask_is_refused() -> None:
    """The test above can fail: there a clock and every source of chance raise."""
    asked = (
        "import os, random, secrets, time; from tests.every_game.alone import AskedError, forbid; forbid()\n"
        "for ask in (time.time, time.monotonic, random.random, random.Random, os.urandom, secrets.token_bytes):\n"
        "    try: ask(8)\n"
        "    except AskedError: print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603  as above

    assert ["refused"] * 6 == done.stdout.splitlines()
