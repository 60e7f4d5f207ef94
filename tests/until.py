"""Waits for what other threads and processes bring about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 60.0
"""Longer than anything takes that comes at all, on a machine that stands still for seconds now and then."""


def until(condition: Callable[[], T | None], *, what: str, timeout: float = PATIENCE_S) -> T:
    """Return the first true value of the condition; ``AssertionError`` says what was waited for in vain."""
    give_up = time.monotonic() + timeout
    pause = 0.001
    while not (found := condition()):
        if time.monotonic() > give_up:
            raise AssertionError(f"waited {timeout:g} s in vain until {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)
    return found
