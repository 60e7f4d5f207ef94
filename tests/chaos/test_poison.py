"""Rules that raise, exit, hang or eat memory: their command is set aside, other tables wait less than three leases."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from events import games
from events.log.records import Answer
from events.log.redis_log import RedisLog
from services.cli import doctor
from tests.chaos.desk import open_table, place, say
from tests.chaos.poisoned import SLOW_S
from tests.chaos.service import Process
from tests.runtime.echo import learn
from tests.servers import Server, running_server, valkey_binary
from tests.until import until

TTL_MS = 5_000
BUSY_S = 20.0
"""How much longer than three leases others may wait where other tests share the machine and programs start slowly."""
PARTITIONS = 4
POISONS = ("raise", "exit", "hang", "eat")
BEHIND = "echo-well1"
"""A table in the partition of ``echo-ill``, so that it stands behind it; the others lie elsewhere."""

ELSEWHERE = ("echo-a", "echo-c", "echo-d", "echo-e")


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
    opened = RedisLog(server.url, games=["echo"], partitions=PARTITIONS)
    yield opened
    opened.close()


@pytest.fixture
def limits() -> tuple[float, float]:
    """Return in how many seconds a thought must end, and after how many its worker is taken for stuck."""
    return 1.0, 2.0


@pytest.fixture
def workers(server: Server, log: RedisLog, tmp_path: Path, limits: tuple[float, float]) -> Iterator[list[Process]]:
    """Return two workers with poisoned rules."""
    words = ["-m", "tests.chaos.poisoned", server.url, str(TTL_MS), *map(str, limits)]
    group = [Process(f"w{number}", words, {}, tmp_path / f"w{number}.log") for number in range(2)]
    for each in group:
        each.start()
    yield group
    for each in group:
        each.kill()


@pytest.fixture
def said_ill(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Return what tells whether the doctor finds that commands were set aside."""
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setattr(doctor, "GAMES", ("echo",))
    return lambda: any(mark == "fault" and "set aside" in said for mark, said in doctor.findings(tmp_path))


def answer(log: RedisLog, workers: list[Process], table: str, command_id: bytes) -> Answer:
    """Wait for an answer, starting workers that ended as a supervisor would."""

    def found() -> Answer | None:
        for each in workers:
            if not each.alive:
                each.start()
        return log.answer(place(log, table), table, command_id)

    return until(found, what="the command is answered")


@pytest.mark.parametrize(
    ("poison", "leases", "more_s"),
    [
        *((each, 3, BUSY_S) for each in POISONS),
        *(pytest.param(each, 3, 0.0, marks=pytest.mark.soak) for each in POISONS),
        pytest.param("stick", 6, 0.0, marks=pytest.mark.soak),
    ],
)
def test_poison_is_set_aside_and_others_go_on(
    log: RedisLog, workers: list[Process], said_ill: Callable[[], bool], poison: str, leases: int, more_s: float
) -> None:
    """
    The command is answered and kept with its reason; whoever stands behind it waits less than three leases.

    Longer for rules that are stuck in a single call: they hear nothing, so that each worker they stick ends itself.
    """
    for table in ("echo-ill", BEHIND, *ELSEWHERE):
        open_table(log, table)
    answer(log, workers, BEHIND, say(log, BEHIND, "before"))
    began = time.monotonic()
    ill, well = say(log, "echo-ill", poison), say(log, BEHIND, "behind")
    beside = [(table, say(log, table, "beside")) for table in ELSEWHERE for _ in range(20)]
    behind = answer(log, workers, BEHIND, well)
    waited = time.monotonic() - began
    told = answer(log, workers, "echo-ill", ill)
    after = answer(log, workers, "echo-ill", say(log, "echo-ill", "after"))
    others = [answer(log, workers, table, name) for table, name in beside]
    letters = log._store.command("XRANGE", place(log, "echo-ill").dead, "-", "+")  # noqa: SLF001  no door's business

    assert {None} == {each.code for each in others}
    assert not [each for each in log.partitions("echo") if each != place(log, "echo-ill") and log.dead(each)]
    assert (None, "internal_error", None) == (behind.code, told.code, after.code)
    assert 1 == len(letters)
    assert said_ill()
    assert b"internal_error" != letters[0][1][5]
    print(f"\n{poison}: others waited {waited:.2f} s (lease {TTL_MS / 1000:g} s), kept: {letters[0][1][5][-60:]!r}")
    assert waited < leases * TTL_MS / 1000 + more_s


@pytest.mark.parametrize("poison", ["raise later", "hang later"])
def test_a_history_that_cannot_be_loaded_hurts_nobody_else(log: RedisLog, workers: list[Process], poison: str) -> None:
    """Its commands are set aside, and no worker ends of it; the other tables go on."""
    for table in ("echo-ill", BEHIND):
        open_table(log, table)
    assert answer(log, workers, "echo-ill", say(log, "echo-ill", poison)).code is None
    for each in workers:
        each.kill()
        each.start()

    told = [answer(log, workers, "echo-ill", say(log, "echo-ill", "after")) for _ in range(3)]
    well = answer(log, workers, BEHIND, say(log, BEHIND, "behind"))

    assert ["internal_error"] * 3 == [each.code for each in told]
    assert well.code is None
    assert all(each.alive for each in workers)


@pytest.mark.parametrize("limits", [(5.0, 6.0)])
def test_many_slow_commands_end_no_worker(log: RedisLog, workers: list[Process], limits: tuple[float, float]) -> None:
    """Rules that are slow are not taken for stuck, however many of their commands wait."""
    _, stuck_s = limits
    open_table(log, "echo-slow")
    names = [say(log, "echo-slow", "slow") for _ in range(int(1.5 * stuck_s / SLOW_S))]

    last = until(lambda: log.answer(place(log, "echo-slow"), "echo-slow", names[-1]), what="the last one is answered")

    assert last.code is None
    assert all(each.alive for each in workers)
