"""Plays many tables, counts what came of them, and times the play alone."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from events.chance import SECRET_BYTES
from events.export import write_export
from events.messages import TableId
from events.process import collect_rarely
from events.tables.vocabulary import OptionValue
from services.bots.simulation.check import Checker
from services.bots.simulation.play import Played, Setting, play
from services.bots.simulation.players import Player, player
from services.bots.simulation.record import Recorder
from workers.games import GamesShelf
from workers.tables.state import RulesShelf
from workers.tables.wish import Wish


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """
    What to simulate.

    Args:
        bots: kinds of bot; seat ``s`` of table ``t`` is played by number ``(s + t) mod len(bots)``.
        check: whether to hold every version to everything that must always be true.
        digest: whether to write histories down, for their digest.
        record: folder for an export file of each table; it is there.
    """

    game: str
    seats: int
    tables: int
    seed: int
    options: Mapping[str, OptionValue] = {}
    bots: tuple[str, ...] = ("random",)
    check: bool = False
    digest: bool = False
    record: Path | None = None

    @property
    def written(self) -> bool:
        return self.check or self.digest or self.record is not None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """
    What came of a simulation.

    Args:
        stuck: tables at which play went on but nobody could move; ``unfinished`` those given up as too long.
        seconds: of play alone, without the checks.
        wins_by_seat: tables each seat won; a shared first place counts for each that shares it.
        digest: SHA-256 over the chains of all tables, when their histories were written down.
    """

    game: str
    seats: int
    tables: int
    stuck: int
    unfinished: int
    actions: int
    events: int
    seconds: float
    actions_per_s: float
    events_per_s: float
    wins_by_seat: tuple[int, ...]
    wins_by_bot: dict[str, int]
    reasons: dict[str, int]
    digest: str | None


Progress = Callable[[], None]


def simulate(order: Order, *, progress: Progress = lambda: None) -> Report:
    """Play all tables of the order; ``BrokenError`` at the first thing that must not be."""
    collect_rarely()
    shelf = GamesShelf()
    played: list[Played] = []
    seconds = 0.0
    digest = hashlib.sha256()
    for number in range(order.tables):
        setting, players = _setting(order, number), _players(order, number)
        began = time.perf_counter()
        table = play(shelf, setting, players)
        seconds += time.perf_counter() - began
        if order.written:
            digest.update(_written(order, shelf, setting, table))
        played.append(table)
        progress()
    return _report(order, played, seconds, digest.hexdigest() if order.written else None)


def exports(order: Order) -> list[bytes]:
    """Return the export file of every table of the order."""
    shelf = GamesShelf()
    files = []
    for number in range(order.tables):
        setting, players = _setting(order, number), _players(order, number)
        recorder = Recorder()
        play(shelf, setting, players, watch=recorder.watch)
        files.append(write_export(setting.table, order.game, recorder.entries))
    return files


def wishes(order: Order) -> list[list[tuple[TableId, Wish]]]:
    """Return what was wished for at every table of the order, each with the table's name; its secrets are all zero."""
    shelf = GamesShelf()
    tables = []
    for number in range(order.tables):
        setting = msgspec.structs.replace(_setting(order, number), known_secret=bytes(SECRET_BYTES))
        wished: list[Wish] = []
        play(shelf, setting, _players(order, number), watch=lambda _before, wish, *_, to=wished: to.append(wish))
        tables.append([(setting.table, wish) for wish in wished])
    return tables


def _setting(order: Order, number: int) -> Setting:
    return Setting(game=order.game, seats=order.seats, seed=order.seed, number=number, options=order.options)


def _players(order: Order, number: int) -> list[Player]:
    return [player(order.game, name) for name in _names(order, number)]


def _names(order: Order, number: int) -> list[str]:
    return [order.bots[(seat + number) % len(order.bots)] for seat in range(order.seats)]


def _written(order: Order, shelf: RulesShelf, setting: Setting, played: Played) -> bytes:
    """Play the same table again with somebody watching, and return its chain."""
    players = _players(order, setting.number)
    watcher = Checker(shelf) if order.check else Recorder()
    again = play(shelf, setting, players, watch=watcher.watch)
    if isinstance(watcher, Checker):
        watcher.finish(again.state)
    if order.record:
        file = write_export(setting.table, order.game, watcher.entries)
        (order.record / f"{setting.table}.fidchell").write_bytes(file)
    return watcher.chain


def _report(order: Order, played: Sequence[Played], seconds: float, digest: str | None) -> Report:
    seats: Counter[int] = Counter()
    bots: Counter[str] = Counter(dict.fromkeys(order.bots, 0))
    reasons: Counter[str] = Counter()
    for number, table in enumerate(played):
        outcome = table.state.outcome
        if outcome is not None:
            reasons[outcome.reason] += 1
            seats.update(outcome.ranking[0])
            bots.update(_names(order, number)[seat] for seat in outcome.ranking[0])
    actions = sum(table.actions for table in played)
    events = sum(table.state.version for table in played)
    return Report(
        game=order.game,
        seats=order.seats,
        tables=len(played),
        stuck=sum(table.stuck for table in played),
        unfinished=sum(not table.stuck and table.state.status != "over" for table in played),
        actions=actions,
        events=events,
        seconds=round(seconds, 3),
        actions_per_s=round(actions / seconds, 1) if seconds else 0.0,
        events_per_s=round(events / seconds, 1) if seconds else 0.0,
        wins_by_seat=tuple(seats[seat] for seat in range(order.seats)),
        wins_by_bot=dict(sorted(bots.items())),
        reasons=dict(sorted(reasons.items())),
        digest=digest,
    )
