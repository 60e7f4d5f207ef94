"""The loop of a rule worker: read, load, decide, commit."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from threading import Event
from typing import Final

import structlog

from events.log.errors import (
    ConflictError,
    DamagedError,
    FencedError,
    GapError,
    StoreAwayError,
    StoreUnusableError,
)
from events.log.records import Lease, Loaded
from events.log.store import CommandLog
from events.streams import Partition
from workers.runtime.batches import MAX_COMMANDS, Decided, Decider, Share, read
from workers.runtime.cache import Cache
from workers.runtime.handle import Handler, RandomBytes
from workers.runtime.incoming import Incoming
from workers.runtime.leases import Held, Leases
from workers.runtime.limits import UNLIMITED, Limits
from workers.runtime.table import Table
from workers.tables.state import RulesShelf

BLOCK_MS: Final = 250
"""
How long a read waits for commands, at most.

Where there are several workers it is ``Leases.pause``: a partition that was just acquired waits for its first read.
"""

MAX_LOADED: Final = 64_000_000
"""Bytes of history that are loaded in one round, about; one table is loaded however long it is."""

MAX_ATTEMPTS: Final = 3
"""How often a command may end its worker before it is set aside."""

MAX_CONFLICTS: Final = 3
"""How often a table may turn out to be other than it was loaded, before it is left alone so that others go on."""

MAX_CONFLICTED: Final = 1_000
"""How many such tables are remembered; the one that was the longest without a conflict is forgotten first."""

STALL_S: Final = 2.0
"""How long a partition is left alone whose keys are damaged; others go on meanwhile."""

PAUSE_S: Final = 0.5
"""Between two attempts to reach a store that is away."""

log: Final = structlog.get_logger()


class RuleWorker:
    """
    Decides the commands of the partitions it holds leases of.

    Args:
        block_ms: how long a read waits for commands, at most.
        random: where secrets and nonces come from.
        limits: what rules may take.
        max_loaded: bytes of history that are loaded in one round.
    """

    def __init__(  # noqa: PLR0913  each by its name
        self,
        store: CommandLog,
        shelf: RulesShelf,
        leases: Leases,
        *,
        cache: Cache | None = None,
        block_ms: int = BLOCK_MS,
        random: RandomBytes = secrets.token_bytes,
        limits: Limits = UNLIMITED,
        max_loaded: int = MAX_LOADED,
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._leases = leases
        self._cache = Cache() if cache is None else cache  # an empty one is false
        self._decider = Decider(Handler(random, limits.step), self._cache)
        self._limits = limits
        self._block_ms = block_ms
        self._max_loaded = max_loaded
        self._conflicts: dict[str, int] = {}
        self._stalled: dict[Partition, float] = {}

    def run(self, stop: Event) -> None:
        """Work until told to stop."""
        trouble: str | None = None
        while not stop.is_set():
            try:
                self.round()
                trouble = None
            except (StoreAwayError, StoreUnusableError, DamagedError) as fault:
                if str(fault) != trouble:
                    trouble = str(fault)
                    log.warning("store_failed", problem=trouble, kind=type(fault).__name__)
                self._forget(self._leases.lose_all())
                stop.wait(PAUSE_S)

    def round(self) -> int:
        """Handle what waits in all partitions, once; return how many commands that were."""
        began = time.monotonic()
        # 1. Take note of partitions that came or went.
        held, gone = self._leases.settle()
        self._forget(gone)
        try:
            # 2. Read what waits, in one round trip; after an unclean takeover one command at a time.
            found = self._read(self._sound(held))
            # 3. Load the tables that are not in memory, as many as fit.
            shares, fresh = self._load([share for share in found if not share.careful])
        except DamagedError as fault:
            self._stall(fault.partitions, fault)
            return 0
        # 4. Decide.
        decided = self._decide(shares, fresh)
        # 5. Commit all partitions in one round trip; the commit publishes the answers. Go on from there, or start from
        #    the store where that failed.
        handled = self._commit(decided, began)
        # 6. What may end this process comes last, each to its commit before the next is begun: nothing else is in hand.
        for share in found:
            if share.careful:
                handled += self._commit(self._decide_alone(share), began)
        return handled

    def _sound(self, held: Mapping[Partition, Held]) -> Mapping[Partition, Held]:
        now = time.monotonic()
        self._stalled = {partition: until for partition, until in self._stalled.items() if until > now}
        return {partition: place for partition, place in held.items() if partition not in self._stalled}

    def _stall(self, partitions: Collection[Partition], fault: Exception) -> None:
        """Leave partitions alone for a while; where it is not known which, everything stands."""
        if not partitions:
            raise fault
        for partition in partitions:
            log.error("partition_damaged", partition=partition.tag, kind=type(fault).__name__, problem=str(fault))
            self._stalled[partition] = time.monotonic() + STALL_S
        self._forget(partitions)

    def _commit(self, decided: Sequence[Decided], began: float) -> int:
        faults = self._store.commit_all([each.batch for each in decided]) if decided else []
        for each, fault in zip(decided, faults, strict=True):
            self._settle(each, fault, began)
        return sum(each.batch.handled for each in decided)

    def _read(self, held: Mapping[Partition, Held]) -> list[Share]:
        if not held:
            with self._leases.idle():
                self._leases.wait(self._block_ms / 1000)
            return []
        careful = {partition for partition, place in held.items() if place.careful}
        after = {partition: held[partition].position for partition in careful}
        found = dict(self._store.read_commands(after, count=1, block_ms=0)) if careful else {}
        rest = {partition: place.position for partition, place in held.items() if partition not in careful}
        if rest:
            block_ms = 0 if found else min(self._block_ms, round(self._leases.pause * 1000))
            with self._leases.idle():
                found |= self._store.read_commands(rest, count=MAX_COMMANDS, block_ms=block_ms)
        self._leases.beat()
        still = self._leases.held()
        for partition in careful.difference(found):
            held[partition].careful = 0
        return [
            Share(
                lease=held[partition].lease,
                after=held[partition].position,
                partitions=len(self._store.partitions(partition.game)),
                careful=partition in careful,
                commands=[read(*each) for each in commands],
            )
            for partition, commands in found.items()
            if partition in still
        ]

    def _load(self, shares: Sequence[Share]) -> tuple[Sequence[Share], Mapping[str, Table]]:
        """Return the tables that were loaded, and of the shares what they are enough for; the rest is read again."""
        wanted = [
            (share.lease.partition, name)
            for share in shares
            for name in share.tables()
            if self._cache.get(name) is None
        ]
        if not wanted:
            return shares, {}
        count = fitting(self._store.sizes(wanted), self._max_loaded)
        missing = {name for _, name in wanted[count:]}
        if missing:
            shares = [share for each in shares if (share := each.before(missing)).commands]
        loaded = self._store.load_all(wanted[:count])
        fresh = {
            name: self._replayed(partition, name, each)
            for (partition, name), each in zip(wanted[:count], loaded, strict=True)
        }
        return shares, fresh

    def _replayed(self, partition: Partition, name: str, loaded: Loaded) -> Table:
        table = Table(partition.game, name, self._shelf, loaded.secret)
        if loaded.damage:
            log.error("table_damaged", table=name, problem=loaded.damage)
            table.broken = loaded.damage
        elif self._conflicts.get(name, 0) < MAX_CONFLICTS:
            with self._watched() as beat:
                table.replay(loaded, fold=self._limits.fold, beat=beat)
        else:
            table.broken = "its head and its history differ"
        return table

    def _decide(self, shares: Sequence[Share], fresh: Mapping[str, Table]) -> Sequence[Decided]:
        if not shares:
            return []
        with self._watched() as beat:  # all of them at once: each watch costs a thread
            return [self._decider.decide(share, fresh, beat) for share in shares]

    @contextmanager
    def _watched(self) -> Iterator[Callable[[], None]]:
        """Hold rules to their limits in a block, and give what is to be called whenever there is progress."""
        with self._limits.watched() as rearm:

            def beat() -> None:
                self._leases.beat()
                rearm()

            yield beat

    def _decide_alone(self, share: Share) -> Sequence[Decided]:
        """
        Count the attempt before anything is done that could end this process; after the third, do nothing of it.

        Returns nothing when the lease is lost, or the partition damaged.
        """
        partition = share.lease.partition
        (only,) = share.commands
        entry = only.entry if isinstance(only, Incoming) else only[0]
        try:
            attempts = self._store.attempt(share.lease, entry)
            fresh = {name: self._loaded_alone(partition, name, attempts) for name in share.tables()}
        except FencedError as fault:
            self._lose(share.lease, fault)
            return []
        except DamagedError as fault:
            self._stall([partition], fault)
            return []
        return self._decide([share], fresh)

    def _loaded_alone(self, partition: Partition, name: str, attempts: int) -> Table:
        if attempts > MAX_ATTEMPTS:
            self._cache.drop(name)
        elif (table := self._cache.get(name)) is not None:
            return table
        loaded = self._store.load(partition, name)
        if attempts <= MAX_ATTEMPTS or loaded.damage or self._conflicts.get(name, 0) >= MAX_CONFLICTS:
            return self._replayed(partition, name, loaded)
        table = Table(partition.game, name, self._shelf, loaded.secret)
        table.recall(loaded, broken=f"it ended its worker {attempts - 1} times")
        return table

    def _settle(self, decided: Decided, fault: Exception | None, began: float) -> None:
        batch = decided.batch
        partition = batch.lease.partition
        if fault is not None:
            self._give_up(batch.lease, fault)
            return
        self._leases.advance(batch.lease, batch.position)
        for table in decided.tables:
            if table.pending:
                table.committed()
                self._conflicts.pop(table.name, None)
            if table.over:
                self._cache.drop(table.name)  # whoever asks again is answered from its history
            elif table.version and not table.recalled:
                self._cache.put(partition, table)  # a broken one, too, or its rules would hang at every load
        for letter in batch.dead:
            log.error("command_set_aside", partition=partition.tag, entry=letter.entry)
        log.info(
            "commands_handled",
            partition=partition.tag,
            position=batch.position,
            commands=batch.handled,
            tables=len(batch.tables),
            refused=decided.refused,
            ms=round((time.monotonic() - began) * 1000, 1),
        )

    def _give_up(self, lease: Lease, fault: Exception) -> None:
        """Drop what was decided and not committed, and whatever else the fault says is void."""
        match fault:
            case ConflictError():
                self._note_conflict(str(fault))
                self._lose(lease, fault)
            case FencedError() | GapError() | StoreAwayError():
                self._lose(lease, fault)
            case DamagedError(table=table) if table:
                log.error("table_damaged", table=table, problem=str(fault))
                self._note_conflict(table)
                self._forget([lease.partition])
            case _:
                self._stall([lease.partition], fault)

    def _note_conflict(self, name: str) -> None:
        self._conflicts[name] = self._conflicts.pop(name, 0) + 1
        if len(self._conflicts) > MAX_CONFLICTED:
            del self._conflicts[next(iter(self._conflicts))]

    def _lose(self, lease: Lease, fault: Exception) -> None:
        log.warning("commit_refused", partition=lease.partition.tag, reason=type(fault).__name__, detail=str(fault))
        self._forget([lease.partition])
        self._leases.lose(lease)

    def _forget(self, partitions: Collection[Partition]) -> None:
        for partition in partitions:
            self._cache.drop_partition(partition)


def fitting(sizes: Sequence[int], most: int) -> int:
    """Return how many of some sizes fit, in order; at least one."""
    return max(1, sum(total <= most for total in accumulate(sizes)))


def run(
    store: CommandLog,
    shelf: RulesShelf,
    leases: Leases,
    stop: Event,
    *,
    random: RandomBytes = secrets.token_bytes,
    limits: Limits = UNLIMITED,
) -> None:
    """
    Work until told to stop, then hand all partitions over in order.

    When the loop fails in a way it does not know, the leases are left to expire: the next owner is then careful.
    """
    keeper = leases.keep(stop)
    try:
        RuleWorker(store, shelf, leases, random=random, limits=limits).run(stop)
    finally:
        stop.set()
        keeper.join()
    leases.release_all()
