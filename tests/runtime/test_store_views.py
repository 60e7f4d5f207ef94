"""What projections save and how the feed is cut: the same on every store."""

from __future__ import annotations

import pytest

from events.log.errors import GapError, OrderError, StaleError
from events.log.records import HashDrop, HashPut, Moved, RankCut, RankDrop, RankPut, Save, StreamAppend
from events.streams import Partition, view_of_all
from tests.runtime.conftest import Log
from tests.runtime.test_store import TABLE, P, batch, entry, lease, write


def test_views_and_position_are_saved_together(log: Log) -> None:
    """Each of the writes arrives, and the saved position is the next one to begin at."""
    ear = log.listen([P])
    assert log.position(P, "table@1") == 0
    fields, steps, ranks = (P.view("table@1", name) for name in ("fields", "steps", "ranks"))

    log.save(
        Save(
            P,
            "table@1",
            after=0,
            position=7,
            writes=[
                HashPut(fields, {"a": b"1", "b": b"2"}),
                HashDrop(fields, ["b"]),
                StreamAppend(steps, "1-0", b"first"),
                StreamAppend(steps, "2-0", b"second"),
                RankPut(ranks, 5, "x"),
                RankPut(ranks, 9, "y"),
                RankPut(ranks, 7, "z"),
                RankDrop(ranks, "x"),
            ],
            moved={TABLE: 3},
        )
    )

    assert log.position(P, "table@1") == 7
    assert {"a": b"1"} == log.view_fields(fields)
    assert log.view_field(fields, "a") == b"1"
    assert log.view_field(fields, "b") is None
    assert [("2-0", b"second")] == list(log.view_entries(steps, after="1-0"))
    assert [("y", 9), ("z", 7)] == list(log.view_ranks(ranks, start=0, stop=-1))
    assert (P, Moved(projection="table@1", position=7, tables={TABLE: 3})) == ear.next(5)
    ear.close()


def test_a_sorted_set_is_cut_below_its_highest(log: Log) -> None:
    """What stands so far below it goes, and what comes later below that goes with the next cut."""
    key, empty = P.view("table@1", "ranks"), P.view("table@1", "empty")
    log.position(P, "table@1")
    start = 1_790_000_000_000
    ranked = [RankPut(key, start + score, str(score)) for score in (0, 1, 100, 101)]
    log.save(Save(P, "table@1", after=0, position=1, writes=[RankCut(empty, 100), *ranked, RankCut(key, 100)]))
    cut = list(log.view_ranks(key, start=0, stop=-1))
    log.save(Save(P, "table@1", after=1, position=2, writes=[ranked[0], RankCut(key, 100)]))

    assert [("101", start + 101), ("100", start + 100)] == cut
    assert cut == list(log.view_ranks(key, start=0, stop=-1))
    assert [] == list(log.view_ranks(empty, start=0, stop=-1))


def test_a_save_must_begin_where_the_last_one_ended(log: Log) -> None:
    """A projection that was overtaken writes nothing."""
    key = P.view("table@1", "x")
    log.position(P, "table@1")
    log.save(Save(P, "table@1", after=0, position=7))

    with pytest.raises(GapError):
        log.save(Save(P, "table@1", after=0, position=9, writes=[HashPut(key, {"a": b"1"})]))
    assert {} == log.view_fields(key)


def test_saves_sent_together_each_stand_for_themselves(log: Log) -> None:
    """What is wrong with one is told in its place, and the others are saved; of one projection each goes on."""
    other = Partition("nains", 2)
    log.position(P, "table@1")
    log.position(other, "table@1")
    log.position_of_all(P, "lobby@1")
    key, steps = P.view("table@1", "x"), P.view("table@1", "steps")

    faults = log.save_all(
        [
            Save(
                P, "table@1", after=0, position=1, writes=[HashPut(key, {"a": b"1"}), StreamAppend(steps, "2-0", b"")]
            ),
            Save(other, "table@1", after=7, position=8),
            Save(P, "lobby@1", after=0, position=2, across=True),
            Save(P, "lobby@1", after=9, position=10, across=True),
            Save(P, "table@1", after=1, position=3, writes=[StreamAppend(steps, "1-0", b"")]),
            Save(P, "table@1", after=1, position=4, writes=[HashPut(key, {"b": b"2"})]),
        ]
    )

    assert [None, GapError, None, GapError, OrderError, None] == [each and type(each) for each in faults]
    assert {"a": b"1", "b": b"2"} == log.view_fields(key)
    assert (4, 0, 2) == (log.position(P, "table@1"), log.position(other, "table@1"), log.position_of_all(P, "lobby@1"))
    assert log.standing(P)[0].positions == {"table@1": 4, "lobby@1": 2}
    assert [] == list(log.save_all([]))


def test_a_save_that_cannot_be_done_in_full_is_not_begun(log: Log) -> None:
    """A step that would stand before another is found before the first write."""
    key, other = P.view("table@1", "steps"), P.view("table@1", "x")
    log.position(P, "table@1")
    log.save(Save(P, "table@1", after=0, position=1, writes=[StreamAppend(key, "5-0", b"")]))

    for late in (StreamAppend(key, "5-0", b""), HashPut(key, {"a": b""})):
        with pytest.raises(OrderError):
            log.save(Save(P, "table@1", after=1, position=2, writes=[HashPut(other, {"a": b"1"}), late]))
    assert {} == log.view_fields(other)
    assert log.position(P, "table@1") == 1


def test_large_saves_are_written(log: Log) -> None:
    """A projection may write many fields at once."""
    key = P.view("table@1", "x")
    log.position(P, "table@1")

    log.save(Save(P, "table@1", after=0, position=1, writes=[HashPut(key, {f"f{n}": b"%d" % n for n in range(5000)})]))

    assert len(log.view_fields(key)) == 5000


def test_a_projection_that_was_forgotten_saves_nothing(log: Log) -> None:
    """A process that does not know yet that a version is gone cannot bring it back by saving."""
    key = P.view("table@1", "x")
    log.position(P, "table@1")
    log.forget(P, "table@1")

    with pytest.raises(GapError):
        log.save(Save(P, "table@1", after=0, position=1, writes=[HashPut(key, {"a": b"1"})]))
    with pytest.raises(GapError):
        log.save(Save(P, "lobby@1", after=0, position=1, across=True))
    assert {} == log.view_fields(key)


def test_views_across_partitions_keep_a_position_for_each(log: Log) -> None:
    """The lobby's position in one partition says nothing about another."""
    other = Partition("nains", 2)
    key = view_of_all("lobby@1", "tables")
    log.position_of_all(P, "lobby@1")
    log.save(Save(P, "lobby@1", after=0, position=4, writes=[HashPut(key, {"a": b"1"})], across=True))

    assert log.position_of_all(P, "lobby@1") == 4
    assert log.position_of_all(other, "lobby@1") == 0
    with pytest.raises(GapError):
        log.save(Save(P, "lobby@1", after=0, position=5, across=True))


def feed_of(log: Log, length: int) -> None:
    """Fill the feed with so many commits."""
    held, chain, after = lease(log), b"", "0-0"
    for number in range(1, length + 1):
        made = entry(number, chain)
        log.commit(batch(held, after, f"{number}-0", write(made, expected=chain)))
        chain, after = made[2], f"{number}-0"
    log.release(held)


def test_the_feed_is_trimmed_behind_the_slowest_projection(log: Log) -> None:
    """Nothing is cut that somebody has not read."""
    feed_of(log, 10)
    for name in ("slow@1", "fast@1"):
        log.position(P, name)
    log.save(Save(P, "slow@1", after=0, position=4))
    log.save(Save(P, "fast@1", after=0, position=9))

    assert [] == list(log.trim_feed(P))
    assert [5, 6, 7, 8, 9, 10] == [n for n, _, _ in log.read_feed({P: 0}, count=99, block_ms=1)[P]]
    log.forget(P, "slow@1")
    log.trim_feed(P)
    assert [10] == [n for n, _, _ in log.read_feed({P: 9}, count=99, block_ms=1)[P]]
    assert [10] == [n for n, _, _ in log.read_feed({P: 0}, count=99, block_ms=1)[P]]


def test_a_projection_too_far_behind_stops_holding_the_feed(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is marked stale, may not go on as if nothing had happened, and is well again when it has caught up."""
    for module in ("redis_commands", "memory_commands"):
        monkeypatch.setattr(f"events.log.{module}.MAX_LAG", 5)
    feed_of(log, 10)
    for name in ("slow@1", "fast@1"):
        log.position(P, name)
    log.save(Save(P, "fast@1", after=0, position=9))

    assert ["slow@1"] == list(log.trim_feed(P))
    with pytest.raises(StaleError):
        log.position(P, "slow@1")
    with pytest.raises(StaleError):
        log.save(Save(P, "slow@1", after=0, position=1))
    log.save(Save(P, "slow@1", after=0, position=10))
    assert log.position(P, "slow@1") == 10
    assert [] == list(log.trim_feed(P))
