"""Rebuilds on Redis: versions of projections beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.log.rebuilds import Courses, Standing, courses, standing
from events.log.records import ViewWrite
from events.log.redis_feed import saving
from events.log.redis_store import RedisStore, lost, reaching
from events.streams import LIVE_OF_ALL, Partition, any_view, numbered, projections_of, view_of_all


class RedisRebuilds:
    """Implements ``Rebuilds``."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def announce_projections(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        return [name.decode() for name in self._store.call("announce", [projections_of(game)], [owner, ttl_ms])]

    def withdraw_projections(self, game: str, *, owner: str) -> None:
        self._store.command("ZREM", projections_of(game), owner)

    def projecting(self, game: str) -> bool:
        return bool(self._store.call("announce", [projections_of(game)], ["", 0]))

    def remove_views(self, version: str) -> int:
        return sum(self._removed(client, version) for client in self._store.nodes())

    @staticmethod
    def _removed(client: Any, version: str) -> int:  # noqa: ANN401  the client's types say less than they know
        with reaching():
            keys = list(client.scan_iter(match=any_view(version), count=1_000))
            return sum(int(client.unlink(key)) for key in keys)

    def standing(self, partition: Partition) -> tuple[Standing, Courses]:
        positions, live, tables, (end, position, epoch) = self._store.commands(
            ("HGETALL", partition.positions),
            ("HGETALL", partition.live),
            ("ZCARD", partition.tables),
            ("HMGET", partition.cursor, "n", "pos", "epoch"),  # last: no position may seem to be ahead of the feed
        )
        if position is None or epoch not in (None, self._store.epoch.encode()):
            raise lost(f"{partition.cursor} is not in the store")
        found = standing(_texts(positions), end=int(end or 0), tables=int(tables))
        return found, courses(_texts(live))

    def courses_of_all(self) -> Courses:
        return courses(_texts(self._store.command("HGETALL", LIVE_OF_ALL)))

    def marks_of_all(self, version: str) -> tuple[Mapping[str, int], Mapping[str, str]]:
        found = standing(_texts(self._store.command("HGETALL", view_of_all(version, "position"))), end=0, tables=0)
        return found.positions, found.marks

    def ask_rebuild(self, partition: Partition | None, projection: str) -> int:
        return int(self._store.call("ask", [_live(partition)], [projection]))

    def begin(self, partition: Partition, version: str, *, expected: int | None, across: bool) -> None:
        held = self._store.call("hold", [partition.positions, partition.cursor], [version, 0 if across else 1])
        if across:
            before = "" if expected is None else expected
            self._store.call("begin", [view_of_all(version, "position")], [partition.tag, before, held])

    def save_piece(
        self,
        partition: Partition,
        version: str,
        *,
        after: str,
        mark: str,
        writes: Sequence[ViewWrite],
        across: bool,
    ) -> None:
        key, field = _marked(partition, version, across=across)
        keys, packed = saving(key, after, mark, writes, b"")
        self._store.call("save", keys, [field, partition.push, packed])

    def mark(self, partition: Partition, version: str, *, after: str, mark: str, across: bool) -> None:
        key, field = _marked(partition, version, across=across)
        self._store.call("swap", [key], [field, after, mark])

    def set_back(self, partition: Partition, version: str, *, position: int, end: int, across: bool) -> None:
        key = view_of_all(version, "position") if across else partition.positions
        self._store.call("swap", [key], [partition.tag if across else version, position, end])

    def switch(self, partition: Partition | None, projection: str, *, old: int, new: int) -> bool:
        before, after = numbered(projection, old), numbered(projection, new)
        if partition is None:
            keys = [LIVE_OF_ALL, view_of_all(before, "position"), view_of_all(after, "position")]
            return bool(self._store.call("switch", keys, [projection, old, new]))
        keys = [partition.live, partition.positions, partition.positions]
        return bool(self._store.call("switch", keys, [projection, old, new, before, after]))

    def drop(self, partition: Partition | None, version: str, keys: Sequence[str], *, done: int | None) -> None:
        if keys:
            self._store.command("UNLINK", *keys)
        if done is None:
            self._store.command("HDEL", _live(partition), f"going:{version}")
        else:
            self._store.command("HSET", _live(partition), f"going:{version}", done)

    def versions(self, partition: Partition, tables: Sequence[str]) -> Sequence[int]:
        if not tables:
            return []
        return [
            int(each or 0)
            for each in self._store.commands(*(("HGET", partition.head(table), "version") for table in tables))
        ]

    def fields(self, key: str, names: Sequence[str]) -> Sequence[bytes | None]:
        found: list[bytes | None] = self._store.command("HMGET", key, *names) if names else []
        return found

    def projections(self, partition: Partition) -> Sequence[str]:
        found = standing(_texts(self._store.command("HGETALL", partition.positions)), end=0, tables=0)
        return sorted({*found.positions, *found.stale})


def _live(partition: Partition | None) -> str:
    return LIVE_OF_ALL if partition is None else partition.live


def _marked(partition: Partition, version: str, *, across: bool) -> tuple[str, str]:
    """Return the hash and the field that hold the mark of a rebuild."""
    if across:
        return view_of_all(version, "position"), f"build:{partition.tag}"
    return partition.positions, f"build:{version}"


def _texts(reply: Any) -> dict[str, str]:  # noqa: ANN401  a dictionary, or a list of names and values in turns
    pairs = reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2], strict=True)
    return {name.decode(): value.decode() for name, value in pairs}
