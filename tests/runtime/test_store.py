"""What every store does alike: in memory, on Valkey 9 and on Redis 7.0."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.codec import pack, raw
from events.commit import Commit, Entry, Received, Refusal, chained, entry_id
from events.log.errors import BusyError, ConflictError, FencedError, GapError, OrderError, TooLargeError
from events.log.records import Answer, Batch, DeadLetter, Head, Lease, TableWrite
from events.streams import Partition
from events.tables.vocabulary import Actor
from tests.runtime.conftest import Log
from tests.until import until

P = Partition("nains", 1)
TABLE = "nains-abc"
ME = Actor("platform", "tests")
TTL = 60_000


def lease(log: Log, owner: str = "ann", ttl_ms: int = TTL) -> Lease:
    """Return a lease that must be free."""
    held = log.acquire(P, owner=owner, ttl_ms=ttl_ms)
    assert held is not None
    return held


def entry(number: int, previous: bytes = b"", *, refused: bool = False) -> tuple[str, bytes, bytes]:
    """Return id, bytes and chain of a made-up entry."""
    command = Received("1-0", number.to_bytes(16, "big"), ME, raw({"kind": "x"}))
    bare: Entry = Commit(number, number, command, (), 1, bytes(16))
    if refused:
        bare = Refusal(number, 1, command, "no", {}, 1, bytes(16))
    made = chained(bare, previous)
    return entry_id(made), pack(made), made.chain


def batch(held: Lease, after: str, position: str, *tables: TableWrite, **rest: object) -> Batch:
    """Return a batch of one command."""
    return Batch(lease=held, after=after, position=position, handled=1, tables=tables, **rest)  # type: ignore[arg-type]


def write(*entries: tuple[str, bytes, bytes], expected: bytes = b"", **rest: object) -> TableWrite:
    """Return what adds entries to the table."""
    return TableWrite(
        table=TABLE,
        expected=expected,
        entries=[each[:2] for each in entries],
        version=int(entries[-1][0].partition("-")[0]),
        status="running",
        chain=entries[-1][2],
        **rest,  # type: ignore[arg-type]
    )


def test_commands_are_read_in_the_order_they_were_sent(log: Log) -> None:
    """A reader gets what stands behind its position, and no more than it asked for."""
    ids = [log.submit(P, b"one"), *log.submit_all([(P, b"two"), (P, b"three")])]

    assert {P: [(ids[0], b"one"), (ids[1], b"two")]} == log.read_commands({P: "0-0"}, count=2, block_ms=1)
    assert {P: [(ids[2], b"three")]} == log.read_commands({P: ids[1]}, count=2, block_ms=1)
    assert not log.read_commands({P: ids[2]}, count=2, block_ms=1)


def test_many_partitions_are_read_at_once(log: Log) -> None:
    """One read serves a worker with several partitions."""
    other = Partition("nains", 3)
    log.submit(other, b"x")
    log.submit(P, b"y")

    found = log.read_commands({P: "0-0", other: "0-0", Partition("nains", 0): "0-0"}, count=9, block_ms=1)

    assert {other: [b"x"], P: [b"y"]} == {place: [body for _, body in entries] for place, entries in found.items()}


def test_a_command_that_is_too_large_is_refused(log: Log) -> None:
    """A door cannot fill the store with one command."""
    with pytest.raises(TooLargeError):
        log.submit(P, bytes(65_537))

    log.submit(P, bytes(65_536))


def test_a_lease_is_held_by_one(log: Log) -> None:
    """Nobody else gets a lease that runs; each acquisition has a higher fence."""
    first = lease(log, "ann")

    assert log.acquire(P, owner="bo", ttl_ms=TTL) is None
    log.release(first)
    second = lease(log, "bo")

    assert second.fence > first.fence
    assert second.clean
    assert not log.renew(first, ttl_ms=TTL)
    assert log.renew(second, ttl_ms=TTL)


def test_an_expired_lease_is_taken_over_and_known_to_be_unclean(log: Log) -> None:
    """Who takes over from one who vanished is told so, and the old owner can do nothing any more."""
    old = lease(log, "ann", ttl_ms=1)
    new: Lease | None = until(lambda: log.acquire(P, owner="bo", ttl_ms=TTL), what="the lease has expired")
    assert new is not None

    assert not new.clean
    with pytest.raises(FencedError):
        log.commit(batch(old, "0-0", "1-0"))
    with pytest.raises(FencedError):
        log.attempt(old, "1-0")
    log.commit(batch(new, "0-0", "1-0"))


def test_a_released_lease_commits_nothing(log: Log) -> None:
    """Handing over ends the right to write, even before somebody else takes it."""
    held = lease(log)
    log.release(held)

    with pytest.raises(FencedError):
        log.commit(batch(held, "0-0", "1-0"))


def test_a_lease_is_its_owners_alone(log: Log) -> None:
    """Where a fence was given twice, the other owner can neither renew nor release nor count nor commit."""
    held = lease(log)
    other = replace(held, owner="bo")

    assert not log.renew(other, ttl_ms=TTL)
    with pytest.raises(FencedError):
        log.attempt(other, "5-0")
    with pytest.raises(FencedError):
        log.commit(batch(other, "0-0", "5-0"))
    log.release(other)
    assert log.renew(held, ttl_ms=TTL)
    log.commit(batch(held, "0-0", "5-0"))


def test_a_table_keeps_its_status_when_none_is_told(log: Log) -> None:
    """Who does not know what a table is leaves what is known of it."""
    held = lease(log)
    one = entry(1)
    log.commit(batch(held, "0-0", "5-0", write(one)))
    no = entry(1, one[2], refused=True)

    log.commit(batch(held, "5-0", "6-0", replace(write(no, expected=one[2]), status="")))

    assert Head(version=1, status="running") == log.head(P, TABLE)


def test_a_commit_writes_everything(log: Log) -> None:
    """History, head, feed, index, secret, cursor and answers change in one call."""
    held = lease(log)
    ear = log.listen([P])
    opening = entry(1)
    refusal = entry(1, opening[2], refused=True)
    answer = Answer(bytes(16), TABLE, 1, 1)

    log.commit(batch(held, "0-0", "5-0", write(opening, refusal, opened=77, secret=b"s"), answers=[answer]))

    loaded = log.load(P, TABLE)
    assert [opening[1], refusal[1]] == list(loaded.entries)
    assert loaded.secret == b"s"
    assert Head(version=1, status="running") == log.head(P, TABLE)
    assert {P: [(1, TABLE, opening[1])]} == log.read_feed({P: 0}, count=9, block_ms=1)
    assert log.feed_end(P) == 1
    assert [TABLE] == list(log.tables(P, start=0, count=9))
    assert (P, (answer,)) == ear.next(5)
    log.release(held)
    assert lease(log, "bo").position == "5-0"
    ear.close()


def test_a_batch_must_begin_at_the_cursor(log: Log) -> None:
    """The same batch sent again changes nothing."""
    held = lease(log)
    first = batch(held, "0-0", "5-0", write(entry(1)))
    log.commit(first)

    with pytest.raises(GapError):
        log.commit(first)
    assert len(log.load(P, TABLE).entries) == 1


def test_a_table_must_be_as_it_was_loaded(log: Log) -> None:
    """A batch over an old chain is refused as a whole."""
    held = lease(log)
    opening = entry(1)
    log.commit(batch(held, "0-0", "5-0", write(opening)))

    with pytest.raises(ConflictError):
        log.commit(batch(held, "5-0", "6-0", write(entry(2), expected=b"other")))
    assert log.feed_end(P) == 1
    log.commit(batch(held, "5-0", "6-0", write(entry(2, opening[2]), expected=opening[2])))


def test_entries_must_rise(log: Log) -> None:
    """A batch that would stand in the wrong order writes nothing."""
    held = lease(log)
    with pytest.raises(OrderError):
        log.commit(batch(held, "0-0", "5-0", write(entry(2), entry(1))))

    assert log.head(P, TABLE) is None
    with pytest.raises(OrderError):
        log.commit(batch(held, "0-0", "0-0", write(entry(1))))


def test_batches_of_several_partitions_stand_for_themselves(log: Log) -> None:
    """One failed batch does not touch the others."""
    held, other = lease(log), log.acquire(Partition("nains", 2), owner="ann", ttl_ms=TTL)
    assert other is not None

    faults = log.commit_all([batch(held, "9-0", "10-0"), batch(other, "0-0", "1-0")])

    assert isinstance(faults[0], GapError)
    assert faults[1] is None


def test_a_secret_is_forgotten_when_it_is_revealed(log: Log) -> None:
    """An empty secret removes the stored one; none leaves it."""
    held = lease(log)
    one = entry(1)
    two = entry(2, one[2])
    log.commit(batch(held, "0-0", "5-0", write(one, secret=b"s")))
    log.commit(batch(held, "5-0", "6-0", write(two, expected=one[2])))
    assert log.load(P, TABLE).secret == b"s"

    log.commit(batch(held, "6-0", "7-0", write(entry(3, two[2]), expected=two[2], secret=b"")))

    assert log.load(P, TABLE).secret is None


def test_attempts_are_counted_until_the_commit(log: Log) -> None:
    """A command that ends its worker can be told by how often it was begun."""
    assert [1, 2] == [log.attempt(lease(log), "5-0") for _ in range(2)]
    held = lease(log)

    log.commit(batch(held, "0-0", "5-0"))

    assert log.attempt(held, "5-0") == 1


def test_an_attempt_counts_once_under_a_lease(log: Log) -> None:
    """A call that is repeated since its reply was lost is no new attempt; another lease brings one."""
    first = lease(log)
    assert [1, 1, 1] == [log.attempt(first, "5-0") for _ in range(3)]

    second = lease(log)

    assert [2, 2, 2] == [log.attempt(second, "5-0") for _ in range(3)]
    assert log.attempt(second, "6-0") == 1


def test_attempts_at_a_command_in_the_middle_of_a_batch_are_forgotten(log: Log) -> None:
    """Whatever was in hand alone when the lease was lost, the next commit is past it."""
    assert [1, 2] == [log.attempt(lease(log), "5-0") for _ in range(2)]
    held = lease(log)
    log.commit(batch(held, "0-0", "9-0"))

    assert log.attempt(held, "5-0") == 1
    assert [1, 1] == [log.attempt(held, entry) for entry in ("10-0", "11-0")]


def test_an_answer_is_found_in_the_history(log: Log) -> None:
    """Who missed an answer finds it by the command's id."""
    held = lease(log)
    one = entry(1)
    log.commit(batch(held, "0-0", "5-0", write(one, entry(1, one[2], refused=True))))

    found = log.answer(P, TABLE, (1).to_bytes(16, "big"))
    assert found is not None
    assert ("no", 1, 0) == (found.code, found.version, found.first)
    assert log.answer(P, TABLE, (9).to_bytes(16, "big")) is None
    assert log.answer(P, "nains-none", bytes(16)) is None


def test_history_ends_where_it_is_asked_to(log: Log) -> None:
    """A history up to a version holds the refusals at that version, too."""
    held = lease(log)
    one = entry(1)
    no = entry(1, one[2], refused=True)
    two = entry(2, no[2])
    log.commit(batch(held, "0-0", "5-0", write(one, no, two)))

    assert [one[1], no[1]] == list(log.history(P, TABLE, upto=1))
    assert len(log.history(P, TABLE)) == 3


def test_handled_commands_are_trimmed_and_waiting_ones_are_not(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last handled commands stay, and whatever has not been handled."""
    for module in ("redis_commands", "memory_commands"):
        monkeypatch.setattr(f"events.log.{module}.KEPT_COMMANDS", 20)
    held = lease(log)
    ids = log.submit_all([(P, b"%d" % number) for number in range(100)])
    after = "0-0"
    for position in ids[:60]:
        log.commit(batch(held, after, position))
        after = position

    left = [entry for entry, _ in log.read_commands({P: "0-0"}, count=1000, block_ms=1)[P]]

    assert ids[-len(left) :] == left
    assert 60 <= len(left) <= 64


def test_a_full_partition_is_busy(log: Log) -> None:
    """Commands that wait are bounded, those that were handled do not count."""
    held = lease(log)
    if hasattr(log, "_memory"):
        log._memory.backlog = 3  # noqa: SLF001  a limit that a test can reach
    else:
        log._backlog = 3  # noqa: SLF001  as above
    ids = [log.submit(P, b"x") for _ in range(3)]

    with pytest.raises(BusyError):
        log.submit(P, b"x")
    log.commit(batch(held, "0-0", ids[0]))
    log.submit(P, b"x")


def test_workers_know_of_each_other(log: Log) -> None:
    """A worker that does not announce itself again is forgotten."""
    log.announce("nains", owner="bo", ttl_ms=TTL)
    log.announce("nains", owner="cy", ttl_ms=1)
    until(
        lambda: ["ann", "bo"] == list(log.announce("nains", owner="ann", ttl_ms=TTL)),
        what="the one that is gone is forgotten",
    )
    log.withdraw("nains", owner="bo")

    assert ["ann"] == list(log.announce("nains", owner="ann", ttl_ms=TTL))


def test_dead_letters_go_with_the_batch(log: Log) -> None:
    """A command the rules could not survive is set aside in the same call that moves the cursor."""
    held = lease(log)

    log.commit(batch(held, "0-0", "5-0", dead=[DeadLetter(entry="5-0", envelope=b"e", reason="boom")]))

    log.release(held)
    assert lease(log).position == "5-0"


def test_dead_letters_are_read_and_dropped(log: Log) -> None:
    """By hand, each by the entry of its command."""
    held = lease(log)
    letters = [DeadLetter(entry=f"{number}-0", envelope=b"e", reason="böse") for number in (5, 6)]
    log.commit(batch(held, "0-0", "6-0", dead=letters))

    assert letters == list(log.dead(P))
    assert [1, 0] == [log.drop_dead(P, "5-0"), log.drop_dead(P, "5-0")]
    assert letters[1:] == list(log.dead(P))
