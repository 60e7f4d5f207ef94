"""Runs a rule worker until it is told to stop."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from threading import Event
from typing import Final

import structlog

from events.games import GAMES
from events.log.redis_log import RedisLog
from events.log.store import StoreAwayError
from workers.games import GamesShelf
from workers.runtime.leases import TTL_MS, Leases
from workers.runtime.loop import PAUSE_S, run
from workers.tables.state import RulesShelf

RARELY: Final = (20_000, 50, 100)
"""When to look for garbage in circles: states are values and make none, and a pass over all tables takes long."""


def owner_name() -> str:
    """Return a name that no other worker has, and that tells an operator where to look."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def log_to_stderr(owner: str) -> None:
    """Write one JSON object per line to the standard error, each with the worker's name."""

    def named(_logger: object, _method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        line["owner"] = owner
        return line

    structlog.configure(
        processors=[
            named,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.dict_tracebacks,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
    )


def work(url: str, games: Sequence[str] = GAMES, *, shelf: RulesShelf | None = None, ttl_ms: int = TTL_MS) -> None:
    """
    Decide the commands of some games until SIGTERM or SIGINT, then hand the partitions over.

    Args:
        url: of the store, such as ``redis://localhost:6379/0``.
        games: all of this program by default.
        shelf: where the rules stand; those of this program by default.
        ttl_ms: how long others wait for a worker that vanished.

    Raises ``StoreUnusableError`` with what to do when the store is not fit.
    """
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    owner = owner_name()
    log_to_stderr(owner)
    store = _opened(url, games, stop)
    if store is None:
        return
    gc.set_threshold(*RARELY)
    try:
        leases = Leases(store, games, owner=owner, ttl_ms=ttl_ms)
        run(store, shelf or GamesShelf(), leases, stop)
    finally:
        store.close()


def _opened(url: str, games: Sequence[str], stop: Event) -> RedisLog | None:
    """Return the store as soon as it can be reached, or ``None`` when told to stop before."""
    reported = False
    while not stop.is_set():
        try:
            return RedisLog(url, games=games)
        except StoreAwayError as fault:
            if not reported:
                structlog.get_logger().warning("store_awaited", problem=str(fault))
                reported = True
            stop.wait(PAUSE_S)
    return None


if __name__ == "__main__":
    work(os.environ.get("REDIS_URL", "redis://localhost:6379/0"), sys.argv[1:] or GAMES)
