"""
A rule worker that ends itself at a certain point: ``python -m tests.chaos.dying URL TTL_MS before|after CALL NUMBER``.

``CALL`` is what it asks of the store; it dies at its ``NUMBER``-th call.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from events.log import redis_log
from tests.runtime.echo import learn
from tests.runtime.echo.rules import EchoShelf
from workers.runtime.work import work


def fatal(call: Callable[..., Any], side: str, number: int) -> Callable[..., Any]:
    """Return a call in which the process ends."""
    left = [number]

    def dying(*args: Any, **named: Any) -> Any:  # noqa: ANN401  whatever the call takes
        left[0] -= 1
        if left[0] == 0 and side == "before":
            os._exit(1)
        answer = call(*args, **named)
        if left[0] == 0:
            os._exit(1)
        return answer

    return dying


if __name__ == "__main__":
    url, ttl_ms, side, name, number = sys.argv[1:]
    setattr(redis_log.RedisLog, name, fatal(getattr(redis_log.RedisLog, name), side, int(number)))
    learn()
    work(url, ["echo"], shelf=EchoShelf(), ttl_ms=int(ttl_ms))
