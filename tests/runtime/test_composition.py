"""Single commands are put together and their answers read as they should be; a fake server suffices for that."""

from __future__ import annotations

from collections.abc import Iterator

import fakeredis
import pytest

from events.log.records import Head
from events.log.redis_commands import RedisCommandLog, RedisDoors
from events.log.redis_feed import RedisFeed, RedisViews
from events.log.redis_store import RedisStore
from events.streams import Partition

PLACE = Partition("nains", 3)
TABLE = "nains-fake"


@pytest.fixture
def store() -> Iterator[RedisStore]:
    """Return a store whose server is a fake: it knows plain commands, and no functions."""
    made = RedisStore("redis://nowhere.invalid:1")
    made.client = fakeredis.FakeRedis(protocol=2)
    for command in ("XREAD", "XRANGE", "XREVRANGE"):
        made.client.set_response_callback(command, lambda reply, **_: reply)
    yield made
    made.close()


def test_many_commands_are_answered_in_their_order(store: RedisStore) -> None:
    """Each answer stands where its command stood, a complaint among them."""
    store.command("HSET", "a", "x", 1)
    answers = store.round_trip([("HGET", "a", "x"), ("XLEN", "a"), ("HGET", "a", "y")])

    assert (b"1", None) == (answers[0], answers[2])
    assert isinstance(answers[1], Exception)


def test_what_waits_is_read_behind_a_position(store: RedisStore) -> None:
    """Streams without anything new are left out; entries of another shape are empty."""
    log = RedisCommandLog(store)
    store.command("XADD", PLACE.commands, "1-0", "body", b"one")
    store.command("XADD", PLACE.commands, "2-0", "body", b"two")
    store.command("XADD", PLACE.commands, "3-0", "other", b"three")

    assert {PLACE: [("2-0", b"two"), ("3-0", b"")]} == log.read_commands({PLACE: "1-0"}, count=9, block_ms=1)
    assert {} == log.read_commands({PLACE: "3-0"}, count=9, block_ms=1)
    assert {} == log.read_commands({}, count=9, block_ms=1)


def test_a_table_is_loaded_with_its_secret(store: RedisStore) -> None:
    """Entries come in order; a table that was never opened has none, and no secret."""
    log = RedisCommandLog(store)
    store.command("XADD", PLACE.truth(TABLE), "2-0", "body", b"first")
    store.command("XADD", PLACE.truth(TABLE), "2-1", "body", b"refused")
    store.command("HSET", PLACE.secrets, TABLE, b"secret")
    loaded, nothing = log.load_all([(PLACE, TABLE), (PLACE, "nains-none")])

    assert ([b"first", b"refused"], b"secret") == (loaded.entries, loaded.secret)
    assert ([], None) == (nothing.entries, nothing.secret)


def test_the_feed_is_read_with_numbers_and_tables(store: RedisStore) -> None:
    """A feed entry is a number, a table and a commit."""
    store.command("XADD", PLACE.feed, "1-0", "table", TABLE, "body", b"one")
    store.command("XADD", PLACE.feed, "2-0", "table", TABLE, "body", b"two")

    assert {PLACE: [(2, TABLE, b"two")]} == RedisFeed(store).read_feed({PLACE: 1}, count=9, block_ms=1)


def test_a_history_ends_at_a_version(store: RedisStore) -> None:
    """Refusals made at that version belong to it."""
    for entry in ("1-0", "3-0", "3-1", "4-0"):
        store.command("XADD", PLACE.truth(TABLE), entry, "body", entry.encode())
    feed = RedisFeed(store)

    assert [b"1-0", b"3-0", b"3-1"] == feed.history(PLACE, TABLE, upto=3)
    assert 4 == len(feed.history(PLACE, TABLE))


def test_a_head_is_read_or_missing(store: RedisStore) -> None:
    """A table that was never opened has no head."""
    doors = RedisDoors(store, backlog=1)
    store.command("HSET", PLACE.head(TABLE), "version", 7, "status", "running")

    assert Head(version=7, status="running") == doors.head(PLACE, TABLE)
    assert doors.head(PLACE, "nains-none") is None


def test_views_are_read_by_field_entry_and_rank(store: RedisStore) -> None:
    """Hashes, streams and sorted sets come back as readers expect them."""
    views = RedisViews(store)
    store.command("HSET", "v", "a", b"1", "b", b"2")
    store.command("XADD", "s", "1-0", "body", b"x")
    store.command("XADD", "s", "2-0", "body", b"y")
    store.command("ZADD", "z", 5, "low", 9, "high")

    assert (b"1", None) == (views.view_field("v", "a"), views.view_field("v", "c"))
    assert {"a": b"1", "b": b"2"} == views.view_fields("v")
    assert [("2-0", b"y")] == views.view_entries("s", after="1-0")
    assert [("high", 9), ("low", 5)] == views.view_ranks("z", start=0, stop=-1)
