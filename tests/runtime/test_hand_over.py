"""A worker that is told to stop holds nothing back that it has not in hand."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from events.log.memory import MemoryLog
from events.messages import Seat
from events.streams import Partition
from tests.runtime.desk import Desk, seat_actor
from tests.runtime.echo.commands import Echo
from tests.runtime.echo.rules import EchoShelf
from tests.until import until
from workers.runtime.leases import PATIENCE_S, QUICK_S, TICK_S, TTL_MS, Leases
from workers.runtime.loop import RuleWorker

PLACE = Partition("echo", 0)
HOUR_MS = 3_600_000


def test_everything_is_handed_over_while_a_read_waits() -> None:
    """The loop stands in its read; the next owner need not wait for that, and is not careful."""
    log = MemoryLog(games=["echo"], partitions=1)
    leases = Leases(log, ["echo"], owner="leaving", ttl_ms=HOUR_MS)
    leaves, ends = Event(), Event()
    loop = Thread(target=RuleWorker(log, EchoShelf(), leases, block_ms=HOUR_MS).run, args=(ends,), daemon=True)
    keeper = leases.keep(leaves)
    until(leases.held, what="it works")
    loop.start()
    until(lambda: leases.is_idle, what="it waits for commands")
    leaves.set()

    lease = until(lambda: log.acquire(PLACE, owner="next", ttl_ms=HOUR_MS), what="it hands over")
    assert lease.clean
    assert ["next"] == log.announce("echo", owner="next", ttl_ms=HOUR_MS)
    keeper.join()
    ends.set()
    log.submit(PLACE, b"it is read, and left to the next")
    loop.join()
    assert lease.position == until(lambda: log.acquire(PLACE, owner="next", ttl_ms=1), what="again").position


def test_who_is_not_alone_looks_often() -> None:
    """So one takes up at once what another hands over; alone it would only cost the server time."""
    log = MemoryLog(games=["echo"], partitions=2)
    one, other = (Leases(log, ["echo"], owner=owner, ttl_ms=HOUR_MS) for owner in ("one", "other"))
    for _ in range(2):
        one.tick()
    alone = one.pause
    for each in (other, one):
        each.tick()

    assert (TICK_S, QUICK_S, QUICK_S) == (alone, one.pause, other.pause)


def test_a_loop_that_comes_to_its_read_too_late_hands_over_itself() -> None:
    """Told to stop between two reads, it has something in hand for a moment; the next read finds out."""
    log = MemoryLog(games=["echo"], partitions=1)
    leases = Leases(log, ["echo"], owner="leaving", ttl_ms=HOUR_MS)
    stop = Event()
    keeper = leases.keep(stop)
    until(leases.held, what="it works")
    stop.set()
    keeper.join()

    assert log.acquire(PLACE, owner="next", ttl_ms=HOUR_MS) is None
    with leases.idle():
        assert log.acquire(PLACE, owner="next", ttl_ms=HOUR_MS)


def test_the_leases_of_a_loop_that_hangs_are_over_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a loop works, it keeps them as long as it advances; when it stands still, somebody else goes on."""
    now = [1_000.0]
    monkeypatch.setattr("workers.runtime.leases.time", SimpleNamespace(monotonic=lambda: now[0]))
    log = MemoryLog(games=["echo"], partitions=1, clock=lambda: round(now[0] * 1000))
    leases = Leases(log, ["echo"], owner="hangs", ttl_ms=TTL_MS)

    def watched(seconds: float, beat: Callable[[], None]) -> float | None:
        """Return after how many seconds somebody else gets the lease."""
        began = now[0]
        while now[0] - began < seconds:
            now[0] += TICK_S
            beat()
            leases.tick()
            if log.acquire(PLACE, owner="next", ttl_ms=1) is not None:
                return now[0] - began
        return None

    leases.tick()

    assert watched(10 * PATIENCE_S, leases.beat) is None
    after = watched(10 * PATIENCE_S, lambda: None)
    assert after is not None
    assert PATIENCE_S < after <= PATIENCE_S + TTL_MS / 1000 + TICK_S


def test_a_store_that_went_back_is_noticed(desk: Desk) -> None:
    """Where a replica without the last commits took over, the worker begins at what is there, not at what it knew."""
    table = desk.running_table()
    place = desk.place(table)
    before = desk.worker.leases.held()[place].lease
    desk.worker.leases.advance(before, f"{2**50}-0")
    desk.worker.leases._renewed = 0.0  # noqa: SLF001  as if time had passed
    desk.worker.leases.tick()

    after = desk.worker.leases.held()[place].lease
    assert before.fence < after.fence
    assert desk.send(table, Echo(seat=Seat(0)), seat_actor(0)).code is None
