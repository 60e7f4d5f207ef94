"""Commands in memory: what doors send, and what rule workers read and commit."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise

from events.log.answers import find_answer
from events.log.errors import BusyError, ConflictError, FencedError, GapError, OrderError, TooLargeError
from events.log.memory_shelf import Memory, Place, Table, split
from events.log.records import Answer, Batch, DeadLetter, Head, Lease, Loaded, Pushed, TableWrite
from events.log.store import KEPT_COMMANDS, MAX_ENVELOPE, MAX_LAG
from events.streams import Partition, workers_of


class MemoryDoors:
    """Implements ``Doors``."""

    _memory: Memory

    def submit(self, partition: Partition, envelope: bytes) -> str:
        with self._memory.changed:
            place = self._memory.place(partition)
            if len(envelope) > MAX_ENVELOPE:
                raise TooLargeError(f"a command of {len(envelope)} bytes")
            if len(place.commands.entries) - place.kept >= self._memory.backlog:
                raise BusyError(f"{len(place.commands.entries)} commands in {partition.commands}")
            time, number = place.commands.last
            now = self._memory.clock()
            entry = f"{now}-0" if now > time else f"{time}-{number + 1}"
            place.commands.append(entry, envelope)
            self._memory.changed.notify_all()
            return entry

    def submit_all(self, envelopes: Sequence[tuple[Partition, bytes]]) -> Sequence[str]:
        return [self.submit(partition, envelope) for partition, envelope in envelopes]

    def listen(self, partitions: Sequence[Partition]) -> MemoryListener:
        return MemoryListener(self._memory, partitions)

    def head(self, partition: Partition, table: str) -> Head | None:
        with self._memory.changed:
            found = self._memory.place(partition).tables.get(table)
            return Head(version=found.version, status=found.status) if found else None

    def answer(self, partition: Partition, table: str, command_id: bytes) -> Answer | None:
        with self._memory.changed:
            found = self._memory.place(partition).tables.get(table, Table())
            return find_answer(table, (body for _, body in reversed(found.entries.entries)), command_id)


class MemoryListener:
    """Implements ``Listener``."""

    def __init__(self, memory: Memory, partitions: Sequence[Partition]) -> None:
        self._memory = memory
        self._heard: deque[tuple[Partition, Pushed]] = deque()
        with memory.changed:
            memory.hear(partitions, self._heard)

    def next(self, timeout: float) -> tuple[Partition, Pushed] | None:
        with self._memory.changed:
            self._memory.changed.wait_for(lambda: self._heard, timeout)
            return self._heard.popleft() if self._heard else None

    def close(self) -> None:
        with self._memory.changed:
            self._memory.unhear(self._heard)


class MemoryCommandLog:
    """Implements ``CommandLog`` and ``DeadLetters``."""

    _memory: Memory

    def announce(self, game: str, *, owner: str, ttl_ms: int) -> Sequence[str]:
        return self._memory.announce(workers_of(game), owner=owner, ttl_ms=ttl_ms)

    def withdraw(self, game: str, *, owner: str) -> None:
        self._memory.withdraw(workers_of(game), owner=owner)

    def acquire(self, partition: Partition, *, owner: str, ttl_ms: int) -> Lease | None:
        with self._memory.changed:
            place, now = self._memory.place(partition), self._memory.clock()
            if place.owner not in (None, owner) and place.until > now:
                return None
            clean = place.owner in (None, owner)
            place.owner, place.until, place.fence = owner, now + ttl_ms, place.fence + 1
            return Lease(
                partition=partition,
                owner=owner,
                fence=place.fence,
                position=place.position,
                feed=place.feed_end,
                clean=clean,
            )

    def renew(self, lease: Lease, *, ttl_ms: int) -> bool:
        with self._memory.changed:
            place = self._memory.place(lease.partition)
            if not _holds(place, lease):
                return False
            place.until = self._memory.clock() + ttl_ms
            return True

    def renew_all(self, leases: Sequence[tuple[Lease, int]]) -> Sequence[str | None]:
        with self._memory.changed:
            return [
                self._memory.place(lease.partition).position if self.renew(lease, ttl_ms=ttl_ms) else ""
                for lease, ttl_ms in leases
            ]

    def release(self, lease: Lease) -> None:
        with self._memory.changed:
            place = self._memory.place(lease.partition)
            if _holds(place, lease):
                place.owner = None

    def attempt(self, lease: Lease, entry: str) -> int:
        with self._memory.changed:
            place = self._memory.place(lease.partition)
            if not _holds(place, lease):
                raise FencedError(lease.partition.cursor)
            tried, _, fence = place.attempts[0].partition(" ")
            count = place.attempts[1] if tried == entry else 0
            if count == 0 or fence != str(lease.fence):
                place.attempts = f"{entry} {lease.fence}", count + 1
            return place.attempts[1]

    def read_commands(
        self, after: Mapping[Partition, str], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[str, bytes]]]:
        def there() -> dict[Partition, Sequence[tuple[str, bytes]]]:
            found = {
                partition: self._memory.place(partition).commands.behind(entry, count)
                for partition, entry in after.items()
            }
            return {partition: entries for partition, entries in found.items() if entries}

        with self._memory.changed:
            return self._memory.changed.wait_for(there, block_ms / 1000)

    def sizes(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[int]:
        with self._memory.changed:
            found = [self._memory.place(partition).tables.get(table, Table()) for partition, table in tables]
            return [sum(len(body) for _, body in each.entries.entries) for each in found]

    def load(self, partition: Partition, table: str) -> Loaded:
        with self._memory.changed:
            place = self._memory.place(partition)
            found = place.tables.get(table, Table())
            return Loaded(entries=[body for _, body in found.entries.entries], secret=place.secrets.get(table))

    def load_all(self, tables: Sequence[tuple[Partition, str]]) -> Sequence[Loaded]:
        return [self.load(partition, table) for partition, table in tables]

    def commit(self, batch: Batch) -> None:
        with self._memory.changed:
            place = self._memory.place(batch.lease.partition)
            _check(place, batch)
            for write in batch.tables:
                _append(place, write)
            place.dead.extend(batch.dead)
            place.position = batch.position
            place.kept += batch.handled
            place.since += batch.handled
            _trim_commands(place)
            place.attempts = "", 0
            if batch.answers:
                self._memory.push(batch.lease.partition, tuple(batch.answers))
            self._memory.changed.notify_all()

    def commit_all(self, batches: Sequence[Batch]) -> Sequence[Exception | None]:
        return [self._fault_of(batch) for batch in batches]

    def _fault_of(self, batch: Batch) -> Exception | None:
        try:
            self.commit(batch)
        except (FencedError, GapError, ConflictError, OrderError) as fault:
            return fault
        return None

    def dead(self, partition: Partition) -> Sequence[DeadLetter]:
        with self._memory.changed:
            return list(self._memory.place(partition).dead)

    def drop_dead(self, partition: Partition, entry: str) -> int:
        with self._memory.changed:
            place = self._memory.place(partition)
            kept = [letter for letter in place.dead if letter.entry != entry]
            dropped, place.dead = len(place.dead) - len(kept), kept
            return dropped

    def trim_feed(self, partition: Partition) -> Sequence[str]:
        with self._memory.changed:
            place = self._memory.place(partition)
            farthest = place.feed_end - MAX_LAG
            place.stale |= {name for name, number in place.positions.items() if number < max(farthest, place.trimmed)}
            held = [number for name, number in place.positions.items() if name not in place.stale]
            floor = min(held, default=farthest)
            if floor > place.trimmed:
                place.trimmed = floor
                place.feed = [each for each in place.feed if each[0] > floor]
            return sorted(place.stale)


def _holds(place: Place, lease: Lease) -> bool:
    return place.owner == lease.owner and place.fence == lease.fence


def _check(place: Place, batch: Batch) -> None:
    if not _holds(place, batch.lease):
        raise FencedError(batch.lease.partition.cursor)
    if place.position != batch.after:
        raise GapError(f"the cursor is {place.position}, not {batch.after}")
    if split(batch.position) <= split(batch.after):
        raise OrderError(f"the cursor {batch.position} is not behind {batch.after}")
    for write in batch.tables:
        if place.tables.get(write.table, Table()).chain != write.expected:
            raise ConflictError(write.table)
        ids = [(0, 0), *(split(entry) for entry, _ in write.entries)]
        if any(later <= earlier for earlier, later in pairwise(ids)):
            raise OrderError(write.table)


def _append(place: Place, write: TableWrite) -> None:
    table = place.tables.setdefault(write.table, Table())
    for entry, body in write.entries:
        table.entries.append(entry, body)
        if entry.endswith("-0"):
            place.feed_end += 1
            place.feed.append((place.feed_end, write.table, body))
    table.version, table.status, table.chain = write.version, write.status or table.status, write.chain
    if write.opened is not None:
        place.opened[write.table] = write.opened
    if write.secret:
        place.secrets[write.table] = write.secret
    elif write.secret is not None:
        place.secrets.pop(write.table, None)


def _trim_commands(place: Place) -> None:
    """Cut the commands at the oldest of eleven marks, as the function on Redis does."""
    if place.since * 10 < KEPT_COMMANDS:
        return
    place.since = 0
    place.marks.append(place.position)
    if len(place.marks) > 11:  # noqa: PLR2004  ten tenths lie between eleven marks
        place.marks.popleft()
        place.kept -= place.commands.cut(place.marks[0])
    if split(place.position) == place.commands.last:
        place.kept = len(place.commands.entries)
