"""What only a store on a server can meet: unfit servers, lost data, restarts, calls that are sent twice."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
import redis

from events.log.redis_log import RedisLog
from events.log.store import Batch, GapError, StoreAwayError, StoreUnusableError
from events.messages import Seat
from events.streams import META, Partition
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, Worker, envelope, seat_actor
from tests.runtime.echo.commands import Echo
from tests.runtime.processes import workers
from tests.servers import Server, running_server, short_folder, valkey_binary
from tests.until import until

P = Partition("nains", 0)


def test_the_number_of_partitions_is_fixed_when_the_store_is_created(valkey: Server) -> None:
    """Who opens the store later takes what is there, whatever it would have chosen."""
    url = emptied(valkey)
    first = RedisLog(url, games=["nains"], partitions=2)
    second = RedisLog(url, games=["nains", "echo"], partitions=8)

    assert [2, 2, 8] == [
        len(log.partitions(game)) for log, game in ((first, "nains"), (second, "nains"), (second, "echo"))
    ]
    with pytest.raises(StoreUnusableError, match="echo"):
        first.partitions("echo")
    first.close()
    second.close()


def test_a_server_that_evicts_is_refused(tmp_path: Path) -> None:
    """Histories may not be thrown away to make room; the sentence says what to set."""
    with (
        running_server(valkey_binary(), tmp_path, settings=("--maxmemory-policy", "allkeys-lru")) as server,
        pytest.raises(StoreUnusableError, match="maxmemory-policy noeviction"),
    ):
        RedisLog(server.url, games=["nains"])


def test_a_store_of_another_layout_is_refused(valkey: Server) -> None:
    """A newer release may lay the store out in another way."""
    with redis.Redis.from_url(emptied(valkey)) as client:
        client.hset(META, "layout", "99")

    with pytest.raises(StoreUnusableError, match="layout 99"):
        RedisLog(valkey.url, games=["nains"])


def test_a_server_that_is_not_there_is_away() -> None:
    """That is no reason to give up."""
    with pytest.raises(StoreAwayError):
        RedisLog("unix:///nowhere/s", games=["nains"])


def test_a_store_that_was_emptied_takes_nothing(on_valkey: RedisLog, valkey: Server) -> None:
    """Commands to a lost store are refused with what to do, not written into an empty one."""
    on_valkey.submit(P, b"x")
    emptied(valkey)

    with pytest.raises(StoreUnusableError, match="restore it"):
        on_valkey.submit(P, b"x")
    with pytest.raises(StoreUnusableError, match="restore it"):
        on_valkey.acquire(P, owner="ann", ttl_ms=1000)


def test_a_commit_sent_twice_is_a_gap(on_valkey: RedisLog) -> None:
    """A client that repeats a call whose answer was lost does no harm."""
    lease = on_valkey.acquire(P, owner="ann", ttl_ms=60_000)
    assert lease is not None
    batch = Batch(lease=lease, after="0-0", position="1-0", handled=1)
    on_valkey.commit(batch)

    with pytest.raises(GapError):
        on_valkey.commit(batch)


def test_a_lost_store_is_reported_and_taken_up_again(valkey: Server, tmp_path: Path) -> None:
    """A running worker says once that the store is lost, and works again when it is restored."""
    log = RedisLog(emptied(valkey), games=["echo"])
    with workers(valkey.url, tmp_path) as group:
        group.start()
        until(lambda: "partition_acquired" in group.lines(), what="the worker works")
        emptied(valkey)
        until(lambda: "the store was lost" in group.lines(), what="the loss is reported")
        restored = RedisLog(valkey.url, games=["echo"])
        desk = Desk(restored)
        table = "echo-a"
        name = uuid.uuid4().bytes
        desk.post(table, envelope(table, Echo(seat=Seat(0)), seat_actor(0), command_id=name))
        heard = until(lambda: desk._ear.next(1), what="the worker works again")  # noqa: SLF001  the worker is elsewhere

        assert isinstance(heard[1], tuple)
        assert (name, "unknown_table") == (heard[1][0].command_id, heard[1][0].code)
        assert group.lines().count("the store was lost") < 5
        desk.close()
        restored.close()
    log.close()


def test_a_server_restarted_from_its_file_goes_on(tmp_path: Path) -> None:
    """After a kill and a restart the same program goes on with the same tables."""
    with short_folder() as short:
        socket = short / "s"
        with running_server(valkey_binary(), tmp_path, aof=True, socket=socket) as server:
            log = RedisLog(server.url, games=["echo"])
            desk = Desk(log, Worker(log))
            table = desk.running_table()
            before = desk.send(table, Echo(seat=Seat(0)), seat_actor(0), command_id=bytes(16))
            log._store.command("CONFIG", "SET", "appendfsync", "always")  # noqa: SLF001  so that all is in the file
            log._store.command("SET", "x", "y")  # noqa: SLF001  as above
            server.kill()
        with running_server(valkey_binary(), tmp_path, aof=True, socket=socket):
            desk = Desk(log, desk.worker)
            again = desk.send(table, Echo(seat=Seat(0)), seat_actor(0), command_id=bytes(16))
            fresh = desk.send(table, Echo(seat=Seat(0)), seat_actor(0))

            assert before == again
            assert (fresh.code, fresh.version) == (None, before.version + 1)
            desk.close()
            log.close()
