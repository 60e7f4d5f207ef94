"""What only a store on a server can meet: unfit servers, lost data, restarts, calls that are sent twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import msgspec
import pytest
import redis
from structlog.testing import capture_logs

from events.log.errors import GapError, StoreAwayError, StoreLostError, StoreUnusableError
from events.log.records import Batch
from events.log.redis_log import RedisLog
from events.log.redis_store import reaching, require_fit
from events.messages import Seat
from events.process import opened
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


@pytest.mark.parametrize("version", ["6.2.14", "5.0.0"])
def test_a_server_that_is_too_old_is_refused(
    on_valkey: RedisLog, valkey: Server, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    """What it says of itself is looked at before anything is asked of it; the sentence says what to use."""
    real = redis.Redis.info

    def told(client: redis.Redis, *sections: str) -> dict[str, object]:
        return {**real(client, *sections), "redis_version": version}

    monkeypatch.setattr(redis.Redis, "info", told)

    with pytest.raises(StoreUnusableError, match=f"Redis {version}; use Redis 7.0, Valkey 8 or later"):
        RedisLog(valkey.url, games=["nains"])


def test_a_server_that_still_reads_its_files_is_away() -> None:
    """Until it has read them it tells of no append-only file, and is not to be taken at its word."""
    with pytest.raises(StoreAwayError, match="reads its files"):
        require_fit({"redis_version": "7.2.4", "loading": 1, "aof_enabled": 0})


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


def kept(server: Server) -> dict[bytes, bytes]:
    """Return a copy of everything in the store."""
    with redis.Redis.from_url(server.url) as client:
        return {key: bytes(client.dump(key)) for key in client.scan_iter()}


def restore(server: Server, copy: dict[bytes, bytes]) -> None:
    """Put a copy back, in the place of whatever is there."""
    with redis.Redis.from_url(emptied(server)) as client:
        for key, value in copy.items():
            client.restore(key, 0, value)


@pytest.mark.parametrize("recreated", [False, True])
def test_a_lost_store_is_reported_and_taken_up_again(valkey: Server, tmp_path: Path, *, recreated: bool) -> None:
    """
    A running worker says once that the store is lost, and works again when it is restored.

    Neither does it take a store that somebody has created in its place meanwhile for the one it knew.
    """
    log = RedisLog(emptied(valkey), games=["echo"])
    with workers(valkey.url, tmp_path) as group:
        group.start()
        until(lambda: "partition_acquired" in group.lines(), what="the worker works")
        copy = kept(valkey)
        emptied(valkey)
        if recreated:
            RedisLog(valkey.url, games=["echo"]).close()
        until(lambda: "the store was lost" in group.lines(), what="the loss is reported")
        with pytest.raises(StoreLostError):
            log.submit(log.partitions("echo")[0], b"x")
        restore(valkey, copy)
        desk = Desk(log)
        table = "echo-a"
        name = uuid.uuid4().bytes
        desk.post(table, envelope(table, Echo(seat=Seat(0)), seat_actor(0), command_id=name))
        heard = until(lambda: desk._ear.next(1), what="the worker works again")  # noqa: SLF001  the worker is elsewhere

        assert isinstance(heard[1], tuple)
        assert (name, "unknown_table") == (heard[1][0].command_id, heard[1][0].code)
        assert group.lines().count("the store was lost") < 5
        desk.close()
    log.close()


def test_a_store_of_another_epoch_is_a_lost_one(valkey: Server) -> None:
    """Whoever was told which store to expect never begins with an empty one, and writes nothing into it."""
    log = RedisLog(emptied(valkey), games=["echo"])
    RedisLog(valkey.url, games=["echo"], epoch=log.epoch).close()
    assert log.is_new
    copy = kept(valkey)
    emptied(valkey)

    with pytest.raises(StoreLostError, match="it is empty"):
        RedisLog(valkey.url, games=["echo"], epoch=log.epoch)
    assert {} == kept(valkey)
    other = RedisLog(valkey.url, games=["echo"])
    assert other.epoch != log.epoch
    with pytest.raises(StoreLostError, match=f"its epoch is {other.epoch}"):
        RedisLog(valkey.url, games=["echo"], epoch=log.epoch)
    with pytest.raises(StoreLostError):
        log.acquire(log.partitions("echo")[0], owner="ann", ttl_ms=1)
    with pytest.raises(StoreLostError):
        log.standing(log.partitions("echo")[0])
    restore(valkey, copy)
    again = RedisLog(valkey.url, games=["echo"], epoch=log.epoch)
    assert not again.is_new
    for each in (again, other, log):
        each.close()


def test_a_lease_of_another_epoch_commits_nothing(valkey: Server) -> None:
    """Fences and cursors of an emptied store begin again, and may look the same."""
    log = RedisLog(emptied(valkey), games=["echo"])
    place = log.partitions("echo")[0]
    lease = log.acquire(place, owner="ann", ttl_ms=60_000)
    assert lease is not None
    emptied(valkey)
    other = RedisLog(valkey.url, games=["echo"])
    assert other.acquire(place, owner="bo", ttl_ms=60_000) == msgspec.structs.replace(lease, owner="bo")

    with pytest.raises(StoreLostError):
        log.commit(Batch(lease=lease, after="0-0", position="1-0", handled=1))
    other.close()
    log.close()


def test_a_store_that_is_complete_is_opened_without_a_write(on_valkey: RedisLog, valkey: Server) -> None:
    """Whoever may not write to the store's description need not."""
    before = kept(valkey)
    RedisLog(valkey.url, games=["nains"]).close()

    assert before == kept(valkey)
    assert not on_valkey.is_durable


def test_a_durable_store_says_so(tmp_path: Path) -> None:
    """With an append-only file; without, every process that works on it complains."""
    with running_server(valkey_binary(), tmp_path, aof=True) as server:
        log = RedisLog(server.url, games=["nains"])
        assert log.is_durable
        log.close()


def test_processes_introduce_their_store(valkey: Server) -> None:
    """A new store is worth a line, and one that forgets at a restart a loud one."""
    with capture_logs() as lines:
        for _ in range(2):
            log = opened(emptied(valkey) if not lines else valkey.url, ["nains"], Event())
            assert log is not None
            log.close()

    assert [
        ("store_created", "warning"),
        ("store_not_durable", "error"),
        ("store_opened", "info"),
        ("store_not_durable", "error"),
    ] == [(line["event"], line["log_level"]) for line in lines]


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


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (redis.exceptions.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), "is full"),
        (redis.ResponseError("OOM command not allowed. script: fidchell_1_save, on @user_function:386."), "is full"),
        (redis.ResponseError("Error running: -OOM command not allowed, script: f, on @user_function:1."), "full"),
        (redis.ResponseError("MISCONF Valkey is configured to save RDB snapshots"), "cannot write its files"),
        (redis.exceptions.ReadOnlyError("You can't write against a read only replica."), "is a replica"),
        (redis.ResponseError("NOREPLICAS Not enough good replicas to write."), "misses its replicas"),
        (redis.exceptions.MasterDownError("Link with MASTER is down"), "lost its master"),
        (redis.exceptions.ClusterDownError("The cluster is down"), "all slots"),
        (redis.ResponseError("LOADING Valkey is loading. script: f, on @user_function:1."), "reads its files"),
    ],
)
def test_a_server_that_takes_nothing_for_a_while_is_away(said: redis.ResponseError, sentence: str) -> None:
    """Whatever it says of itself, in a function or out of one, and in words that say what to do."""
    with pytest.raises(StoreAwayError, match=sentence), reaching():
        raise said


def test_a_server_that_complains_of_a_command_is_not_away() -> None:
    """A name that looks like such a word changes nothing."""
    with pytest.raises(redis.ResponseError, match="OOM"), reaching():
        raise redis.ResponseError("WRONGTYPE of OOM")


def test_a_full_server_is_waited_for(valkey: Server, tmp_path: Path) -> None:
    """A rule worker and a door that find no room say so; with the memory given back they go on, and nothing is lost."""
    log = RedisLog(emptied(valkey), games=["echo"])
    with workers(valkey.url, tmp_path) as group, redis.Redis.from_url(valkey.url) as client:
        process = group.start()
        until(lambda: "partition_acquired" in group.lines(), what="the worker works")
        desk = Desk(log)
        place, table = log.partitions("echo")[0], "echo-a"
        with exhausted(client):
            with pytest.raises(StoreAwayError, match="is full"):
                log.submit(place, b"x")
            with pytest.raises(StoreAwayError, match="is full"):
                client_command(log, "SET", "x", "y")
            until(lambda: "the server is full" in group.lines(), what="the worker says so")
        name = uuid.uuid4().bytes
        desk.post(table, envelope(table, Echo(seat=Seat(0)), seat_actor(0), command_id=name))
        heard = until(lambda: desk._ear.next(1), what="the worker works again")  # noqa: SLF001  the worker is elsewhere

        assert isinstance(heard[1], tuple)
        assert (name, "unknown_table") == (heard[1][0].command_id, heard[1][0].code)
        assert process.poll() is None
        desk.close()
    log.close()


@contextmanager
def exhausted(client: redis.Redis) -> Iterator[None]:
    """Leave a server no memory for a while."""
    client.config_set("maxmemory", "100kb")
    try:
        yield
    finally:
        client.config_set("maxmemory", "0")


def client_command(log: RedisLog, *command: str) -> None:
    """Send a plain command."""
    log._store.command(*command)  # noqa: SLF001  what every plain command goes through
