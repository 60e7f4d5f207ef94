"""What every store does alike for rebuilds: versions beside each other, marks, switches, the trimmed feed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.log.errors import GapError, StaleError
from events.log.memory import MemoryLog
from events.log.rebuilds import Mark
from events.log.records import HashPut, RankPut, Save, StreamAppend, ViewWrite
from events.log.redis_log import RedisLog
from events.streams import Partition, view_of_all
from tests.runtime.conftest import Log, emptied
from tests.runtime.test_store import TABLE, TTL, P, batch, lease
from tests.runtime.test_store_views import feed_of
from tests.until import until

OTHER = Partition("nains", 2)


def test_a_projection_that_comes_to_a_trimmed_feed_is_left_behind(log: Log) -> None:
    """What was cut before it came is missing to it, and it is told so instead of going on as if nothing were."""
    feed_of(log, 10)
    log.position(P, "table@1")
    log.save(Save(P, "table@1", after=0, position=8))
    log.trim_feed(P)

    for read in (log.position, log.position_of_all):
        with pytest.raises(StaleError):
            read(P, "new@1")
    assert ["table@1"] == list(log.projections(P))
    assert log.position(P, "table@1") == 8


def test_a_stale_projection_does_not_hold_the_feed(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its successor begins at the feed's end, and holds it from there on."""
    for module in ("redis_commands", "memory_commands"):
        monkeypatch.setattr(f"events.log.{module}.MAX_LAG", 5)
    feed_of(log, 10)
    log.position(P, "table@1")
    assert ["table@1"] == list(log.trim_feed(P))

    log.begin(P, "table@2", expected=None, across=False)

    standing, _ = log.standing(P)
    assert (standing.end, standing.trimmed, standing.tables) == (10, 5, 0)
    assert {"table@1": 0, "table@2": 10} == dict(standing.positions)
    assert frozenset({"table@1"}) == standing.stale
    assert {"table@2": "10:0:0"} == dict(standing.marks)


@pytest.mark.parametrize("across", [False, True])
def test_a_pass_goes_on_from_its_mark(log: Log, *, across: bool) -> None:
    """Of two processes that do the same piece one changes nothing, at the first piece as at any other."""
    key = view_of_all("x@2", "x") if across else P.view("x@2", "x")
    log.begin(P, "x@2", expected=None, across=across)
    log.begin(P, "x@2", expected=None, across=across)
    first = str(Mark(0))

    log.save_piece(P, "x@2", after=first, mark="0:1:0", writes=[HashPut(key, {"a": b"1"})], across=across)
    for after in (first, ""):
        with pytest.raises(GapError):
            log.save_piece(P, "x@2", after=after, mark="0:1:0", writes=[HashPut(key, {"a": b"2"})], across=across)
    log.mark(P, "x@2", after=first, mark="", across=across)
    log.mark(P, "x@2", after="0:1:0", mark="follows:0", across=across)
    marks = log.marks_of_all("x@2")[1] if across else log.standing(P)[0].marks
    assert {P.tag if across else "x@2": "follows:0"} == dict(marks)
    log.mark(P, "x@2", after="follows:0", mark="", across=across)

    with pytest.raises(GapError):
        log.save_piece(P, "x@2", after=first, mark="0:1:0", writes=[], across=across)
    assert {"a": b"1"} == log.view_fields(key)


def test_a_version_takes_the_place_of_the_live_one_when_it_is_nowhere_behind(log: Log) -> None:
    """Whoever has seen a version of a table never sees an older one."""
    log.position(P, "table@1")
    log.save(Save(P, "table@1", after=0, position=5))
    assert [2, 2] == [log.ask_rebuild(P, "table"), log.ask_rebuild(P, "table")]
    log.begin(P, "table@2", expected=None, across=False)

    assert not log.switch(P, "table", old=1, new=2)
    log.mark(P, "table@2", after="0:0:0", mark="", across=False)
    assert not log.switch(P, "table", old=1, new=2)
    log.save(Save(P, "table@2", after=0, position=5))
    assert not log.switch(P, "table", old=1, new=3)
    assert log.switch(P, "table", old=1, new=2)
    assert not log.switch(P, "table", old=1, new=2)

    standing, courses = log.standing(P)
    assert {"table@2": 5} == dict(standing.positions)
    assert (courses.number("table"), dict(courses.coming), dict(courses.going)) == (2, {}, {"table@1": 0})
    assert log.standing(OTHER)[1].number("table") == 1
    assert log.ask_rebuild(P, "table") == 3


def test_a_version_across_partitions_is_switched_when_it_has_all_of_them(log: Log) -> None:
    """No table vanishes from the lobby since one partition was read and another not."""
    for place in (P, OTHER):
        log.position_of_all(place, "lobby@1")
    log.save(Save(OTHER, "lobby@1", after=0, position=3, across=True))
    assert log.ask_rebuild(None, "lobby") == 2
    for place in (P, OTHER):
        assert not log.switch(None, "lobby", old=1, new=2)
        log.begin(place, "lobby@2", expected=None, across=True)
        log.mark(place, "lobby@2", after="0:0:0", mark="", across=True)
    assert not log.switch(None, "lobby", old=1, new=2)
    log.save(Save(OTHER, "lobby@2", after=0, position=3, across=True))

    assert log.switch(None, "lobby", old=1, new=2)
    assert log.courses_of_all().number("lobby") == 2
    assert {P.tag: 0, OTHER.tag: 3} == dict(log.marks_of_all("lobby@2")[0])


def test_a_pass_across_partitions_can_be_begun_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rebuild that the feed went on without begins a second pass, once."""
    for module in ("redis_commands", "memory_commands"):
        monkeypatch.setattr(f"events.log.{module}.MAX_LAG", 5)
    log.begin(P, "lobby@2", expected=None, across=True)
    feed_of(log, 10)
    assert ["lobby@2"] == list(log.trim_feed(P))

    log.begin(P, "lobby@2", expected=0, across=True)
    log.save_piece(P, "lobby@2", after="10:0:0", mark="10:1:0", writes=[], across=True)
    log.begin(P, "lobby@2", expected=0, across=True)

    assert ({P.tag: 10}, {P.tag: "10:1:0"}) == tuple(map(dict, log.marks_of_all("lobby@2")))
    assert [] == list(log.trim_feed(P))


def test_what_is_going_is_removed_in_pieces(log: Log) -> None:
    """Keys of any type are removed, and what is through is known."""
    log.position(P, "x@1")
    keys = [P.view("x@1", name) for name in ("hash", "stream", "ranks")]
    writes: list[ViewWrite] = [
        HashPut(keys[0], {"a": b"1"}),
        StreamAppend(keys[1], "1-0", b"x"),
        RankPut(keys[2], 1, "x"),
    ]
    log.save(Save(P, "x@1", after=0, position=1, writes=writes))

    log.drop(P, "x@1", keys[:2], done=7)
    assert {"x@1": 7} == dict(log.standing(P)[1].going)
    log.drop(P, "x@1", keys[2:], done=None)

    assert {} == dict(log.standing(P)[1].going)
    assert ({}, [], []) == (
        log.view_fields(keys[0]),
        list(log.view_entries(keys[1])),
        list(log.view_ranks(keys[2], start=0, stop=-1)),
    )


def test_projection_workers_know_of_each_other(log: Log) -> None:
    """As rule workers do, and apart from them."""
    log.announce("nains", owner="rules", ttl_ms=TTL)
    log.announce_projections("nains", owner="bo", ttl_ms=TTL)
    log.announce_projections("nains", owner="cy", ttl_ms=1)
    until(
        lambda: ["ann", "bo"] == list(log.announce_projections("nains", owner="ann", ttl_ms=TTL)),
        what="the one that is gone is forgotten",
    )
    log.withdraw_projections("nains", owner="bo")

    assert ["ann"] == list(log.announce_projections("nains", owner="ann", ttl_ms=TTL))
    assert ["rules"] == list(log.announce("nains", owner="rules", ttl_ms=TTL))


def test_versions_and_fields_are_read_at_once(log: Log) -> None:
    """A rebuild sees at a glance which tables moved."""
    feed_of(log, 3)
    log.position(P, "x@1")
    log.save(Save(P, "x@1", after=0, position=1, writes=[HashPut(P.view("x@1", "h"), {"a": b"1"})]))

    assert [3, 0] == list(log.versions(P, [TABLE, "nains-none"]))
    assert [b"1", None] == list(log.fields(P.view("x@1", "h"), ["a", "b"]))
    assert [] == list(log.fields(P.view("x@1", "h"), []))


@given(positions=st.lists(st.integers(0, 30), min_size=1, max_size=4), lag=st.integers(1, 30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_the_feed_is_never_cut_before_a_reader(positions: list[int], lag: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every projection that is not left behind finds the next entry, wherever the others stand."""
    monkeypatch.setattr("events.log.memory_commands.MAX_LAG", lag)
    log = MemoryLog(games=["nains"])
    feed_of(log, 30)
    for number, position in enumerate(positions):
        log.position(P, f"p{number}@1")
        log.save(Save(P, f"p{number}@1", after=0, position=position))

    stale = set(log.trim_feed(P))

    trimmed = log.standing(P)[0].trimmed
    for number, position in enumerate(positions):
        assert f"p{number}@1" in stale or trimmed <= position
        assert (f"p{number}@1" in stale) == (position < 30 - lag)


STEPS = st.lists(st.sampled_from(["send", "send", "send", "handle", "handle", "remove"]), max_size=120)


@given(steps=STEPS, keep=st.integers(1, 15))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@pytest.mark.parametrize("kind", ["memory", "valkey"])
def test_no_command_that_waits_is_ever_trimmed(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, kind: str, steps: list[str], keep: int
) -> None:
    """However commands come, are handled, and are removed by hand: all that wait are read, in order."""
    for module in ("redis_commands", "memory_commands"):
        monkeypatch.setattr(f"events.log.{module}.KEPT_COMMANDS", keep)
    log: Log = MemoryLog(games=["nains"])
    if kind == "valkey":
        log = RedisLog(emptied(request.getfixturevalue("valkey")), games=["nains"])
    held = lease(log)
    sent: list[str] = []
    position = "0-0"
    for step in steps:
        waiting = [entry for entry, _ in log.read_commands({P: position}, count=999, block_ms=0).get(P, ())]
        assert sent == waiting
        if step == "send":
            sent.append(log.submit(P, b"x"))
        elif step == "remove" and sent and isinstance(log, RedisLog):
            log._store.command("XDEL", P.commands, sent.pop(len(sent) // 2))  # noqa: SLF001  by hand
        elif step == "handle" and sent:
            log.commit(batch(held, position, sent[0]))
            position = sent.pop(0)
    log.close()
