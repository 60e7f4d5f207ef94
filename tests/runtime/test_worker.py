"""What a rule worker makes of commands: each is answered once, whatever was sent."""

from __future__ import annotations

import gc
import tracemalloc
import uuid
from collections.abc import Sequence

import pytest

from events.codec import pack
from events.commit import chained
from events.log.errors import ConflictError
from events.log.memory import MemoryLog
from events.log.records import Loaded
from events.messages import Seat
from events.streams import Partition
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Actor, Player
from tests.runtime.desk import PLATFORM, Desk, Worker, envelope, seat_actor
from tests.runtime.echo.commands import Balk, Crash, Echo, Finish
from tests.runtime.echo.rules import EchoShelf
from workers.runtime.cache import Cache
from workers.runtime.seal import sealed
from workers.runtime.table import MAX_REFUSALS, Table

ANN, BO = Seat(0), Seat(1)


def test_a_command_is_answered_and_kept(desk: Desk) -> None:
    """An accepted command is told its versions, and stands in the history with its events."""
    table = desk.running_table()

    answer = desk.send(table, Echo(seat=ANN, text="hi"), seat_actor(ANN))

    assert (5, 5, None) == (answer.first, answer.version, answer.code)
    assert desk.commits(table)[-1].command.command_id == answer.command_id
    assert answer == desk.log.answer(desk.place(table), table, answer.command_id)


def test_a_duplicate_gets_the_same_answer(desk: Desk) -> None:
    """The same command sent again changes nothing, in the same batch, later, and after the worker restarted."""
    table = desk.running_table()
    for command, seat in ((Echo(seat=ANN), ANN), (Balk(seat=BO), BO)):
        body = envelope(table, command, seat_actor(seat))
        for _ in range(3):
            desk.post(table, body)
        first = desk.answers()
        before = len(desk.entries(table))
        desk.post(table, body)
        first += desk.answers()
        desk.worker.leases.release_all()
        desk.worker = Worker(desk.log, "another")
        desk.post(table, body)
        first += desk.answers()

        assert [first[0]] * 5 == first
        assert before == len(desk.entries(table))


def test_a_command_id_is_good_for_one_command(desk: Desk) -> None:
    """The same id with another body or of another seat is refused, and that refusal is not kept."""
    table = desk.running_table()
    name = uuid.uuid4().bytes
    desk.send(table, Echo(seat=ANN, text="a"), seat_actor(ANN), command_id=name)
    before = len(desk.entries(table))

    other_body = desk.send(table, Echo(seat=ANN, text="b"), seat_actor(ANN), command_id=name)
    other_seat = desk.send(table, Echo(seat=ANN, text="a"), seat_actor(BO), command_id=name)

    assert other_body.code == other_seat.code == "command_id_reused"
    assert before == len(desk.entries(table))


def test_each_refusal_has_its_own_code(desk: Desk) -> None:
    """Refused, stale, wrong turn, unknown table, finished table and malformed can be told apart."""
    table = desk.running_table(turns=True)

    assert desk.send(table, Balk(seat=ANN), seat_actor(ANN)).code == "told_to_refuse"
    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN), expected=1).code == "stale_version"
    assert desk.send(table, Echo(seat=BO), seat_actor(BO)).code == "not_your_turn"
    assert desk.send(table, Echo(seat=ANN), seat_actor(BO)).code == "not_your_seat"
    assert desk.send("echo-nowhere", Echo(seat=ANN), seat_actor(ANN)).code == "unknown_table"
    assert desk.send(table, b"\xff\xff", seat_actor(ANN)).code == "malformed"
    assert desk.send(table, Finish(seat=ANN), seat_actor(ANN)).code is None
    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code == "table_over"


def test_another_platform_learns_nothing(desk: Desk) -> None:
    """To a platform that does not own a table it does not exist, and nothing is kept of the try."""
    table = desk.running_table()
    before = len(desk.entries(table))

    assert desk.send(table, Echo(seat=ANN), Actor("seat", "others", ANN)).code == "unknown_table"
    assert before == len(desk.entries(table))


def test_a_table_is_known_in_its_own_partition_alone(desk: Desk) -> None:
    """A command that strayed into another partition cannot make a second history of a table."""
    table = desk.running_table()
    other = next(place for place in desk.log.partitions("echo") if place != desk.place(table))
    desk.log.submit(other, envelope(table, Echo(seat=ANN), seat_actor(ANN)))

    assert ["unknown_table"] == [answer.code for answer in desk.answers()]
    assert desk.log.head(other, table) is None


@pytest.mark.parametrize("name", ["echo", "echo-", "echo-a/b", "nope-abc", "echo-" + "x" * 41, "", "echo-\x00"])
def test_a_table_with_a_strange_name_is_not_opened(desk: Desk, name: str) -> None:
    """Names come from outside and become keys."""
    place = desk.log.partitions("echo")[0]
    desk.log.submit(place, envelope(name, OpenTable(game="echo", seats=2), PLATFORM))

    assert ["unknown_table"] == [answer.code for answer in desk.answers()]


def test_a_refused_opening_leaves_nothing(desk: Desk) -> None:
    """A table that was never opened has no history."""
    assert desk.send("echo-new", OpenTable(game="echo", seats=99), PLATFORM).code == "seats_out_of_range"
    assert not desk.entries("echo-new")
    assert desk.send("echo-new", OpenTable(game="echo", seats=2), PLATFORM).code is None


def test_a_hundred_refusals_change_no_version(desk: Desk) -> None:
    """Refusals are kept beside the versions; a command that saw the old version is still good."""
    table = desk.running_table()
    for _ in range(100):
        desk.post(table, envelope(table, Balk(seat=ANN), seat_actor(ANN)))

    assert {("told_to_refuse", 4)} == {(answer.code, answer.version) for answer in desk.answers()}
    head = desk.log.head(desk.place(table), table)
    assert head is not None
    assert head.version == 4
    assert list(range(1, 101)) == [refusal.number for refusal in desk.refusals(table)]
    assert desk.send(table, Echo(seat=BO), seat_actor(BO), expected=4).code is None


def test_refusals_of_a_seat_are_kept_up_to_a_limit(desk: Desk) -> None:
    """Then it is told so; what is legal goes on, and other seats are not touched."""
    table = desk.running_table()
    for _ in range(MAX_REFUSALS + 5):
        desk.post(table, envelope(table, Balk(seat=ANN), seat_actor(ANN)))

    assert ["told_to_refuse"] * MAX_REFUSALS + ["rate_limited"] * 5 == [answer.code for answer in desk.answers()]
    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None
    again = desk.send(table, Balk(seat=ANN), seat_actor(ANN))
    assert (again.code, again.details) == ("rate_limited", {"refused": "told_to_refuse"})
    assert desk.send(table, Balk(seat=BO), seat_actor(BO)).code == "told_to_refuse"
    assert len(desk.refusals(table)) == MAX_REFUSALS + 1


def test_simultaneous_answers_do_not_make_each_other_stale(desk: Desk) -> None:
    """Five seats that all saw the same version are all accepted."""
    table = desk.running_table(seats=5)
    for seat in range(5):
        desk.post(table, envelope(table, Echo(seat=Seat(seat)), seat_actor(seat), expected=7))

    assert [None] * 5 == [answer.code for answer in desk.answers()]


def test_one_of_a_burst_in_a_turn_is_accepted(desk: Desk) -> None:
    """Five clicks of one seat at the same version are one move; the others are told the current version."""
    table = desk.running_table(turns=True)
    for _ in range(5):
        desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN), expected=4))
    first, *others = desk.answers()

    assert first.code is None
    assert [("stale_version", {"version": 5})] * 4 == [(answer.code, answer.details) for answer in others]


def test_rules_that_crash_hurt_nobody_else(desk: Desk) -> None:
    """The sender is told, the command is set aside, the table stays as it was and other tables never notice."""
    table, other = desk.running_table(), desk.running_table()
    crash = envelope(table, Crash(seat=ANN), seat_actor(ANN))
    for body in (crash, envelope(table, Echo(seat=ANN), seat_actor(ANN)), crash):
        desk.post(table, body)
    desk.post(other, envelope(other, Echo(seat=ANN), seat_actor(ANN)))

    codes = [answer.code for answer in desk.answers() if answer.table == table]
    assert ["internal_error", None, "internal_error"] == codes
    assert len(desk.commits(other)) == len(desk.commits(table)) == 5


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"{}",
        b"\x95",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 60_000,
        pack([b"short", "echo-t0", ["seat", "tests", 0], {"kind": "echo"}, None]),
        pack([bytes(16), "echo-t0", ["seat"], 3, "x"]),
        pack({"command_id": bytes(16)}),
        bytes(65_000),
    ],
)
def test_garbage_in_the_stream_stops_nothing(desk: Desk, body: bytes) -> None:
    """What is no envelope is answered if it can be told whom, set aside otherwise; the next command is handled."""
    table = desk.running_table()
    desk.post(table, body)
    desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))

    *garbage, answer = desk.answers()

    assert answer.code is None
    assert all(each.code == "malformed" for each in garbage)


def test_entries_of_another_shape_stop_nothing(desk: Desk) -> None:
    """Two megabytes, or other fields, written past the door, are passed over."""
    table = desk.running_table()
    if hasattr(desk.log, "_store"):
        do = desk.log._store.command  # noqa: SLF001  a hand in the store
        commands = desk.place(table).commands
        do("XADD", commands, "*", "body", bytes(2_000_000))
        do("XADD", commands, "*", "other", b"x", "more", b"y")
        do("XDEL", commands, do("XADD", commands, "*", "body", b"x"))

    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None


KIND = b"\xa4kind\xa4echo"
SEAT = b"\xa4seat"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"\x82" + KIND + SEAT + b"\xcf" + b"\xff" * 8, "unknown_seat"),
        (b"\x82" + KIND + SEAT + b"\xd3\x80" + bytes(7), "unknown_seat"),
        (b"\x82" + KIND + SEAT + b"\xcb\x7f\xf8" + bytes(6), "wrong_type"),
        (b"\x82" + KIND + SEAT + b"\xa10", "wrong_type"),
        (b"\x83" + KIND + SEAT + b"\x00" + b"\xa1x\x00", "unknown_field"),
        (b"\x81" + KIND, "missing_field"),
        (b"\x82\xa4kind\xa4nope" + SEAT + b"\x00", "unknown_kind"),
        (b"\x83" + KIND + SEAT + b"\x00" + b"\xa4text" + b"\xa2\xff\xfe", "not_utf8"),
        (b"\x83" + KIND + SEAT + b"\x00" + b"\xa4text" + b"\x91" * 3_000 + b"\xc0", "nested_too_deeply"),
        (b"\x83" + KIND + SEAT + b"\x01" + SEAT + b"\x00", None),
        (b"\x82" + KIND + SEAT + b"\xd4\x00\x00", "wrong_type"),
    ],
)
def test_strange_bodies_are_answered(desk: Desk, body: bytes, code: str | None) -> None:
    """Numbers beyond all bounds, no numbers, unknown fields, deep nests and doubled fields: one answer each."""
    table = desk.running_table()

    answer = desk.send(table, body, seat_actor(ANN))

    assert code == answer.details.get("reason", answer.code)
    if answer.code == "malformed":
        assert answer.details["path"].startswith("$")


def test_a_table_of_newer_rules_is_left_alone(desk: Desk) -> None:
    """A worker without a table's rules neither guesses nor keeps anything."""
    table = desk.running_table()
    before = len(desk.entries(table))
    desk.worker.leases.release_all()
    desk.worker = Worker(desk.log, "old", shelf=EchoShelf(version=0))

    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code == "needs_newer_program"
    assert before == len(desk.entries(table))


def test_a_batch_goes_on_where_the_last_one_ended(desk: Desk) -> None:
    """Thousands of commands of many tables are handled in order."""
    tables = [desk.running_table() for _ in range(5)]
    for number in range(1500):
        table = tables[number % 5]
        desk.post(table, envelope(table, Echo(seat=ANN, text=str(number)), seat_actor(ANN)))

    assert len(desk.answers()) == 1500
    for table in tables:
        assert len(desk.commits(table)) == 304


def test_an_old_owner_is_refused(desk: Desk) -> None:
    """Who lost its leases without knowing commits nothing, and learns of it."""
    table = desk.running_table()
    new = Worker(desk.log, "new")
    for place in desk.worker.leases.held().values():
        desk.log.release(place.lease)
    desk.log.withdraw("echo", owner="desk")
    desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))
    new.leases.tick()

    desk.worker.round()

    assert len(desk.commits(table)) == 4
    assert desk.place(table) not in desk.worker.leases.held()
    assert new.drain() == 1
    assert len(desk.commits(table)) == 5


def test_a_careful_owner_that_is_too_late_goes_on(desk: Desk) -> None:
    """Who is fenced while it counts a command drops the partition, and no more."""
    table = desk.running_table()
    place = desk.worker.leases.held()[desk.place(table)]
    place.careful = 5
    desk.log.release(place.lease)
    desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))

    assert desk.worker.round() == 0
    assert desk.place(table) not in desk.worker.leases.held()
    assert [None] == [each.code for each in desk.answers()]


def test_partitions_are_shared_fairly(desk: Desk) -> None:
    """A second worker gets half, a third a part; who leaves is replaced at once."""
    workers = [desk.worker, Worker(desk.log, "b"), Worker(desk.log, "c")]
    for _ in range(4):
        for worker in workers:
            worker.leases._renewed = 0.0  # noqa: SLF001  as if time had passed
            worker.drain()

    assert [1, 1, 2] == sorted(len(worker.leases.held()) for worker in workers)
    workers[0].leases.release_all()
    for worker in workers[1:]:
        worker.leases._renewed = 0.0  # noqa: SLF001  as above
        worker.drain()
    assert [2, 2] == [len(worker.leases.held()) for worker in workers[1:]]


def test_a_commit_that_is_told_to_have_failed_starts_from_the_store(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a table moved on without the worker it is loaded again, and every command is handled once."""
    table = desk.running_table()
    real = desk.log.commit_all
    failures = [ConflictError(table)]

    def commit_all(batches: object) -> object:
        return [failures.pop()] if failures else real(batches)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(desk.log, "commit_all", commit_all)

    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None
    assert len(desk.commits(table)) == 5


def test_a_table_that_does_not_match_its_head_stops_nobody_else(desk: Desk) -> None:
    """Its commands are answered and set aside; the other tables of its partition go on."""
    table = desk.running_table()
    other = next(name for name in (f"echo-x{n}" for n in range(99)) if desk.place(name) == desk.place(table))
    if hasattr(desk.log, "_store"):
        desk.log._store.command("HSET", desk.place(table).head(table), "chain", "x")  # noqa: SLF001  a hand in the store
    else:
        desk.log._memory.place(desk.place(table)).tables[table].chain = b"x"  # noqa: SLF001  as above
    desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))
    desk.post(other, envelope(other, OpenTable(game="echo", seats=2), PLATFORM))

    for _ in range(5):
        desk.worker.drain()

    assert {table: "internal_error", other: None} == {each.table: each.code for each in desk.answers()}
    assert len(desk.commits(table)) == 4


def test_secrets_are_kept_until_they_are_revealed(desk: Desk) -> None:
    """A table's secret lies in the store while it is secret, and in the history afterwards."""
    table = desk.running_table()
    assert desk.log.load(desk.place(table), table).secret is not None

    desk.send(table, Finish(seat=ANN), seat_actor(ANN))

    assert desk.log.load(desk.place(table), table).secret is None
    head = desk.log.head(desk.place(table), table)
    assert head is not None
    assert head.status == "over"


def test_an_entry_is_sealed_as_its_chain_says(desk: Desk) -> None:
    """The short way of packing gives what the long way gives."""
    for entry in desk.entries(desk.running_table()):
        body, chain = sealed(
            entry.__class__(*(getattr(entry, name) for name in entry.__struct_fields__[:-1])), b"x" * 32
        )

        assert pack(chained(entry, b"x" * 32)) == body
        assert chained(entry, b"x" * 32).chain == chain


def test_tables_in_memory_are_bounded() -> None:
    """The longest untouched go first, one with undecided business never."""
    cache = Cache(max_weight=3)
    tables = [Table("echo", f"echo-{n}", EchoShelf(), None) for n in range(5)]
    for table in tables:
        cache.put(Partition("echo", 0), table)

    assert len(cache) == 3
    assert cache.get("echo-0") is None
    assert cache.get("echo-4") is tables[4]


def test_a_table_that_is_over_is_not_kept_in_memory(desk: Desk) -> None:
    """Whoever sends its last command again is answered from the history."""
    table = desk.running_table()
    assert desk.worker.cache.get(table) is not None
    name = uuid.uuid4().bytes
    told = desk.send(table, Finish(seat=ANN), seat_actor(ANN), command_id=name)

    assert desk.worker.cache.get(table) is None
    assert told == desk.send(table, Finish(seat=ANN), seat_actor(ANN), command_id=name)
    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code == "table_over"
    assert desk.worker.cache.get(table) is None


def test_players_can_sit_down_and_start(desk: Desk) -> None:
    """Table life goes the same way as play."""
    answers = [
        desk.send("echo-life", OpenTable(game="echo", seats=2)),
        desk.send("echo-life", TakeSeat(seat=ANN, player=Player("p"))),
        desk.send("echo-life", TakeSeat(seat=BO, player=Player("q"))),
        desk.send("echo-life", StartTable()),
    ]

    assert [(n, n, None) for n in range(1, 5)] == [(each.first, each.version, each.code) for each in answers]


def test_many_long_tables_are_loaded_a_few_at_a_time(desk: Desk) -> None:
    """What does not fit waits for the next round; every command is answered once, those of a table in order."""
    tables = [desk.running_table() for _ in range(6)]
    for table in tables:
        desk.send(table, Echo(seat=ANN, text="x" * 10_000), seat_actor(ANN))
    desk.worker.leases.release_all()
    desk.worker = Worker(desk.log, "another", max_loaded=25_000)
    desk.worker.leases.tick()
    loads: list[int] = []
    real = desk.log.load_all

    def load_all(wanted: Sequence[tuple[Partition, str]]) -> Sequence[Loaded]:
        loaded = real(wanted)
        loads.append(sum(len(body) for each in loaded for body in each.entries))
        return loaded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk.log, "load_all", load_all)
        for text in "abc":
            for table in tables:
                desk.post(table, envelope(table, Echo(seat=ANN, text=text), seat_actor(ANN)))
        answers = desk.answers()

    assert [None] * 18 == [each.code for each in answers]
    assert 10_000 <= max(loads) <= 25_000
    assert len(loads) >= 3
    for table in tables:
        assert [6, 7, 8] == [each.first for each in answers if each.table == table]
        assert len(desk.commits(table)) == 8


def test_a_table_that_alone_is_too_long_is_loaded_all_the_same(desk: Desk) -> None:
    """Otherwise nothing behind its commands would ever be handled."""
    table = desk.running_table()
    desk.worker.leases.release_all()
    desk.worker = Worker(desk.log, "another", max_loaded=1)

    assert desk.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None


ANSWER_BYTES = 200
"""What an answer may take in a worker's memory, with its place in the table; measured: about 150."""


def test_thousands_of_answers_at_one_table_stay_small() -> None:
    """Whoever sends a command again is told what it was answered; for 5,000 of them that takes less than a megabyte."""
    desk = Desk(MemoryLog(games=["echo"]))
    table = desk.running_table()
    first = uuid.uuid4().bytes
    told = desk.send(table, Echo(seat=ANN), seat_actor(ANN), command_id=first)
    for _ in range(5_000):
        desk.post(table, envelope(table, Echo(seat=ANN), seat_actor(ANN)))
    desk.worker.drain()
    loaded = desk.log.load(desk.place(table), table)
    kept = Table("echo", table, EchoShelf(), loaded.secret)
    gc.collect()
    tracemalloc.start()
    try:
        kept.replay(loaded, fold=lambda state, *_: state, beat=lambda: None)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    print(f"\n{taken / 5_000:.0f} bytes an answer")

    assert told == kept.told(first)
    assert taken < 5_000 * ANSWER_BYTES
