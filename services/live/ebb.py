"""Gives memory back to the system when a crowd of sockets has gone (docs/decisions/0018-memory-goes-back.md)."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

import structlog

PLAIN: Final[Mapping[str, str]] = {"PYTHONMALLOC": "malloc"}
"""Environment in which a process can give back what it no longer uses; Python's own allocator keeps most of it."""

CROWD: Final = 100
"""Sockets that have to be gone before it is worth a look at everything there is."""

THRESHOLDS: Final = (10_000, 5, 2)
"""
How many new objects make a search for garbage among them, how many of those one among the older, and so on to all.

With Python's own (700, 10, 10) what comes and goes with each message makes a search now and again that finds nothing,
and that is a twentieth of all time; everything is searched about as often as with them.
"""

log = structlog.get_logger()


def settle() -> None:
    """Look for garbage seldom, and not in all there is by now: what a program is made of stays anyway."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def give_back() -> None:
    """Give back the memory of what is garbage; where the C library cannot, only let go of it."""
    began = time.monotonic()
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
    log.info("memory_given_back", ms=round(1000 * (time.monotonic() - began), 1))


class Ebb:
    """Watches how many sockets there are, and gives memory back once when most of the many have gone."""

    def __init__(self, give_back: Callable[[], None] = give_back) -> None:
        self._give_back = give_back
        self._most = 0
        self._before = 0

    def rose(self, count: int) -> None:
        """Note that there are more now: a crowd may have gone before anybody looks."""
        self._most = max(self._most, count)

    def look(self, count: int) -> None:
        """Look how many there are now; while they still go it is too early."""
        still_go, self._before = count < self._before, count
        if not still_go and self._most - count >= CROWD and 2 * count <= self._most:
            self._most = count
            self._give_back()
