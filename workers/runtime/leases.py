"""Which partitions a worker holds: acquired and renewed by a thread of its own, shared fairly with other workers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import Final

import structlog

from events.log.errors import DamagedError, NodeAwayError, StoreAwayError, StoreUnusableError
from events.log.records import Lease
from events.log.store import CommandLog
from events.streams import Partition
from workers.runtime.batches import MAX_COMMANDS

TTL_MS: Final = 5_000
BRIEF_MS: Final = 2_000
"""
How long a worker is taken for live, and a lease while commands are handled one at a time.

So a command that ends one worker after another holds the others up no longer than that each time.
"""

TICK_S: Final = 0.25
QUICK_S: Final = 0.05
"""
As ``TICK_S`` while there are several workers, so that one takes up at once what another hands over.

And once more when something was taken up: a server that nobody asks for anything ends a read up to 0.1 s late.
"""

PATIENCE_S: Final = 10.0
"""How long a loop may stand still before its leases are no longer renewed."""

TRIM_S: Final = 5.0

DAMAGED_S: Final = 2.0
"""How long keys that were found damaged are left alone; a partition they are for is nobody's meanwhile."""

log: Final = structlog.get_logger()


class Held:
    """
    A partition in this worker's hands.

    Args:
        careful: how many commands are still to be handled one at a time, as one of them may have ended a worker.
        brief: whether the lease was last renewed for a short time only, and must be again soon.
    """

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.position = lease.position
        self.careful = 0 if lease.clean else MAX_COMMANDS
        self.surplus = False
        self.brief = True


class Leases:
    """
    Holds this worker's fair share of the partitions of its games.

    The keeping thread runs no rules, so that a long thought does not lose the lease; it renews only while the loop
    advances, so that a loop that hangs does.
    The loop alone gives partitions up, between two rounds; but told to stop while the loop has nothing in hand, the
    thread hands everything over at once.
    """

    def __init__(
        self,
        store: CommandLog,
        games: Sequence[str],
        *,
        owner: str,
        ttl_ms: int = TTL_MS,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._store = store
        self._games = tuple(games)
        self._owner = owner
        self._ttl_ms = ttl_ms
        self._brief_ms = min(ttl_ms, BRIEF_MS)
        self._patience_s = patience_s
        self._held: dict[Partition, Held] = {}
        self._gone: list[Partition] = []
        self._lock = RLock()
        self._acquired = Event()
        self._advanced = time.monotonic()
        self._renewed = self._renewed_brief = self._trimmed = 0.0
        self._pause = TICK_S
        self._idle = self._stopping = False
        self._shares: dict[str, int] = {}
        self._workers: dict[str, int] = {}
        self._stale: frozenset[str] = frozenset()
        self._away: StoreAwayError | None = None
        self._damaged: dict[str, float] = {}

    # What the loop calls.

    def beat(self) -> None:
        """Show that the loop advances."""
        self._advanced = time.monotonic()

    def advance(self, lease: Lease, position: str) -> None:
        """Take note that everything up to a position is committed."""
        with self._lock:
            place = self._held.get(lease.partition)
            if place is not None and place.lease.fence == lease.fence:
                place.position = position
                place.careful = max(place.careful - 1, 0)

    def settle(self) -> tuple[Mapping[Partition, Held], Sequence[Partition]]:
        """
        Give up what others have a right to, but not in the midst of a takeover: commands would wait for another one.

        Returns what is held now, and the partitions of which nothing that was in memory may be used any more.
        """
        self.beat()
        with self._lock:
            surplus = [place for place in self._held.values() if place.surplus and not place.careful]
            for place in surplus:
                self._drop(place.lease.partition)
            gone, self._gone = self._gone, []
            self._acquired.clear()
            held = dict(self._held)
        for place in surplus:
            with self._noticing(place.lease.partition.tag):
                self._store.release(place.lease)
                log.info("partition_handed_over", partition=place.lease.partition.tag, position=place.position)
        return held, gone

    @property
    def pause(self) -> float:
        """Return after how many seconds to look whether something came or went."""
        return self._pause

    @property
    def is_idle(self) -> bool:
        """Whether the loop has nothing in hand."""
        return self._idle

    @contextmanager
    def idle(self) -> Iterator[None]:
        """
        Let everything be handed over within the block as soon as the process is told to stop.

        What was read in the block must not be worked on unless its lease is still ``held``.
        """
        with self._lock:
            self._idle = True
            stopping = self._stopping
        if stopping:
            self.release_all()
        try:
            yield
        finally:
            with self._lock:
                self._idle = False

    def wait(self, seconds: float) -> None:
        """Wait until something was acquired, at most so long."""
        self._acquired.wait(seconds)

    def lose(self, lease: Lease) -> None:
        """Forget a lease that proved to be void; the partition is acquired anew if it is free."""
        with self._lock:
            place = self._held.get(lease.partition)
            if place is not None and place.lease.fence == lease.fence:
                self._drop(lease.partition)

    def lose_all(self) -> Sequence[Partition]:
        """Forget all leases, and return their partitions."""
        with self._lock:
            for partition in list(self._held):
                self._drop(partition)
            gone, self._gone = self._gone, []
            return gone

    def release_all(self) -> None:
        """Hand everything over; others need not wait for the leases to expire."""
        with self._lock:
            held, self._held = dict(self._held), {}
        self._hand_over(held)

    def _release_idle(self) -> None:
        """Hand everything over, if the loop has nothing in hand."""
        with self._lock:
            self._stopping = True
            if not self._idle:
                return
            held, self._held = dict(self._held), {}
        self._hand_over(held)

    def _hand_over(self, held: Mapping[Partition, Held]) -> None:
        for game in self._games:
            with _reported():
                self._store.withdraw(game, owner=self._owner)
        for place in held.values():
            with _reported():
                self._store.release(place.lease)
                log.info("partition_handed_over", partition=place.lease.partition.tag, position=place.position)

    # What the keeping thread calls.

    def held(self) -> Mapping[Partition, Held]:
        """Return what may be worked on now."""
        with self._lock:
            return dict(self._held)

    def keep(self, stop: Event) -> Thread:
        """Start the keeping thread; when ``stop`` is set, it hands over what is not in hand, and ends."""
        thread = Thread(target=self._keep, args=(stop,), name="leases", daemon=True)
        thread.start()
        return thread

    def _keep(self, stop: Event) -> None:
        trouble: str | None = None
        while not stop.is_set():
            try:
                self.tick(stop)
                trouble = None
            except (StoreAwayError, StoreUnusableError) as fault:
                if str(fault) != trouble:
                    trouble = str(fault)
                    log.warning("renewal_failed", problem=trouble, kind=type(fault).__name__)
            except Exception:
                log.exception("renewal_failed")
            stop.wait(self._pause)
        self._release_idle()

    def tick(self, stop: Event | None = None) -> None:
        """
        Renew, find out the fair share, and acquire what is missing.

        A node that does not answer is no reason to neglect the others; it is told at the end.
        """
        now = time.monotonic()
        if now - self._advanced > self._patience_s:
            return
        held = self.held()
        if now - self._renewed > self._ttl_ms / 3000:
            self._renewed = now
            self._renew(held)
        elif now - self._renewed_brief > TICK_S:
            self._renewed_brief = now
            self._renew({partition: place for partition, place in held.items() if place.brief})
        for game in self._games:
            if not self._is_damaged(game):
                with self._noticing(game):
                    self._share(game)
            self._acquire(game, stop)
        moves = max(self._workers.values(), default=1) > 1 or len(self.held()) > len(held)
        self._pause = QUICK_S if moves else TICK_S
        if now - self._trimmed > TRIM_S:
            self._trimmed = now
            self._trim()
        away, self._away = self._away, None
        if away is not None:
            raise away

    def _share(self, game: str) -> None:
        """
        Find out the fair share at every tick, so that one who vanished is missed as soon as its lease is over.

        While the node of a cluster where workers are named is silent, that is whatever nobody holds.
        """
        partitions = len(self._store.partitions(game))
        try:
            workers = self._store.announce(game, owner=self._owner, ttl_ms=self._brief_ms)
        except NodeAwayError as fault:
            self._away = fault
            self._shares[game] = partitions
            return
        self._workers[game] = len(workers)
        rank = list(workers).index(self._owner)
        self._shares[game] = partitions // len(workers) + (rank < partitions % len(workers))

    def _renew(self, places: Mapping[Partition, Held]) -> None:
        if not places:
            return
        for place in places.values():
            place.brief = place.careful > 0
        known = [place.position for place in places.values()]
        spans = [(place.lease, self._brief_ms if place.brief else self._ttl_ms) for place in places.values()]
        stored = self._store.renew_all(spans)
        for (partition, place), position, before in zip(places.items(), stored, known, strict=True):
            if position is None:  # whether it is lost is found out when its node is there again
                place.brief = True
            elif not position or _is_behind(position, before):
                log.warning("lease_lost" if not position else "store_went_back", partition=partition.tag)
                with self._lock:
                    if self._held.get(partition) is place:
                        self._drop(partition)

    def _acquire(self, game: str, stop: Event | None) -> None:
        held = [place for partition, place in self.held().items() if partition.game == game]
        share = self._shares.get(game, 0)
        for place in held[share:]:
            place.surplus = True
        for place in held[:share]:
            place.surplus = False
        missing = share - len(held)
        for partition in self._store.partitions(game):
            if missing <= 0 or (stop is not None and stop.is_set()):
                return
            if partition in self._held or self._is_damaged(partition.tag):
                continue
            lease = None
            try:
                with self._noticing(partition.tag):
                    lease = self._store.acquire(partition, owner=self._owner, ttl_ms=self._brief_ms)
            except StoreAwayError as fault:
                self._away = fault
            if lease is not None:
                missing -= 1
                self._take(lease)

    def _take(self, lease: Lease) -> None:
        with self._lock:
            self._held[lease.partition] = Held(lease)
            self._gone.append(lease.partition)
            self._acquired.set()
        log.info(
            "partition_acquired",
            partition=lease.partition.tag,
            fence=lease.fence,
            position=lease.position,
            clean=lease.clean,
        )

    def _trim(self) -> None:
        stale = set()
        for partition in self.held():
            try:
                with self._noticing(partition.tag):
                    stale |= {f"{partition.tag} {name}" for name in self._store.trim_feed(partition)}
            except StoreAwayError as fault:
                self._away = fault
        for each in sorted(stale - self._stale):
            log.warning("projection_stale", projection=each)
        self._stale = frozenset(stale)

    @contextmanager
    def _noticing(self, what: str) -> Iterator[None]:
        """Let keys be damaged within the block: what they are for is left alone for a while, and all else goes on."""
        try:
            yield
        except DamagedError as fault:
            log.error("keys_damaged", what=what, problem=str(fault))  # noqa: TRY400  where it was found tells nothing
            self._damaged[what] = time.monotonic() + DAMAGED_S

    def _is_damaged(self, what: str) -> bool:
        return time.monotonic() < self._damaged.get(what, 0.0)

    def _drop(self, partition: Partition) -> None:
        if self._held.pop(partition, None) is not None:
            self._gone.append(partition)


@contextmanager
def _reported() -> Iterator[None]:
    """Let a part of the hand-over fail by itself: others wait there until the lease is over."""
    try:
        yield
    except (StoreAwayError, StoreUnusableError, DamagedError) as fault:
        log.warning("hand_over_failed", problem=str(fault))


def _is_behind(position: str, other: str) -> bool:
    """Whether a position lies before another: the store is a replica's that had not heard of everything."""
    return tuple(map(int, position.split("-"))) < tuple(map(int, other.split("-")))
