"""Rule workers in processes of their own: killed, paused, told to stop; nothing is lost and nothing happens twice."""

from __future__ import annotations

import random
import signal
import statistics
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.commit import Refusal, broken_link, read_entry
from events.log.records import Answer
from events.log.redis_log import RedisLog
from events.log.store import Listener
from events.messages import Seat
from events.streams import partition_of
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Player
from tests.runtime.conftest import emptied
from tests.runtime.desk import PLATFORM, envelope, seat_actor
from tests.runtime.echo.commands import Echo, Kill, Ponder
from tests.runtime.processes import Workers, workers
from tests.servers import Server
from tests.until import PATIENCE_S, until

ANN = Seat(0)

HANDED_OVER_S = 5.0
"""Typically a twentieth of a second."""
LONG_MS = 60_000
"""Of leases that are over long after everybody has gone on who need not wait for that."""


@pytest.fixture
def log(valkey: Server) -> Iterator[RedisLog]:
    """Return an empty store of the game of echoes."""
    opened = RedisLog(emptied(valkey), games=["echo"])
    yield opened
    opened.close()


@pytest.fixture
def ttl_ms() -> int:
    """Return the length of leases: soon over."""
    return 500


@pytest.fixture
def group(valkey: Server, log: RedisLog, tmp_path: Path, ttl_ms: int) -> Iterator[Workers]:
    """Return a way to start workers on that store."""
    with workers(valkey.url, tmp_path, ttl_ms=ttl_ms) as group:
        yield group


@pytest.fixture
def ear(log: RedisLog) -> Iterator[Listener]:
    """Hear all answers."""
    listener = log.listen(log.partitions("echo"))
    yield listener
    listener.close()


def post(log: RedisLog, table: str, body: bytes) -> None:
    """Send a packed envelope."""
    log.submit(partition_of(table, 4), body)


def open_table(log: RedisLog, table: str) -> None:
    """Send what makes a table run."""
    for command in (
        OpenTable(game="echo", seats=2),
        TakeSeat(seat=ANN, player=Player("a")),
        TakeSeat(seat=Seat(1), player=Player("b")),
        StartTable(),
    ):
        post(log, table, envelope(table, command, PLATFORM))


def hear(ear: Listener, heard: list[Answer]) -> int:
    """Take in what was pushed by now, and return how much that was."""
    before = len(heard)
    while (push := ear.next(0.02)) is not None:
        if isinstance(push[1], tuple):
            heard.extend(push[1])
    return len(heard) - before


def answer_to(ear: Listener, heard: list[Answer], command_id: bytes) -> Answer:
    """Wait for the answer to one command."""

    def found() -> Answer | None:
        hear(ear, heard)
        return next((each for each in heard if each.command_id == command_id), None)

    return until(found, what=f"command {command_id.hex()} is answered")


def drained(log: RedisLog) -> bool:
    """Whether no command waits."""
    store = log._store  # noqa: SLF001  the cursor is no door's business
    ends = {place: store.command("HGET", place.cursor, "pos").decode() for place in log.partitions("echo")}
    return not log.read_commands(ends, count=1, block_ms=1)


@pytest.mark.parametrize("ttl_ms", [LONG_MS])
def test_a_worker_told_to_stop_hands_over_at_once(log: RedisLog, group: Workers, ttl_ms: int) -> None:
    """SIGTERM ends it with 0; the next one neither waits for leases nor is careful."""
    open_table(log, "echo-a")
    first = group.start()
    until(lambda: drained(log), what="the table runs")
    first.send_signal(signal.SIGTERM)

    assert first.wait(PATIENCE_S) == 0
    held = [log.acquire(place, owner="test", ttl_ms=1000) for place in log.partitions("echo")]
    assert all(lease is not None and lease.clean for lease in held)


def owners(log: RedisLog) -> list[str]:
    """Return who holds each partition."""
    looks = [("HGET", place.cursor, "owner") for place in log.partitions("echo")]
    return [(owner or b"").decode() for owner in log._store.commands(*looks)]  # noqa: SLF001  no door's business


def owner_of(log: RedisLog, table: str) -> str:
    """Return who holds a table's partition."""
    return owners(log)[partition_of(table, 4).number]


def has_shared_out(log: RedisLog) -> bool:
    """Whether two workers have two partitions each."""
    held = Counter(owners(log))
    return "" not in held and {2} == set(held.values())


@pytest.mark.parametrize(
    ("ttl_ms", "within_s"), [(LONG_MS, HANDED_OVER_S), pytest.param(500, 0.3, marks=pytest.mark.soak)]
)
def test_another_goes_on_at_once_when_a_worker_is_told_to_stop(
    log: RedisLog, group: Workers, ear: Listener, ttl_ms: int, within_s: float
) -> None:
    """Neither a lease, nor a read that waits, nor the look of the next owner holds a command up for long; mostly."""
    open_table(log, "echo-a")
    group.start()
    until(lambda: drained(log), what="the table runs")
    took = []
    for _ in range(5):
        group.start()
        until(lambda: has_shared_out(log), what="each has its share")
        owner = owner_of(log, "echo-a")
        leaving = next(each for each in group.running if f":{each.pid}:" in owner)
        name = uuid.uuid4().bytes
        began = time.monotonic()
        leaving.send_signal(signal.SIGTERM)
        until(lambda owner=owner: owner != owner_of(log, "echo-a"), what="it hands over")  # type: ignore[misc]  # no owner
        post(log, "echo-a", envelope("echo-a", Echo(seat=ANN), seat_actor(ANN), command_id=name))
        assert answer_to(ear, [], name).code is None
        took.append(time.monotonic() - began)
        assert leaving.wait(PATIENCE_S) == 0
        group.running.remove(leaving)
    print(f"\nhanded over and handled: {', '.join(f'{each * 1000:.0f}' for each in took)} ms")

    assert statistics.median(took) < within_s


def test_a_command_that_ends_its_worker_is_set_aside(log: RedisLog, group: Workers, ear: Listener) -> None:
    """At the third death it is answered, and what stands around it was handled once."""
    open_table(log, "echo-a")
    killer, name = uuid.uuid4().bytes, uuid.uuid4().bytes
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN, text="before"), seat_actor(ANN)))
    post(log, "echo-a", envelope("echo-a", Kill(seat=ANN), seat_actor(ANN), command_id=killer))
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN, text="after"), seat_actor(ANN), command_id=name))
    group.start()
    heard: list[Answer] = []

    def served() -> bool:
        group.keep_alive()
        hear(ear, heard)
        return any(each.command_id == name for each in heard)

    until(served, what="the command behind it is answered")

    assert ["internal_error"] == [each.code for each in heard if each.command_id == killer]
    assert len(log.history(partition_of("echo-a", 4), "echo-a")) == 4 + 3
    post(log, "echo-a", envelope("echo-a", Kill(seat=ANN), seat_actor(ANN), command_id=killer))
    heard.clear()
    assert answer_to(ear, heard, killer).code == "internal_error"


def test_a_paused_worker_comes_back_fenced(log: RedisLog, group: Workers, ear: Listener) -> None:
    """Who slept through its leases writes nothing when it wakes."""
    open_table(log, "echo-a")
    first = group.start()
    until(lambda: drained(log), what="the table runs")
    first.send_signal(signal.SIGSTOP)
    name = uuid.uuid4().bytes
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN), seat_actor(ANN), command_id=name))
    group.start()
    heard: list[Answer] = []
    assert answer_to(ear, heard, name).code is None
    first.send_signal(signal.SIGCONT)
    last = uuid.uuid4().bytes
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN), seat_actor(ANN), command_id=last))
    assert answer_to(ear, heard, last).code is None

    until(lambda: "commit_refused" in group.lines() or "lease_lost" in group.lines(), what="the sleeper is told")
    assert len(log.history(partition_of("echo-a", 4), "echo-a")) == 4 + 2


def test_a_long_thought_keeps_its_lease(log: RedisLog, group: Workers, ear: Listener) -> None:
    """Rules that think for several times the lease's length are not taken over."""
    open_table(log, "echo-a")
    group.start()
    until(lambda: drained(log), what="the table runs")
    group.start()
    name = uuid.uuid4().bytes
    post(log, "echo-a", envelope("echo-a", Ponder(seat=ANN, seconds=2.0), seat_actor(ANN), command_id=name))

    answer = answer_to(ear, [], name)

    assert answer.code is None
    assert len(log.history(partition_of("echo-a", 4), "echo-a")) == 4 + 1


def test_a_server_that_takes_no_writes_for_a_while_is_waited_for(log: RedisLog, group: Workers, ear: Listener) -> None:
    """A pause longer than the leases ends nobody; afterwards everything that waited is handled once."""
    open_table(log, "echo-a")
    group.start()
    until(lambda: drained(log), what="the table runs")
    name = uuid.uuid4().bytes
    log._store.command("CLIENT", "PAUSE", 1500, "WRITE")  # noqa: SLF001  a hand on the server
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN), seat_actor(ANN), command_id=name))

    assert answer_to(ear, [], name).code is None
    assert len(log.history(partition_of("echo-a", 4), "echo-a")) == 4 + 1


def test_functions_that_were_flushed_come_back(log: RedisLog, group: Workers, ear: Listener) -> None:
    """Nobody notices that the server forgot its function library."""
    open_table(log, "echo-a")
    group.start()
    until(lambda: drained(log), what="the table runs")
    log._store.command("FUNCTION", "FLUSH")  # noqa: SLF001  a hand in the store
    name = uuid.uuid4().bytes
    post(log, "echo-a", envelope("echo-a", Echo(seat=ANN), seat_actor(ANN), command_id=name))

    assert answer_to(ear, [], name).code is None


@pytest.mark.parametrize("waves", [8, pytest.param(100, marks=[pytest.mark.soak, pytest.mark.timeout(600)])])
def test_workers_killed_under_load_lose_nothing(log: RedisLog, group: Workers, ear: Listener, waves: int) -> None:
    """A sample of chaos: what was answered is there once, the queue drains, every chain is whole."""
    chance = random.Random(7)
    tables = [f"echo-t{number}" for number in range(20)]
    for table in tables:
        open_table(log, table)
    for _ in range(2):
        group.start()
    sent: list[tuple[str, bytes]] = []
    heard: list[Answer] = []
    for wave in range(waves):
        for number in range(400):
            table, name = tables[number % 20], uuid.uuid4().bytes
            body = envelope(table, Echo(seat=ANN, text=f"{wave}-{number}"), seat_actor(ANN), command_id=name)
            sent.append((table, name))
            for _ in range(1 + (number % 8 == 0)):
                post(log, table, body)
        until(lambda: hear(ear, heard), what="somebody works")
        group.kill(chance.choice(group.running))
        group.start()

    def quiet() -> bool:
        hear(ear, heard)
        return drained(log)

    until(quiet, what="the queue is drained")
    there: Counter[bytes] = Counter()
    for table in tables:
        entries = [read_entry(body) for body in log.history(partition_of(table, 4), table)]
        assert broken_link(entries) is None
        there.update(entry.command.command_id for entry in entries)
        assert not [entry for entry in entries if isinstance(entry, Refusal)], (
            "who is in hand at a death is not to blame"
        )
    assert {1} == set(there.values())
    assert {name for _, name in sent} <= set(there)
    hear(ear, heard)
    told = {each.command_id: each.code for each in heard}
    assert {name for _, name in sent} <= set(told)
    assert {None} == set(told.values())
