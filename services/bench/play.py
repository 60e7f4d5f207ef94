"""How fast tables are played and replayed in one process."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from events.codec import event_codec
from events.commit import Commit, Entry
from events.export import read_export
from projections.disputes.verify import fold, shelf_of_program
from services.bench.measure import Bench
from services.bots.simulation.run import Order, exports, simulate

SEATS: Final = 4
"""Seats of the tables measured."""
RANDOM_FLOORS: Final = {"nains": (25_000.0, 80_000.0), "inori": (25_000.0, 80_000.0), "inis": (12_000.0, 24_000.0)}
"""Actions per second on one core: what must be reached, and what shall be."""
OTHER_FLOORS: Final = (10_000.0, 20_000.0)
TABLES: Final = 150
LONG_TABLES: Final = {"inis": 10}
"""Tables played in one run; fewer where random players take long to end."""
REPLAY_FLOORS: Final = (120_000.0, 300_000.0)
"""Events per second from export files."""


def random_play(game: str) -> Bench:
    """Return the bench of random tables of a game."""
    floor, goal = RANDOM_FLOORS.get(game, OTHER_FLOORS)
    return Bench(
        name=f"random-{game}",
        about=f"random tables of {game}: offer, choose, decide and apply, in one process",
        unit="actions/s",
        limit_name="the same histories folded, nothing offered or decided",
        floor=floor,
        goal=goal,
        run=partial(_random_play, game),
    )


def replay_file(game: str) -> Bench:
    """Return the bench of export files of a game."""
    floor, goal = REPLAY_FLOORS
    return Bench(
        name=f"replay-file-{game}",
        about=f"export files of {game}: read, decoded and folded to the last state",
        unit="events/s",
        limit_name="the same events decoded, not folded",
        floor=floor,
        goal=goal,
        run=partial(_replay_file, game),
    )


def _order(game: str, *, quick: bool) -> Order:
    tables = LONG_TABLES.get(game, TABLES)
    return Order(game=game, seats=SEATS, tables=max(1, tables // 5) if quick else tables, seed=11)


def _random_play(game: str, quick: bool) -> tuple[float, float]:
    order = _order(game, quick=quick)
    report = simulate(order)
    histories = [read_export(file) for file in exports(order)]
    began = time.perf_counter()
    for manifest, entries in histories:
        fold(manifest.table, entries, shelf_of_program())
    return report.actions_per_s, report.actions / (time.perf_counter() - began)


def _replay_file(game: str, quick: bool) -> tuple[float, float]:
    files = exports(_order(game, quick=quick))
    began = time.perf_counter()
    histories = [read_export(file) for file in files]
    for manifest, entries in histories:
        fold(manifest.table, entries, shelf_of_program())
    replayed = time.perf_counter() - began
    events = sum(manifest.version for manifest, _ in histories)
    began = time.perf_counter()
    for file in files:
        manifest, entries = read_export(file)
        _decode(manifest.game, entries)
    return events / replayed, events / (time.perf_counter() - began)


def _decode(game: str, entries: list[Entry]) -> None:
    codec = event_codec(game)
    for entry in entries:
        if isinstance(entry, Commit):
            for each in entry.events:
                codec.read(each.schema, each.body)
