"""Whoever dies, wherever it stood: the next one goes on in time, and many at once do not get in each other's way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from events import games
from events.commit import broken_link, read_entry
from events.log.records import Answer
from events.log.redis_log import RedisLog
from events.streams import workers_of
from tests.chaos.desk import open_table, place, say
from tests.chaos.service import Process
from tests.runtime.echo import learn
from tests.servers import Server, running_server, valkey_binary
from tests.until import until

TTL_MS = 1_000
TABLE = "echo-a"
POINTS = [
    (side, call, number)
    for side in ("before", "after")
    for call, number in (("acquire", 1), ("renew_all", 2), ("read_commands", 2), ("load_all", 1), ("commit_all", 2))
]
SAMPLE = [("before", "commit_all", 2), ("after", "commit_all", 2), ("after", "read_commands", 2)]


@pytest.fixture(autouse=True)
def _echo_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server of this test's own."""
    with running_server(valkey_binary(), tmp_path) as server:
        yield server


@pytest.fixture
def log(server: Server) -> Iterator[RedisLog]:
    """Return an empty store of the game of echoes."""
    opened = RedisLog(server.url, games=["echo"], partitions=1)
    yield opened
    opened.close()


Start = Callable[..., Process]


@pytest.fixture
def start(server: Server, tmp_path: Path) -> Iterator[Start]:
    """Return what starts a worker: a steady one, or one that dies at a point."""
    group: list[Process] = []

    def started(*point: object) -> Process:
        module = "tests.chaos.dying" if point else "tests.runtime.echo.worker"
        words = ["-m", module, server.url, str(TTL_MS), *map(str, point)]
        group.append(Process(f"w{len(group)}", words, {}, tmp_path / f"w{len(group)}.log"))
        group[-1].start()
        return group[-1]

    yield started
    for each in group:
        each.kill()


@pytest.mark.parametrize(
    "point",
    [*SAMPLE, *(pytest.param(each, marks=pytest.mark.soak) for each in POINTS if each not in SAMPLE)],
    ids=lambda point: "-".join(map(str, point)),
)
def test_a_worker_that_dies_at_any_point_is_replaced(log: RedisLog, start: Start, point: tuple[str, str, int]) -> None:
    """Its commands are handled once, all of them, and those behind them."""
    dying = start(*point)
    until(lambda: "acquire" in point or "partition_acquired" in dying.lines(), what="it works")
    open_table(log, TABLE)
    first = say(log, TABLE, "first")

    def died() -> bool:
        say(log, TABLE, "more")
        return not dying.alive

    until(died, what="it dies")
    successor = start()
    until(lambda: "partition_acquired" in successor.lines(), what="it is replaced")
    last = say(log, TABLE, "last")
    answers = [until(lambda name=name: answered(log, name), what="it is answered") for name in (first, last)]  # type: ignore[misc]  # no name
    entries = [read_entry(body) for body in log.history(place(log, TABLE), TABLE)]

    assert [None, None] == [each.code for each in answers]
    assert {1} == set(Counter(entry.command.command_id for entry in entries).values())
    assert broken_link(entries) is None


def answered(log: RedisLog, command_id: bytes) -> Answer | None:
    """Return the stored answer."""
    return log.answer(place(log, TABLE), TABLE, command_id)


@pytest.mark.parametrize(
    ("kills", "more_s"), [(2, 20.0), pytest.param(20, 0.5, marks=[pytest.mark.soak, pytest.mark.timeout(300)])]
)
def test_a_successor_that_waits_takes_over_in_time(log: RedisLog, start: Start, kills: int, more_s: float) -> None:
    """Killed with a command before it, the holder is replaced within the lease and half a second, when all is quiet."""
    holder = start()
    until(lambda: "partition_acquired" in holder.lines(), what="it works")
    other = start()
    open_table(log, TABLE)
    well = say(log, TABLE, "all is well")
    until(lambda: answered(log, well), what="it is answered")
    took = []
    for _ in range(kills):
        until(lambda: all(is_known(log, each) for each in (holder, other)), what="both are there")
        alive = who_holds(log, (holder, other))
        alive.kill()
        began = time.monotonic()
        name = say(log, TABLE, "who is there?")
        until(lambda name=name: answered(log, name), what="somebody is there")  # type: ignore[misc]  # no name
        took.append(time.monotonic() - began)
        alive.start()
    print(f"\ntakeovers: {', '.join(f'{each:.2f}' for each in took)} s (lease {TTL_MS / 1000:g} s)")

    assert max(took) <= TTL_MS / 1000 + more_s


def is_known(log: RedisLog, worker: Process) -> bool:
    """Whether a worker has announced itself."""
    names = log._store.command("ZRANGE", workers_of("echo"), 0, -1)  # noqa: SLF001  no door's business
    return any(f":{worker.pid}:" in name.decode() for name in names)


def who_holds(log: RedisLog, group: Sequence[Process]) -> Process:
    """Wait until somebody does; for a moment nobody may, when the shares are given out anew."""
    return until(lambda: next((each for each in group if holds(log, each)), None), what="somebody works")


def holds(log: RedisLog, worker: Process) -> bool:
    """Whether the lease is this worker's."""
    owner = log._store.command("HGET", place(log, TABLE).cursor, "owner") or b""  # noqa: SLF001  no door's business
    return f":{worker.pid}:" in owner.decode()


@pytest.mark.parametrize(("commands", "kills"), [(400, 1), pytest.param(10_000, 8, marks=pytest.mark.soak)])
def test_eight_workers_for_one_partition(log: RedisLog, start: Start, commands: int, kills: int) -> None:
    """One works, seven wait; whoever is killed, nothing is appended twice and the order stays."""
    group = [start() for _ in range(8)]
    open_table(log, TABLE)
    sent = []
    for number in range(commands):
        sent.append(say(log, TABLE, str(number)))
        if number % (commands // kills) == commands // kills // 2:
            holder = who_holds(log, group)
            holder.kill()
            holder.start()
    until(lambda: answered(log, sent[-1]), what="the last is answered")
    entries = [read_entry(body) for body in log.history(place(log, TABLE), TABLE)]

    assert sent == [entry.command.command_id for entry in entries][-commands:]
    assert len(entries) == commands + 4
    assert broken_link(entries) is None


def test_names_of_workers_that_vanished_are_forgotten(log: RedisLog) -> None:
    """After a thousand restarts one name is known."""
    for number in range(1_000):
        log.announce("echo", owner=f"w{number}", ttl_ms=1)

    until(lambda: ["last"] == log.announce("echo", owner="last", ttl_ms=60_000), what="the others are forgotten")
    assert 1 == log._store.command("ZCARD", workers_of("echo"))  # noqa: SLF001  no door's business
