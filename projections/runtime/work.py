"""The loop of a projection worker: round after round, whatever becomes of the store."""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event
from typing import Final

import structlog

from events.log.errors import DamagedError, StoreAwayError, StoreUnusableError
from events.process import PAUSE_S
from events.streams import Partition
from projections.runtime.projector import Projector
from projections.runtime.shares import Shares

BLOCK_MS: Final = 1_000
"""How long a read waits for commits; a process told to stop ends after at most so long."""

STALL_S: Final = 2.0
"""How long partitions are left alone whose keys are damaged."""

log = structlog.get_logger()


def run(projector: Projector, shares: Shares, stop: Event, *, block_ms: int = BLOCK_MS) -> None:
    """
    Work on this process's share until told to stop.

    A store that is away, or was lost, is told once and taken up again when it is back.
    So is a node of a cluster, while what lies on others goes on.
    Partitions whose keys are damaged stand still, and others go on.
    """
    trouble: Exception | None = None
    stalled: dict[Partition, float] = {}
    while not stop.is_set():
        try:
            stalled = {partition: until for partition, until in stalled.items() if until > time.monotonic()}
            projector.take([each for each in shares.mine() if each not in stalled])
            projector.round(block_ms=block_ms)
            trouble = _told(projector.trouble, before=trouble)
        except DamagedError as fault:
            projector.forget()
            stalled |= _stalled(projector, fault)
            stop.wait(0.0 if stalled else PAUSE_S)
        except (StoreAwayError, StoreUnusableError) as fault:
            projector.forget()
            trouble = _told(fault, before=trouble)
            stop.wait(PAUSE_S)
    with suppress(StoreAwayError, StoreUnusableError):
        shares.leave()


def _told(now: Exception | None, *, before: Exception | None) -> Exception | None:
    """Log that the store fails, or no longer does, when that is new; return what it fails with."""
    if now is not None and before is None:
        log.warning("store_failed", problem=str(now), kind=type(now).__name__)
    if now is None and before is not None:
        log.info("store_is_back")
    return now


def _stalled(projector: Projector, fault: DamagedError) -> dict[Partition, float]:
    """Return until when to leave which partitions alone; none where it is not known which are damaged."""
    damaged: dict[Partition, str] = {}
    with suppress(StoreAwayError, StoreUnusableError):
        damaged.update(projector.damaged())
    for partition, problem in damaged.items():
        log.error("partition_damaged", partition=partition.tag, problem=problem)
    if not damaged:
        log.error("keys_damaged", problem=str(fault))
    return dict.fromkeys(damaged, time.monotonic() + STALL_S)
