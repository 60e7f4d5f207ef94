"""The feed on Redis: what projection workers read and save, and what readers of views see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.codec import pack, pack_for_scripts
from events.log.records import HashDrop, HashPut, Moved, RankCut, RankDrop, RankPut, Save, StreamAppend, ViewWrite
from events.log.redis_store import Call, RedisStore
from events.streams import Partition, view_of_all


class RedisFeed:
    """Implements ``Feed``."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def read_feed(
        self, after: Mapping[Partition, int], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[int, str, bytes]]]:
        if not after:
            return {}
        streams = {partition.feed: partition for partition in after}
        starts = {partition.feed: f"{number}-0" for partition, number in after.items()}
        found = self._store.read_streams(starts, count=count, block_ms=block_ms)
        return {
            streams[key]: [(int(entry[:-2]), table.decode(), body) for entry, (_, table, _, body) in entries]
            for key, entries in found.items()
        }

    def damaged(self, partitions: Sequence[Partition]) -> Mapping[Partition, str]:
        wanted = [(partition, key, kind) for partition in partitions for key, kind in _kinds(partition).items()]
        found = self._store.types([key for _, key, _ in wanted])
        return {
            partition: f"{key} is a {found[key]}, not a {kind}"
            for partition, key, kind in wanted
            if found.get(key, "none") not in {kind, "none"}
        }

    def feed_end(self, partition: Partition) -> int:
        return int(self._store.command("HGET", partition.cursor, "n") or 0)

    def tables(self, partition: Partition, *, start: int, count: int) -> Sequence[str]:
        return [name.decode() for name in self._store.command("ZRANGE", partition.tables, start, start + count - 1)]

    def history(self, partition: Partition, table: str, *, upto: int | None = None) -> Sequence[bytes]:
        end = "+" if upto is None else str(upto)
        return [fields[1] for _, fields in self._store.command("XRANGE", partition.truth(table), "-", end)]

    def position(self, partition: Partition, projection: str) -> int:
        return int(self._store.call("register", [partition.positions], [projection, 0]))

    def save(self, save: Save) -> None:
        (fault,) = self.save_all([save])
        if fault is not None:
            raise fault

    def save_all(self, saves: Sequence[Save]) -> Sequence[Exception | None]:
        answers = self._store.calls([_save_call(each) for each in saves])
        told = [place for place, each in enumerate(saves) if each.across and not isinstance(answers[place], Exception)]
        if told:
            for place, answer in zip(told, self._store.calls([_tell_call(saves[each]) for each in told]), strict=True):
                answers[place] = answer
        return [answer if isinstance(answer, Exception) else None for answer in answers]

    def position_of_all(self, partition: Partition, projection: str) -> int:
        positions = view_of_all(projection, "position")
        saved = int(self._store.command("HGET", positions, partition.tag) or 0)
        self._store.call("register", [partition.positions], [projection, saved])
        self._store.command("HSETNX", positions, partition.tag, saved)
        return saved

    def forget(self, partition: Partition, projection: str) -> None:
        self._store.commands(
            ("HDEL", partition.positions, projection, f"stale:{projection}", f"build:{projection}"),
            ("HDEL", view_of_all(projection, "position"), partition.tag, f"build:{partition.tag}"),
        )


def _kinds(partition: Partition) -> Mapping[str, str]:
    return {
        partition.feed: "stream",
        partition.cursor: "hash",
        partition.positions: "hash",
        partition.live: "hash",
        partition.tables: "zset",
    }


class RedisViews:
    """Implements ``Views``."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def view_field(self, key: str, field: str) -> bytes | None:
        found: bytes | None = self._store.command("HGET", key, field)
        return found

    def view_fields(self, key: str) -> Mapping[str, bytes]:
        return {field.decode(): value for field, value in self._store.command("HGETALL", key).items()}

    def view_entries(self, key: str, *, after: str = "0-0", count: int = 1000) -> Sequence[tuple[str, bytes]]:
        entries = self._store.command("XRANGE", key, f"({after}", "+", "COUNT", count)
        return [(entry.decode(), fields[1]) for entry, fields in entries]

    def view_ranks(self, key: str, *, start: int, stop: int) -> Sequence[tuple[str, int]]:
        ranked = self._store.command("ZREVRANGE", key, start, stop, "WITHSCORES")
        names, scores = ranked[::2], ranked[1::2]
        return [(name.decode(), int(score)) for name, score in zip(names, scores, strict=True)]


def _save_call(save: Save) -> Call:
    positions = view_of_all(save.projection, "position") if save.across else save.partition.positions
    moved = Moved(projection=save.projection, position=save.position, tables=dict(save.moved))
    keys, packed = saving(positions, save.after, save.position, save.writes, pack(moved) if save.moved else b"")
    return "save", keys, [save.partition.tag if save.across else save.projection, save.partition.push, packed]


def _tell_call(save: Save) -> Call:
    return "tell", [save.partition.positions], [save.projection, save.position]


def saving(
    positions: str, after: int | str, position: int | str, writes: Sequence[ViewWrite], pushed: bytes
) -> tuple[list[str], bytes]:
    """Return the keys of a save, and its packed form: each write with the number of its key."""
    numbers = {positions: 1}
    told = [_told(write, numbers.setdefault(write.key, len(numbers) + 1)) for write in writes]
    return list(numbers), pack_for_scripts((str(after), str(position), told, pushed))


def _told(write: ViewWrite, key: int) -> tuple[object, ...]:
    match write:
        case HashPut():
            return "hash_put", key, [part for field in write.fields.items() for part in field]
        case HashDrop():
            return "hash_drop", key, write.fields
        case StreamAppend():
            return "append", key, write.entry, write.body
        case RankPut():
            return "rank_put", key, write.score, write.member
        case RankDrop():
            return "rank_drop", key, write.member
        case RankCut():
            return "rank_cut", key, write.below
