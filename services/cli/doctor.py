"""The word ``doctor``: what is wrong, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import redis
import typer
from rich.console import Console

from events.games import GAMES
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.rebuilds import FIRST
from events.log.redis_store import LAYOUT
from events.log.seeds import ANSWER_S, living_seed
from events.process import EPOCH, store_trouble
from events.streams import LIVE_OF_ALL, META, Partition, numbered, workers_of
from projections.kit.projection import BROKEN, Home, Projection
from projections.runtime.known import PROJECTIONS
from services.cli import dead
from services.cli.finding import MARKS, Finding
from services.cli.local import DATA, Data, store_url
from services.cli.plain import plain
from services.cli.servers import Servers
from services.cli.waiting import Waiting, of_commands, waiting, workers_at

LAG: Final = 1_000

NAMED: Final = 10
"""Tables that are named in one sentence."""

console = Console(highlight=False, soft_wrap=True)


class _Health(msgspec.Struct):
    """What is added up over all partitions of a game."""

    waiting: dict[Partition, Waiting] = msgspec.field(default_factory=dict)
    dead: dict[str, int] = msgspec.field(default_factory=dict)
    lag: dict[str, int] = msgspec.field(default_factory=dict)
    stale: set[str] = msgspec.field(default_factory=set)
    lost: list[str] = msgspec.field(default_factory=list)


def register(app: typer.Typer) -> None:
    """Add the word, and those for commands that were set aside."""
    group = typer.Typer()
    group.callback(invoke_without_command=True)(doctor)
    dead.register(group)
    app.add_typer(group, name="doctor")


def doctor(context: typer.Context, data: Data = DATA) -> None:
    """Look the store and everything on it over; ends with 1 when something is wrong."""
    context.obj = data
    if context.invoked_subcommand is not None:
        return
    worst = 0
    for mark, sentence in findings(data):
        sign, colour = MARKS[mark]
        console.print(f"[{colour}]{sign}[/] ", end="")
        console.print(plain(sentence))
        worst = max(worst, int(mark == "fault"))
    raise typer.Exit(worst)


def findings(data: Path) -> Iterator[Finding]:
    """Give one finding after another."""
    try:
        yield from _findings(data)
    except redis.RedisError as fault:
        yield "fault", f"The store does not tell more ({type(fault).__name__}: {fault}). Look at its log."
    except ValueError as fault:
        yield "fault", f"The store holds what no release writes ({fault}): somebody wrote to it by hand. See who may."


def _findings(data: Path) -> Iterator[Finding]:
    try:
        seed, clustered = living_seed(store_url(data))
        kind = redis.RedisCluster if clustered else redis.Redis
        opened: Any = kind.from_url(seed, decode_responses=True, encoding_errors="replace", socket_timeout=ANSWER_S)
    except (StoreAwayError, StoreUnusableError) as fault:
        yield "fault", store_trouble(fault)
        return
    except redis.RedisError as fault:
        yield "fault", store_trouble(StoreAwayError(str(fault)))
        return
    with opened as store:
        servers = Servers(store)
        yield from servers.findings()
        if not servers.hold(META):
            yield "fault", f"{META} lies at a node that does not answer: nothing starts, and no more can be said."
            return
        meta: Any = store.hgetall(META)
        if not meta:
            told = "The store is empty: no service has used it yet, or it was lost."
            yield "fault", f"{told} Start one with `fidchell serve`, or restore it from its append-only file."
            return
        if (expected := os.environ.get(EPOCH)) and expected != meta.get("epoch"):
            yield "fault", f"The store's epoch is {meta.get('epoch')}, not {expected}: it is not the one it was."
        if meta.get("layout") != LAYOUT:
            told = f"The store has layout {meta.get('layout', 'none')}, this program needs {LAYOUT}: it starts nothing."
            yield "fault", f"{told} Use the release that wrote the store, or another store."
            return
        yield "ok", f"Layout {LAYOUT}, epoch {meta.get('epoch')}."
        for game in GAMES:
            places = [Partition(game, number) for number in range(int(meta.get(f"partitions:{game}", 0)))]
            yield from _of_game(store, servers, game, places, meta.get("epoch"))
        for projection in (each for each in PROJECTIONS if each.across and servers.hold(LIVE_OF_ALL)):
            yield from _broken(store, projection, Partition(GAMES[0], 0))


def _of_game(
    store: redis.Redis, servers: Servers, game: str, partitions: Sequence[Partition], epoch: str | None
) -> Iterator[Finding]:
    if not partitions:
        yield "note", f"{game}: the store has no place for it yet. A worker of this release makes it."
        return
    places = [each for each in partitions if servers.hold(each.cursor)]
    if len(places) < len(partitions):
        away = ", ".join(each.tag for each in partitions if each not in places)
        yield "fault", f"{game}: {away} cannot be looked at: their node does not answer."
    if not places:
        return
    health = _health(store, places, epoch)
    if health.lost:
        told = f"The cursors of {', '.join(health.lost)} are gone, or of another epoch: the store was lost or emptied."
        yield "fault", f"{told} Restore it from its append-only file or a replica."
    workers = workers_at(store, game) if servers.hold(workers_of(game)) else None
    yield from of_commands(store, game, health.waiting, workers)
    if health.dead:
        where = ", ".join(f"{count} in {tag}" for tag, count in health.dead.items())
        told = f"{game}: {sum(health.dead.values())} commands were set aside ({where})."
        yield "fault", f"{told} See `fidchell doctor dead`, then send them once more (`retry`) or drop them (`drop`)."
    else:
        yield "ok", f"{game}: no command had to be set aside."
    yield from _of_projections(game, health)
    for place in places:
        for projection in (each for each in PROJECTIONS if not each.across):
            yield from _broken(store, projection, place)


def _of_projections(game: str, health: _Health) -> Iterator[Finding]:
    if not health.lag:
        yield "fault", f"{game}: no projection is there. Start one with `fidchell project`."
    for projection, lag in sorted(health.lag.items()):
        if projection in health.stale:
            yield "note", f"{game}: {projection} was left behind; `fidchell project` rebuilds it."
        else:
            yield ("ok" if lag < LAG else "note"), f"{game}: {projection} is {lag} commits behind."


def _broken(store: redis.Redis, projection: Projection, place: Partition) -> Iterator[Finding]:
    """Give the tables at which rules or doors failed the live version of a projection."""
    live: Any = store.hget(LIVE_OF_ALL if projection.across else place.live, projection.name)
    version = numbered(projection.name, int(live or FIRST))
    marks: Any = store.hgetall(Home(partition=place, version=version, across=projection.across).key(BROKEN))
    if marks:
        named = [f"{table} ({why})" for table, why in sorted(marks.items())]
        more = "" if len(named) <= NAMED else f" and {len(named) - NAMED} more"
        where = "" if projection.across else f" in {place.tag}"
        told = f"{version}{where}: rules or doors failed at {len(named)} tables: {', '.join(named[:NAMED])}{more}."
        yield "fault", f"{told} Install a release that mends them, then say `fidchell rebuild {projection.name}`."


def _health(store: redis.Redis, partitions: list[Partition], epoch: str | None) -> _Health:
    health = _Health()
    for each in partitions:
        cursor: Any = store.hgetall(each.cursor)
        positions: Any = store.hgetall(each.positions)
        dead: Any = store.xlen(each.dead)
        if "pos" not in cursor or cursor.get("epoch", epoch) != epoch:
            health.lost.append(each.tag)
        health.waiting[each] = waiting(store, each, cursor)
        if dead:
            health.dead[each.tag] = dead
        end = int(cursor.get("n", 0))
        for name, number in positions.items():
            if name.startswith("stale:"):
                health.stale.add(name.removeprefix("stale:"))
            elif not name.startswith((":", "build:")):
                health.lag[name] = health.lag.get(name, 0) + max(0, end - int(number))
    return health
