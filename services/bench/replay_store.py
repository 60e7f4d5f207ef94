"""How fast histories are read from a store and folded."""

from __future__ import annotations

import time
from typing import Final

from events.commit import read_entry
from events.streams import partition_of
from projections.disputes.verify import fold, shelf_of_program
from services.bench.bus import GAME, commands, running_bus, send
from services.bench.measure import Bench

FLOOR: Final = 60_000.0
GOAL: Final = 150_000.0
"""Events per second."""


def replay_store() -> Bench:
    """Return the bench of histories in a store."""
    return Bench(
        name="replay-store",
        about=f"histories of {GAME} in a store: read, decoded and folded to the last state",
        unit="events/s",
        limit_name="the same histories read, not decoded",
        floor=FLOOR,
        goal=GOAL,
        run=_replay_store,
    )


def _replay_store(quick: bool) -> tuple[float, float]:
    sent = commands(quick)
    tables = list(dict.fromkeys(table for table, _ in sent))
    with running_bus("fast") as log:
        send(log, sent)
        places = [(partition_of(table, len(log.partitions(GAME))), table) for table in tables]
        shelf_of_program().current(GAME)
        began = time.perf_counter()
        events = sum(
            fold(table, [read_entry(each) for each in log.history(place, table)], shelf_of_program()).version
            for place, table in places
        )
        replayed = time.perf_counter() - began
        began = time.perf_counter()
        for place, table in places:
            log.history(place, table)
        return events / replayed, events / (time.perf_counter() - began)
