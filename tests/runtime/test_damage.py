"""Keys that somebody wrote over: what they are for stands still, and all else goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from events.log.errors import DamagedError
from events.log.records import Answer
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import Partition
from tests.clusters import Cluster
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, Worker, envelope, seat_actor
from tests.runtime.echo.commands import Echo
from tests.servers import Server
from tests.until import until

ANN = Seat(0)
KeyOf = Callable[[Partition, str], str]

OF_A_TABLE: Sequence[KeyOf] = (Partition.truth, Partition.head)
OF_A_PARTITION: Sequence[KeyOf] = (
    lambda place, _: place.commands,
    lambda place, _: place.cursor,
    lambda place, _: place.feed,
    lambda place, _: place.tables,
    lambda place, _: place.secrets,
    lambda place, _: place.dead,
)
NAMES = ("commands", "cursor", "feed", "tables", "secrets", "dead")


@pytest.fixture(params=["valkey", "redis7", "cluster"])
def desk(request: pytest.FixtureRequest, patient: None) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes."""
    server: Server | Cluster = request.getfixturevalue(request.param)
    opened = RedisLog(emptied(server), games=["echo"])
    made = Desk(opened)
    yield made
    made.close()
    opened.close()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again soon."""
    monkeypatch.setattr("workers.runtime.loop.STALL_S", 0.1)
    monkeypatch.setattr("workers.runtime.leases.DAMAGED_S", 0.1)


def tables(desk: Desk) -> tuple[str, str, str]:
    """Return a table to hurt, one in its partition, and one elsewhere."""
    hurt, *others = [desk.running_table() for _ in range(12)]
    beside = next(each for each in others if desk.place(each) == desk.place(hurt))
    elsewhere = next(each for each in others if desk.place(each) != desk.place(hurt))
    return hurt, beside, elsewhere


def command(desk: Desk, *words: str | bytes | int) -> object:
    """Do something by hand."""
    assert isinstance(desk.log, RedisLog)
    return desk.log._store.command(*words)  # noqa: SLF001  a hand in the store


def overwrite(desk: Desk, key: str) -> None:
    """Put something else in the place of a key, and keep what was there."""
    if command(desk, "EXISTS", key):
        command(desk, "RENAME", key, f"{key}:kept")
    command(desk, "SET", key, "by hand")


def restore(desk: Desk, key: str) -> None:
    """Put back what was there."""
    command(desk, "DEL", key)
    if command(desk, "EXISTS", f"{key}:kept"):
        command(desk, "RENAME", f"{key}:kept", key)


def echo(desk: Desk, table: str) -> None:
    """Send an echo."""
    desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))


def told(answers: Sequence[Answer], table: str) -> list[str | None]:
    """Return what was answered at a table."""
    return [each.code for each in answers if each.table == table]


@pytest.mark.parametrize("fresh", [False, True], ids=["in memory", "loaded"])
@pytest.mark.parametrize("key_of", OF_A_TABLE, ids=["truth", "head"])
def test_a_key_of_a_table_that_was_written_over_breaks_that_table_alone(
    desk: Desk, key_of: KeyOf, *, fresh: bool
) -> None:
    """Its commands are set aside with the reason, others are handled as ever, and restored it goes on."""
    hurt, beside, elsewhere = tables(desk)
    place = desk.place(hurt)
    key = key_of(place, hurt)
    overwrite(desk, key)
    if fresh:
        desk.worker.leases.release_all()
        desk.worker = Worker(desk.log, "heir")
    for table in (beside, hurt, elsewhere, beside):
        echo(desk, table)
    answers: list[Answer] = []

    def answered() -> bool:
        answers.extend(desk.answers())
        return len(answers) >= 4

    until(answered, what="all are answered")

    assert ["internal_error"] == told(answers, hurt)
    assert [None] * 2 == told(answers, beside)
    assert [None] == told(answers, elsewhere)
    (letter,) = desk.log.dead(place)
    assert key in letter.reason
    assert [4 + 2, 4 + 1] == [len(desk.commits(beside)), len(desk.commits(elsewhere))]

    restore(desk, key)
    echo(desk, hurt)

    assert [None] == told(desk.answers(), hurt)
    assert 4 + 1 == len(desk.commits(hurt))


@pytest.mark.parametrize("careful", [0, 500])
@pytest.mark.parametrize("key_of", OF_A_PARTITION, ids=NAMES)
def test_a_key_of_a_partition_that_was_written_over_stalls_that_partition_alone(
    desk: Desk, key_of: KeyOf, capsys: pytest.CaptureFixture[str], *, careful: int
) -> None:
    """It is logged and waits, nothing of it is half written; others go on, and restored it goes on, too."""
    hurt, beside, elsewhere = tables(desk)
    place = desk.place(hurt)
    desk.worker.leases.held()[place].careful = careful
    key = key_of(place, hurt)
    for table in (hurt, beside):
        echo(desk, table)
    overwrite(desk, key)
    echo(desk, elsewhere)
    answers: list[Answer] = []

    def answered() -> bool:
        answers.extend(desk.answers())
        return elsewhere in {each.table for each in answers}

    until(answered, what="the other partition is handled")
    untouched = [len(desk.entries(table)) for table in (hurt, beside)]

    assert {elsewhere} == {each.table for each in answers}
    assert [4, 4] == untouched
    assert place.tag in capsys.readouterr().out

    restore(desk, key)

    def went_on() -> bool:
        answers.extend(desk.answers())
        return {hurt, beside} <= {each.table for each in answers}

    until(went_on, what="the partition goes on")
    assert [[None], [None]] == [told(answers, table) for table in (hurt, beside)]
    assert [4 + 1, 4 + 1] == [len(desk.commits(table)) for table in (hurt, beside)]


@pytest.mark.parametrize("key_of", OF_A_PARTITION, ids=NAMES)
def test_a_worker_that_comes_takes_what_is_whole(desk: Desk, key_of: KeyOf) -> None:
    """A partition that cannot be taken on keeps nobody from the others."""
    hurt, _, elsewhere = tables(desk)
    desk.worker.leases.release_all()
    overwrite(desk, key_of(desk.place(hurt), hurt))
    desk.worker = Worker(desk.log, "heir")
    echo(desk, elsewhere)

    until(lambda: elsewhere in {each.table for each in desk.answers()}, what="the other partition is handled")

    assert set(desk.log.partitions("echo")) - set(desk.worker.leases.held()) <= {desk.place(hurt)}


def test_a_truth_that_was_added_to_and_cut_by_hand_is_no_half_written_commit(desk: Desk) -> None:
    """An entry that can have no place behind what was once there is found before anything is written."""
    hurt, beside, _ = tables(desk)
    truth = desk.place(hurt).truth(hurt)
    command(desk, "XADD", truth, "99-0", "body", "by hand")
    command(desk, "XDEL", truth, "99-0")
    for table in (beside, hurt, beside):
        echo(desk, table)
    answers: list[Answer] = []

    def answered() -> bool:
        answers.extend(desk.answers())
        return len(answers) >= 3

    until(answered, what="all are answered")

    assert ["internal_error"] == told(answers, hurt)
    assert [None] * 2 == told(answers, beside)
    assert [4, 4 + 2] == [len(desk.commits(hurt)), len(desk.commits(beside))]


def test_dropping_a_letter_writes_nothing_where_the_cursor_is_damaged(desk: Desk) -> None:
    """All checks stand before the first write."""
    hurt, _, _ = tables(desk)
    place = desk.place(hurt)
    overwrite(desk, place.head(hurt))
    echo(desk, hurt)
    until(lambda: desk.answers() or desk.log.dead(place), what="it is set aside")
    overwrite(desk, place.cursor)
    (letter,) = desk.log.dead(place)

    with pytest.raises(DamagedError):
        desk.log.drop_dead(place, letter.entry)

    assert [letter] == desk.log.dead(place)
