"""
Replays recorded games where no clock and no chance can be asked: ``python -m tests.every_game.alone FILE...``.

Prints what ``verify`` says of each, and the digest of all that was shown.
"""

from __future__ import annotations

import os
import random
import secrets
import sys
import time
from pathlib import Path
from typing import NoReturn

from events.export import read_export
from projections.disputes.verify import verify
from tests.golden.recorded import SHELF, shown

CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time")
CHANCE = ("random", "randrange", "randint", "choice", "choices", "shuffle", "sample", "getrandbits", "Random")


class AskedError(BaseException):
    """A replay asked for what is outside of its history; no rule can swallow it."""


def refuse(*_: object, **_named: object) -> NoReturn:
    """Tell nothing."""
    raise AskedError


def forbid() -> None:
    """Make clocks and chance raise from now on."""
    for module, names in (
        (time, CLOCKS),
        (random, CHANCE),
        (os, ("urandom", "getrandom")),
        (secrets, ("token_bytes", "token_hex", "randbelow", "choice", "SystemRandom")),
    ):
        for name in names:
            setattr(module, name, refuse)


def main(files: list[Path]) -> None:
    """Load the rules, then replay without anything else."""
    read = [read_export(file.read_bytes()) for file in files]
    for manifest, _ in read:
        SHELF.current(manifest.game)
    forbid()
    for file, (manifest, entries) in zip(files, read, strict=True):
        print(file.name, verify(manifest.table, entries, SHELF).result, shown(manifest, entries))


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
