"""Commands on Redis: what doors send, and what rule workers read and commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, Final

from events.codec import pack, pack_for_scripts
from events.log.answers import find_answer
from events.log.errors import DamagedError, StoreAwayError, StoreUnusableError
from events.log.records import Answer, Batch, DeadLetter, Head, Lease, Loaded, Pushed, read_push
from events.log.redis_store import Call, RedisStore, damage_of, reaching
from events.log.store import KEPT_COMMANDS, MAX_ENVELOPE, MAX_LAG
from events.streams import Partition, workers_of

PAGE: Final = 200
"""Entries read at once when looking for an answer, newest first."""


class RedisDoors:
    """Implements ``Doors``."""

    def __init__(self, store: RedisStore, backlog: int) -> None:
        self._store = store
        self._backlog = backlog

    def submit(self, partition: Partition, envelope: bytes) -> str:
        return str(self._store.call(*self._submission(partition, envelope)), "ascii")

    def submit_all(self, envelopes: Sequence[tuple[Partition, bytes]]) -> Sequence[str]:
        answers = self._store.calls([self._submission(*each) for each in envelopes])
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return [str(answer, "ascii") for answer in answers]

    def _submission(self, partition: Partition, envelope: bytes) -> Call:
        limits = (self._backlog, MAX_ENVELOPE, envelope, self._store.epoch)
        return "submit", (partition.commands, partition.cursor), limits

    def listen(self, partitions: Sequence[Partition]) -> RedisListener:
        return RedisListener(self._store, partitions)

    def head(self, partition: Partition, table: str) -> Head | None:
        version, status = self._store.command("HMGET", partition.head(table), "version", "status")
        return None if version is None else Head(version=int(version), status=status.decode())

    def answer(self, partition: Partition, table: str, command_id: bytes) -> Answer | None:
        return find_answer(table, self._newest_first(partition.truth(table)), command_id)

    def _newest_first(self, key: str) -> Iterator[bytes]:
        end = "+"
        while page := self._store.command("XREVRANGE", key, end, "-", "COUNT", PAGE):
            yield from (fields[1] for _, fields in page)
            end = "(" + page[-1][0].decode()


class RedisListener:
    """Implements ``Listener``."""

    def __init__(self, store: RedisStore, partitions: Sequence[Partition]) -> None:
        self._partitions = {partition.push.encode(): partition for partition in partitions}
        with ExitStack() as stack, reaching():
            self._pubsub = stack.enter_context(closing(store.client.pubsub()))
            self._pubsub.subscribe(*self._partitions)
            confirmed = 0
            while confirmed < len(self._partitions):
                message = self._pubsub.get_message(timeout=1.0)
                confirmed += message is not None and message["type"] == "subscribe"
            stack.pop_all()

    def next(self, timeout: float) -> tuple[Partition, Pushed] | None:
        with reaching():
            message = self._pubsub.get_message(ignore_subscribe_messages=True, timeout=timeout)
        if message is None or message["type"] != "message":
            return None
        return self._partitions[message["channel"]], read_push(message["data"])

    def close(self) -> None:
        self._pubsub.close()


class RedisCommandLog:
    """Implements ``CommandLog`` and ``DeadLetters``."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def announce(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        return [name.decode() for name in self._store.call("announce", [workers_of(game)], [owner, ttl_ms])]

    def withdraw(self, game: str, *, owner: str) -> None:
        self._store.command("ZREM", workers_of(game), owner)

    def acquire(self, partition: Partition, *, owner: str, ttl_ms: int) -> Lease | None:
        held = self._store.call("acquire", [partition.cursor], [owner, ttl_ms, self._store.epoch])
        if held is None:
            return None
        fence, position, feed, clean = held
        return Lease(
            partition=partition,
            owner=owner,
            fence=int(fence),
            position=position.decode(),
            feed=int(feed),
            clean=clean == b"1",
        )

    def renew(self, lease: Lease, *, ttl_ms: int) -> bool:
        return bool(self._store.call("renew", [lease.partition.cursor], [lease.fence, lease.owner, ttl_ms]))

    def renew_all(self, leases: Sequence[tuple[Lease, int]]) -> Sequence[str | None]:
        calls = [("renew", (lease.partition.cursor,), (lease.fence, lease.owner, ttl_ms)) for lease, ttl_ms in leases]
        answers = self._store.calls(calls)
        untold = StoreAwayError, DamagedError
        self._store.obeyed([answer for answer in answers if not isinstance(answer, untold)])
        return [None if isinstance(answer, untold) else answer.decode() for answer in answers]

    def release(self, lease: Lease) -> None:
        self._store.call("release", [lease.partition.cursor], [lease.fence, lease.owner])

    def attempt(self, lease: Lease, entry: str) -> int:
        return int(self._store.call("attempt", [lease.partition.cursor], [lease.fence, lease.owner, entry]))

    def read_commands(
        self, after: Mapping[Partition, str], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[str, bytes]]]:
        if not after:
            return {}
        streams = {partition.commands: partition for partition in after}
        starts = {partition.commands: position for partition, position in after.items()}
        try:
            found = self._store.read_streams(starts, count=count, block_ms=block_ms)
        except DamagedError as fault:
            damaged = {key for key, kind in self._store.types([*streams]).items() if kind not in {"stream", "none"}}
            detail = f"{', '.join(sorted(damaged))}: {fault}"
            raise DamagedError(detail, partitions=frozenset(streams[key] for key in damaged)) from fault
        return {
            streams[key]: [(entry.decode(), _body(fields)) for entry, fields in entries]
            for key, entries in found.items()
        }

    def sizes(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[int]:
        looks = [("MEMORY", "USAGE", partition.truth(table)) for partition, table in tables]
        return [int(size or 0) for size in self._store.commands(*looks)]

    def load(self, partition: Partition, table: str) -> Loaded:
        return self.load_all([(partition, table)])[0]

    def load_all(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[Loaded]:
        if not tables:
            return []
        looks = [
            command
            for partition, table in tables
            for command in (
                ("XRANGE", partition.truth(table), "-", "+"),
                ("HGET", partition.head(table), "chain"),
                ("HGET", partition.secrets, table),
            )
        ]
        replies = self._store.round_trip(looks)
        return [
            self._loaded(partition, table, *replies[3 * number : 3 * number + 3])
            for number, (partition, table) in enumerate(tables)
        ]

    def _loaded(self, partition: Partition, table: str, entries: Any, chain: Any, secret: Any) -> Loaded:  # noqa: ANN401  replies
        for key, reply in ((partition.truth(table), entries), (partition.head(table), chain)):
            if (damage := damage_of(reply)) is not None:
                return Loaded(entries=[], secret=None, damage=f"{key}: {damage}")
        if (damage := damage_of(secret)) is not None:
            raise DamagedError(f"{partition.secrets}: {damage}", partitions=frozenset((partition,)))
        self._store.obeyed([entries, chain, secret])
        return Loaded(entries=[fields[1] for _, fields in entries], secret=secret)

    def commit(self, batch: Batch) -> None:
        (fault,) = self.commit_all([batch])
        if fault is not None:
            raise fault

    def commit_all(self, batches: Sequence[Batch]) -> Sequence[Exception | None]:
        answers = self._store.calls([_commit_call(batch, self._store.epoch) for batch in batches])
        for answer in answers:
            if isinstance(answer, StoreUnusableError):
                raise answer
        return [answer if isinstance(answer, Exception) else None for answer in answers]

    def dead(self, partition: Partition) -> Sequence[DeadLetter]:
        return [letter for _, letter in self._letters(partition)]

    def drop_dead(self, partition: Partition, entry: str) -> int:
        found = [name for name, letter in self._letters(partition) if letter.entry == entry]
        return int(self._store.call("drop_dead", [partition.dead, partition.cursor], found)) if found else 0

    def _letters(self, partition: Partition) -> list[tuple[bytes, DeadLetter]]:
        return [
            (name, _letter(name, fields)) for name, fields in self._store.command("XRANGE", partition.dead, "-", "+")
        ]

    def trim_feed(self, partition: Partition) -> Sequence[str]:
        stale = self._store.call("trim_feed", [partition.feed, partition.cursor, partition.positions], [MAX_LAG])
        return [name.decode() for name in stale]


def _body(fields: list[bytes] | None) -> bytes:
    """Return what an entry of a command stream holds; nothing when it is not as the doors write it."""
    return fields[1] if fields is not None and len(fields) == 2 and fields[0] == b"body" else b""  # noqa: PLR2004


def _letter(name: bytes, fields: list[bytes]) -> DeadLetter:
    """Return a command that was set aside; what somebody wrote there by hand may be looked at and dropped, too."""
    named = dict(zip(fields[::2], fields[1::2], strict=False))
    return DeadLetter(
        entry=named.get(b"entry", name).decode(errors="replace"),
        envelope=named.get(b"envelope", b""),
        reason=named.get(b"reason", b"").decode(errors="replace"),
    )


def _commit_call(batch: Batch, epoch: str) -> tuple[str, list[str], list[Any]]:
    partition = batch.lease.partition
    keys = [
        partition.commands,
        partition.cursor,
        partition.feed,
        partition.tables,
        partition.secrets,
        partition.dead,
    ]
    tables = []
    for write in batch.tables:
        keys += (partition.truth(write.table), partition.head(write.table))
        tables.append(
            (
                write.table,
                write.expected,
                write.entries,
                write.version,
                write.status,
                write.chain,
                False if write.opened is None else write.opened,
                False if write.secret is None else write.secret,
            )
        )
    dead = [(each.entry, each.envelope, each.reason) for each in batch.dead]
    answers = pack(tuple(batch.answers)) if batch.answers else b""
    packed = pack_for_scripts(
        (
            str(batch.lease.fence),
            batch.lease.owner,
            batch.after,
            batch.position,
            batch.handled,
            KEPT_COMMANDS,
            tables,
            dead,
            answers,
        )
    )
    return "commit", keys, [partition.push, packed, epoch]
