"""Waiting in tests: for a condition, never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 10.0
PAUSE_S = 0.01


def until(condition: Callable[[], T | None], *, what: str, within: float = PATIENCE_S) -> T:
    """Return the condition's first true value; ``AssertionError`` when it does not come in time."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {within} s for {what}")
        time.sleep(PAUSE_S)
    return value


async def soon(condition: Callable[[], Awaitable[T | None]], *, what: str, within: float = PATIENCE_S) -> T:
    """Return the asynchronous condition's first true value; ``AssertionError`` when it does not come in time."""
    deadline = time.monotonic() + within
    while not (value := await condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {within} s for {what}")
        await asyncio.sleep(PAUSE_S)
    return value
