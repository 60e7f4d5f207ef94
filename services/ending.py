"""Ends tasks for sure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

AGAIN_S: Final = 0.1


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """
    Cancel tasks and return when all have ended.

    One cancellation may get lost: ``asyncio.wait_for`` of Python 3.11, which the Redis client uses, drops one that
    comes together with its result.
    """
    left = {each for each in tasks if not each.done()}
    while left:
        for each in left:
            each.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_S)
