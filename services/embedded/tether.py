"""
Runs a program that ends with whoever started it, even when that one is killed.

``python tether.py <pid of the starter> <program> [argument ...]``
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def tethered(*program: str) -> list[str]:
    """Return the command line that runs a program tethered to this process; start it from a thread that stays."""
    return [sys.executable, "-I", __file__, str(os.getpid()), *program]


def become(starter: int, program: Sequence[str]) -> None:
    """Turn this process into the program, which gets SIGTERM when the starter is gone (on Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == starter:  # it may have gone before it could be watched
        os.execv(program[0], list(program))  # noqa: S606  no shell is wanted


if __name__ == "__main__":
    become(int(sys.argv[1]), sys.argv[2:])
