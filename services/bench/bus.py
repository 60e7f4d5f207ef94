"""How fast commands go through the streams, the rules and the projections, with processes of their own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache, partial
from itertools import chain, count, islice, zip_longest
from pathlib import Path
from typing import Final, Literal
from uuid import uuid4

from events.codec import pack, raw
from events.commit import Envelope
from events.log.redis_log import RedisLog
from events.streams import Partition, partition_of
from events.tables.commands import OpenTable
from events.tables.vocabulary import Actor
from projections.tables.projections import CHRONICLE, VIEWS
from services.bench.measure import Bench
from services.bench.stage import process, until
from services.bots.simulation.run import Order, wishes
from services.embedded.server import EmbeddedServer
from services.embedded.settings import Durability

GAME: Final = "nains"
AT_ONCE: Final = 50
"""Tables that are played at the same time."""
AHEAD: Final = 2_000
"""Commands that may wait, so that the doors never push back."""
PIECE: Final = 250

Sent = Sequence[tuple[str, bytes]]
Rules = Literal["real", "echo"]


def bus(durability: Durability, *, floor: float, goal: float) -> Bench:
    """Return the bench of commands through to the views of every viewpoint."""
    return Bench(
        name=f"bus-{durability}",
        about=f"{AT_ONCE} tables of {GAME}: commands to views of every viewpoint, AOF {durability}",
        unit="commands/s",
        limit_name="the same commands to their commits, no projections",
        floor=floor,
        goal=goal,
        run=partial(_bus, durability),
    )


def worker(durability: Durability, *, floor: float, goal: float) -> Bench:
    """Return the bench of commands through to their commits, beside rules that only echo."""
    return Bench(
        name=f"worker-{durability}",
        about=f"{AT_ONCE} tables of {GAME}: commands to commits, AOF {durability}",
        unit="commands/s",
        limit_name="the same commands and worker, with rules that only echo",
        floor=floor,
        goal=goal,
        floor_ratio=0.7,
        run=partial(_worker, durability),
    )


def _bus(durability: Durability, quick: bool) -> tuple[float, float]:
    sent = _commands(quick)
    return _rate(sent, durability, "real", views=True), _rate(sent, durability, "real", views=False)


def _worker(durability: Durability, quick: bool) -> tuple[float, float]:
    sent = _commands(quick)
    return _rate(sent, durability, "real", views=False), _rate(sent, durability, "echo", views=False)


@cache
def _commands(quick: bool) -> Sent:
    """Return commands of whole tables as (table, envelope), those of 50 tables at a time taking turns."""
    tables = wishes(Order(game=GAME, seats=4, tables=AT_ONCE if quick else 4 * AT_ONCE, seed=21))
    groups = [tables[first : first + AT_ONCE] for first in range(0, len(tables), AT_ONCE)]
    turns = chain.from_iterable(chain.from_iterable(zip_longest(*group)) for group in groups)
    return [
        (table, pack(Envelope(number.to_bytes(16, "big"), table, wish.actor, raw(wish.command))))
        for number, (table, wish) in enumerate(each for each in turns if each is not None)
    ]


def _rate(sent: Sent, durability: Durability, rules: Rules, *, views: bool) -> float:
    """Send all commands and return how many a second were through."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fidchell-")))
        server = stack.enter_context(EmbeddedServer(folder / "data", durability=durability, tell=lambda _: None))
        log = RedisLog(server.url, games=[GAME])
        stack.callback(log.close)
        partitions = log.partitions(GAME)
        echo = ["echo"] if rules == "echo" else []
        # The rehearsing worker's secrets are all zero, as those of the recorded commands are.
        stack.enter_context(process("-m", "workers.runtime.rehearsal", server.url, GAME, *echo))
        if views:
            stack.enter_context(process("-m", "services.cli", "project", GAME, "--url", server.url))
        warm = _warm_up(log, partitions, views=views)
        began = time.perf_counter()
        for first in range(0, len(sent), PIECE):
            piece = sent[first : first + PIECE]
            log.submit_all([(partition_of(table, len(partitions)), envelope) for table, envelope in piece])
            until(partial(_caught_up, log, partitions, warm + first - AHEAD))
        until(lambda: _committed(log, partitions) >= warm + len(sent))
        if views:
            until(lambda: _projected(log, partitions) >= warm + len(sent))
        return len(sent) / (time.perf_counter() - began)


def _warm_up(log: RedisLog, partitions: Sequence[Partition], *, views: bool) -> int:
    """Open a table in every partition and wait until it is through; return how many that were."""
    names = (f"{GAME}-warm{number}" for number in count())
    homes = {partition_of(name, len(partitions)): name for name in islice(names, 50 * len(partitions))}
    opening = raw(OpenTable(game=GAME, seats=2))
    log.submit_all(
        [
            (partition, pack(Envelope(uuid4().bytes, homes[partition], Actor("platform", "bench"), opening)))
            for partition in partitions
        ]
    )
    until(lambda: (_projected if views else _committed)(log, partitions) >= len(partitions))
    return len(partitions)


def _caught_up(log: RedisLog, partitions: Sequence[Partition], commits: int) -> bool:
    return _committed(log, partitions) > commits


def _committed(log: RedisLog, partitions: Sequence[Partition]) -> int:
    return sum(log.feed_end(partition) for partition in partitions)


def _projected(log: RedisLog, partitions: Sequence[Partition]) -> int:
    return sum(min(log.position(partition, name) for name in (VIEWS, CHRONICLE)) for partition in partitions)
