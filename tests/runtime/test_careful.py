"""What a worker does after an unclean takeover, when a command may be the one that ended the last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import pytest

from events.log.errors import ConflictError, StoreAwayError
from events.log.memory import MemoryLog
from events.log.records import Batch, Loaded
from events.messages import Event, Seat
from events.streams import Partition
from events.tables.commands import OpenTable
from tests.runtime.desk import PLATFORM, Desk, Worker, envelope, seat_actor
from tests.runtime.echo.commands import Balk, Echo
from workers.runtime.handle import Decision
from workers.runtime.limits import UNLIMITED, Limits, RulesHangError
from workers.runtime.loop import MAX_ATTEMPTS
from workers.tables.decide import step
from workers.tables.evolve import apply
from workers.tables.state import TableState
from workers.tables.wish import Wish

ANN = Seat(0)


class CountingLog(MemoryLog):
    """Counts what is read from it."""

    def __init__(self) -> None:
        super().__init__(games=["echo"])
        self.loads: Counter[str] = Counter()
        self.most: Counter[Partition] = Counter()

    def load(self, partition: Partition, table: str) -> Loaded:
        self.loads[table] += 1
        return super().load(partition, table)

    def read_commands(
        self, after: Mapping[Partition, str], *, count: int, block_ms: int
    ) -> Mapping[Partition, Sequence[tuple[str, bytes]]]:
        found = super().read_commands(after, count=count, block_ms=block_ms)
        for partition, entries in found.items():
            self.most[partition] = max(self.most[partition], len(entries))
        return found


@pytest.fixture
def log() -> CountingLog:
    """Return an empty store that counts."""
    return CountingLog()


@pytest.fixture
def desk(log: CountingLog) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes."""
    made = Desk(log)
    yield made
    made.close()


def echoes(desk: Desk, table: str, number: int) -> None:
    """Send so many echoes."""
    for _ in range(number):
        desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))


def take_over(desk: Desk, *tables: str, limits: Limits = UNLIMITED) -> None:
    """Replace the worker by one that is careful in the partitions of some tables."""
    desk.worker.leases.release_all()
    desk.worker = Worker(desk.log, "heir", limits=limits)
    desk.worker.leases.tick()
    for table in tables:
        desk.worker.leases.held()[desk.place(table)].careful = 500


def test_a_long_table_is_loaded_once_while_its_worker_is_careful(desk: Desk, log: CountingLog) -> None:
    """Two hundred commands that wait at a table of thousands need its history one time."""
    table = desk.running_table()
    echoes(desk, table, 2_000)
    desk.worker.drain()
    echoes(desk, table, 200)
    take_over(desk, table)
    log.loads.clear()
    log.most.clear()

    desk.worker.drain()

    assert {table: 1} == log.loads
    assert log.most[desk.place(table)] == 1
    assert len(desk.commits(table)) == 4 + 2_200


def test_other_partitions_are_read_as_ever_while_one_is_careful(desk: Desk, log: CountingLog) -> None:
    """Nobody else waits for a partition that is gone through step by step."""
    table = desk.running_table()
    other = next(name for name in (f"echo-x{n}" for n in range(99)) if desk.place(name) != desk.place(table))
    desk.send(other, OpenTable(game="echo", seats=2))
    echoes(desk, table, 20)
    echoes(desk, other, 20)
    take_over(desk, table)
    log.most.clear()

    desk.worker.round()

    assert {desk.place(table): 1, desk.place(other): 20} == log.most


def test_a_takeover_is_gone_through_before_the_partition_is_handed_on(desk: Desk) -> None:
    """Who was paused and is back gets its share when the commands that waited meanwhile are handled."""
    table = desk.running_table()
    echoes(desk, table, 3)
    take_over(desk, table)
    place = desk.worker.leases.held()[desk.place(table)]
    place.surplus = True

    assert desk.worker.round() == 1
    assert desk.place(table) in desk.worker.leases.held()
    while desk.worker.round():
        pass
    desk.worker.round()
    assert desk.place(table) not in desk.worker.leases.held()
    assert len(desk.commits(table)) == 7


def test_a_table_in_memory_does_not_save_a_command_that_ended_its_workers(desk: Desk, log: CountingLog) -> None:
    """What was tried too often is set aside, though the table is at hand; then the table goes on."""
    table = desk.running_table()
    take_over(desk, table)
    echoes(desk, table, 1)
    desk.worker.round()
    assert desk.worker.cache.get(table) is not None
    entry = desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))
    place = log._memory.place(desk.place(table))  # noqa: SLF001  as if workers had ended
    place.attempts = f"{entry} 0", MAX_ATTEMPTS
    echoes(desk, table, 1)

    assert [None, "internal_error", None] == [each.code for each in desk.answers()]
    assert [entry] == [letter.entry for letter in log.dead(desk.place(table))]


class Death(BaseException):
    """The process ends."""


def test_a_death_in_one_partition_is_not_counted_against_another(desk: Desk, log: CountingLog) -> None:
    """However many partitions are gone through carefully, only the command in hand is to blame; all others go on."""
    well = [desk.running_table() for _ in range(12)]
    ill = well.pop(0)
    assert len({desk.place(table) for table in (ill, *well)}) == 4
    for table in (ill, *well):
        echoes(desk, table, 2)

    def dying(state: TableState, wish: Wish) -> Decision:
        if state.table == ill:
            raise Death
        return step(state, wish)

    deaths = 0
    for number in range(2 * MAX_ATTEMPTS):
        desk.worker.leases.release_all()
        desk.worker = Worker(log, f"heir {number}", limits=Limits(step=dying))
        desk.worker.leases.tick()
        for place in desk.worker.leases.held().values():
            place.careful = 500
        try:
            for _ in range(99):
                desk.worker.round()
        except Death:
            deaths += 1
            attempts = {place.number: log._memory.place(place).attempts for place in log.partitions("echo")}  # noqa: SLF001  what is held against whom
            assert [desk.place(ill).number] == [number for number, (_, count) in attempts.items() if count]

    take_over(desk, ill)
    desk.worker.drain()

    assert deaths == 2 * MAX_ATTEMPTS
    assert 4 == len(desk.commits(ill))
    assert 2 == len(log.dead(desk.place(ill)))
    assert {4 + 2} == {len(desk.commits(table)) for table in well if desk.place(table) != desk.place(ill)}
    assert not [letter for place in log.partitions("echo") if place != desk.place(ill) for letter in log.dead(place)]


def test_a_command_for_no_table_is_answered_while_its_worker_is_careful(desk: Desk) -> None:
    """A careful worker opens tables, and knows those that are none."""
    take_over(desk, "echo-new")
    desk.post("echo-new", envelope("echo-new", Echo(seat=ANN), seat_actor(ANN)))
    desk.post("echo-new", envelope("echo-new", OpenTable(game="echo", seats=2), PLATFORM))

    assert ["unknown_table", None] == [each.code for each in desk.answers()]


@pytest.mark.parametrize("fault", [RulesHangError("as if"), RuntimeError("as it was told")])
@pytest.mark.parametrize("careful", [False, True])
def test_a_history_that_cannot_be_folded_breaks_its_table_alone(
    desk: Desk, log: CountingLog, fault: Exception, *, careful: bool
) -> None:
    """Its commands are set aside after one try at it, other tables of the same worker go on."""
    ill, well = desk.running_table(), desk.running_table()

    def fold(state: TableState, events: Sequence[Event], answered: Seat | None, at: int) -> TableState:
        if state.table == ill and state.version == 3:
            raise fault
        return apply(state, events, answered, at)

    take_over(desk, *([ill, well] if careful else []), limits=Limits(fold=fold))
    log.loads.clear()
    codes: dict[str, list[str | None]] = {ill: [], well: []}
    for _ in range(2):
        for table in (ill, well, ill):
            echoes(desk, table, 1)
        for each in desk.answers():
            codes[each.table].append(each.code)

    head = desk.log.head(desk.place(ill), ill)
    assert head is not None
    assert head.status == "running"
    assert {ill: ["internal_error"] * 4, well: [None] * 2} == codes
    assert {ill: 1, well: 1} == log.loads


def test_a_history_is_folded_under_watch(desk: Desk) -> None:
    """The watch begins before the first fold, and hears of each entry that was taken in."""
    table = desk.running_table()
    echoes(desk, table, 10)
    desk.worker.drain()
    beats: list[int] = []

    @contextmanager
    def watched() -> Iterator[Callable[[], None]]:
        beats.append(0)
        yield lambda: beats.append(beats.pop() + 1)

    take_over(desk, limits=Limits(watched=watched))
    echoes(desk, table, 3)
    desk.worker.drain()

    assert [14, 3] == beats


def test_a_table_that_was_loaded_keeps_its_status_when_it_refuses(desk: Desk) -> None:
    """The head of a table tells that it runs, whoever decides its next command."""
    table = desk.running_table()
    take_over(desk)
    desk.send(table, Balk(seat=ANN), seat_actor(ANN))

    head = desk.log.head(desk.place(table), table)

    assert head is not None
    assert head.status == "running"


def test_conflicts_that_are_remembered_are_bounded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that runs for years does not remember each table that ever moved on without it."""
    table = desk.running_table()
    real = desk.log.commit_all
    faults = [ConflictError(f"echo-c{number}") for number in range(5)]

    def commit_all(batches: Sequence[Batch]) -> Sequence[Exception | None]:
        return [faults.pop()] if faults else real(batches)

    monkeypatch.setattr(desk.log, "commit_all", commit_all)
    monkeypatch.setattr("workers.runtime.loop.MAX_CONFLICTED", 3)
    echoes(desk, table, 1)
    for _ in range(6):
        desk.worker.drain()

    assert [None] == [each.code for each in desk.answers()]
    assert ["echo-c2", "echo-c1", "echo-c0"] == list(desk.worker._loop._conflicts)  # noqa: SLF001  what it remembers


def test_a_node_that_was_away_at_a_commit_is_asked_again_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only damage is a reason to leave a partition alone for a while."""
    table = desk.running_table()
    real = desk.log.commit_all
    faults = [StoreAwayError("the server reads its files")]

    def commit_all(batches: Sequence[Batch]) -> Sequence[Exception | None]:
        return [faults.pop()] if faults else real(batches)

    monkeypatch.setattr(desk.log, "commit_all", commit_all)
    echoes(desk, table, 1)
    desk.worker.drain()

    assert [None] == [each.code for each in desk.answers()]
