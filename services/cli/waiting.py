"""What the doctor looks at in a partition: what waits there, who works on it, and what was written by hand."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import redis

from events.log.store import MAX_BACKLOG
from events.streams import Partition, workers_of
from services.cli.finding import Finding
from services.cli.plain import moment_of

MANY: Final = 1_000
"""Commands that may wait before it is worth a word."""

LONG_MS: Final = 10_000
"""How long a command may wait before it is worth a word; three times as long is a fault."""

AHEAD_MS: Final = 60_000
"""How far a command may be ahead of its server's clock: a server that took another's place may be a little behind."""

HAND_OVER_S: Final = 0.5
"""After which a partition that nobody held is looked at again where there are workers: they may hand it over."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """
    How the commands of a partition stand, by the clock of its server.

    Args:
        count: how many wait.
        oldest_ms: for how long the oldest of them has waited.
        held: whether a worker's lease has not ended.
        newest: id of the newest command there ever was.
        ahead: whether it is dated later than now.
        removed: id of the last command that was removed by hand, or ``0-0``.
    """

    count: int
    oldest_ms: int
    held: bool
    newest: str
    ahead: bool
    removed: str


def client_at(store: redis.Redis, key: str) -> redis.Redis:
    """Return a client of the server that holds a key; entries, which are no text, come as bytes."""
    if isinstance(store, redis.RedisCluster):
        store = store.get_redis_connection(store.get_node_from_key(key))
    settings = {**store.connection_pool.connection_kwargs, "decode_responses": False}
    return redis.Redis.from_pool(
        redis.ConnectionPool(connection_class=store.connection_pool.connection_class, **settings)
    )


def waiting(store: redis.Redis, partition: Partition, cursor: Mapping[str, str]) -> Waiting:
    """Look at the commands of a partition."""
    with client_at(store, partition.commands) as client:
        now = _now(client)
        there = client.exists(partition.commands)
        about: Any = client.xinfo_stream(partition.commands) if there else {}
        behind: Any = client.xrange(partition.commands, f"({cursor.get('pos', '0-0')}", "+", count=1)
    newest = str(about.get("last-generated-id", b"0-0"), "ascii")
    return Waiting(
        count=max(0, int(about.get("length", 0)) - int(cursor.get("kept", 0))),
        oldest_ms=max(0, now - _milliseconds(str(behind[0][0], "ascii"))) if behind else 0,
        held="owner" in cursor and int(cursor.get("until", 0)) > now,
        newest=newest,
        ahead=_milliseconds(newest) > now + AHEAD_MS,
        removed=str(about.get("max-deleted-entry-id", b"0-0"), "ascii"),
    )


def workers_at(store: redis.Redis, game: str) -> int:
    """Return how many rule workers of a game are there."""
    with client_at(store, workers_of(game)) as client:
        count: Any = client.zcount(workers_of(game), f"({_now(client)}", "+inf")
        return int(count)


def of_commands(
    store: redis.Redis, game: str, found: Mapping[Partition, Waiting], workers: int | None
) -> Iterator[Finding]:
    """Give what is found of the commands of a game and of who works on them; how many do may not be known."""
    for place, each in found.items():
        if each.removed != "0-0":
            told = f"{place.tag}: the command {each.removed} was removed by hand, perhaps others before it."
            yield "note", f"{told} Whether they had been handled is not known."
        if each.ahead:
            told = f"{place.tag}: the newest command, {each.newest}, is dated {moment_of(each.newest)}, in the future:"
            yield "fault", f"{told} {_AHEAD}"
    yield from _of_workers(store, game, found, workers)
    count, oldest_ms = sum(each.count for each in found.values()), max(each.oldest_ms for each in found.values())
    worst = max(count / MANY, oldest_ms / LONG_MS)
    mark = "fault" if count >= MAX_BACKLOG or oldest_ms >= 3 * LONG_MS else "note" if worst >= 1 else "ok"
    yield mark, f"{game}: {count} commands wait{_for(oldest_ms) if oldest_ms else ''}."


_AHEAD: Final = (
    "every later command there bears that date or a later one, and clocks of tables go by it. The server's clock was "
    "wrong, or somebody wrote to the stream by hand: see who may, and restore the partition from before."
)


def _of_workers(
    store: redis.Redis, game: str, found: Mapping[Partition, Waiting], workers: int | None
) -> Iterator[Finding]:
    counted = "nobody knows how many" if workers is None else workers
    alone = _unheld(store, [place for place, each in found.items() if not each.held], patient=workers != 0)
    if not alone:
        yield "ok", f"{game}: {counted} rule workers, all {len(found)} partitions taken."
        return
    oldest_ms = max(found[place].oldest_ms for place in alone)
    waits = f", and commands wait there{_for(oldest_ms)}" if oldest_ms else ""
    told = f"{game}: nobody works on {', '.join(place.tag for place in alone)}{waits}."
    if workers != 0:
        told = f"{told} {str(counted).capitalize()} rule workers are there"
        yield "fault", f"{told}: see their log, and start one that hangs again."
    else:
        yield "fault", f"{told} No rule worker is there, or all of them hang. Start one with `fidchell worker {game}`."


def _unheld(store: redis.Redis, places: Sequence[Partition], *, patient: bool) -> Sequence[Partition]:
    """Return which of some partitions nobody holds, looking again where a worker may be about to take them."""
    if not places or not patient:
        return places
    time.sleep(HAND_OVER_S)
    cursors: dict[Partition, Any] = {place: store.hgetall(place.cursor) for place in places}
    return [place for place, cursor in cursors.items() if not waiting(store, place, cursor).held]


def _for(milliseconds: int) -> str:
    return f", the oldest for {milliseconds / 1000:.0f} s"


def _milliseconds(entry: str) -> int:
    return int(entry.partition("-")[0])


def _now(client: redis.Redis) -> int:
    clock: Any = client.time()
    return int(clock[0]) * 1000 + int(clock[1]) // 1000
