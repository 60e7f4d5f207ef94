"""The loop of a projection worker: round after round, whatever becomes of the store."""

from __future__ import annotations

from contextlib import suppress
from threading import Event
from typing import Final

import structlog

from events.log.store import StoreAwayError, StoreUnusableError
from events.process import PAUSE_S
from projections.runtime.projector import Projector
from projections.runtime.shares import Shares

BLOCK_MS: Final = 1_000
"""How long a read waits for commits; a process told to stop ends after at most so long."""

log = structlog.get_logger()


def run(projector: Projector, shares: Shares, stop: Event, *, block_ms: int = BLOCK_MS) -> None:
    """
    Work on this process's share until told to stop.

    A store that is away, or was lost, is told once and taken up again when it is back.
    """
    trouble: str | None = None
    while not stop.is_set():
        try:
            projector.take(shares.mine())
            projector.round(block_ms=block_ms)
        except (StoreAwayError, StoreUnusableError) as fault:
            projector.forget()
            if trouble is None:
                log.warning("store_failed", problem=str(fault), kind=type(fault).__name__)
            trouble = str(fault)
            stop.wait(PAUSE_S)
        else:
            if trouble is not None:
                log.info("store_is_back")
            trouble = None
    with suppress(StoreAwayError, StoreUnusableError):
        shares.leave()
