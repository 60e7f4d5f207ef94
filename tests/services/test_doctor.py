"""What the doctor finds on a store that something happened to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from typer.testing import CliRunner

from events import games
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import META, view_of_all, workers_of
from projections.kit.projection import BROKEN
from services.cli.__main__ import program
from services.cli.doctor import findings
from services.cli.finding import Finding
from tests.clusters import APART, MASTERS, Cluster, running_cluster
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, Worker, envelope, seat_actor
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Echo
from tests.servers import Server, running_server, valkey_binary


@pytest.fixture
def desk(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes, to whose store the doctor is led."""
    with led_to(emptied(valkey), monkeypatch) as made:
        yield made


@contextmanager
def led_to(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Give a door and a worker of the game of echoes over a store, and lead the doctor there."""
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()
    monkeypatch.setattr("services.cli.doctor.GAMES", ("echo",))
    monkeypatch.setenv("REDIS_URL", url)
    log = RedisLog(url, games=["echo"])
    made = Desk(log)
    yield made
    made.close()
    log.close()


def alive_for_long(server: Server, desk: Desk, owner: str) -> None:
    """Have a worker, and the leases that are held, taken for live however slow this machine is."""
    with redis.Redis.from_url(server.url) as client:
        clock: Any = client.time()
        until = (clock[0] + 600) * 1000
        client.zadd(workers_of("echo"), {owner: until})
        for each in desk.log.partitions("echo"):
            if client.hexists(each.cursor, "owner"):
                client.hset(each.cursor, "until", until)


@contextmanager
def configured(client: redis.Redis, name: str, value: str | int) -> Iterator[None]:
    """Have a server set in another way while the block is alive."""
    before: Any = client.config_get(name)
    client.config_set(name, value)
    try:
        yield
    finally:
        client.config_set(name, before[name])


def found(part: str) -> list[Finding]:
    """Return the findings that say so."""
    return [finding for finding in findings(Path("nowhere")) if part in finding[1]]


def test_a_command_removed_by_hand_is_named_and_stops_nothing(desk: Desk, valkey: Server) -> None:
    """The worker goes on behind it, and its sender sends it again."""
    table = desk.running_table()
    place = desk.place(table)
    assert [] == found("by hand")
    bodies = [envelope(table, Echo(seat=Seat(0)), seat_actor(0)) for _ in range(3)]
    entries = [desk.post(table, body) for body in bodies]
    with redis.Redis.from_url(valkey.url) as client:
        client.xdel(place.commands, entries[1])

    assert [None, None] == [answer.code for answer in desk.answers()]
    ((mark, sentence),) = found("by hand")
    assert mark == "note"
    assert place.tag in sentence
    assert entries[1] in sentence
    desk.post(table, bodies[1])
    assert [None] == [answer.code for answer in desk.answers()]


def test_a_store_of_another_epoch_is_a_fault(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who says which store it should be is told when it is another."""
    monkeypatch.setenv("FIDCHELL_STORE_EPOCH", "of-before")

    assert ["fault"] == [mark for mark, _ in found("not of-before")]


def test_lost_cursors_are_a_fault(desk: Desk, valkey: Server) -> None:
    """A store of which a part is gone is named as lost, partition by partition."""
    place = desk.log.partitions("echo")[2]
    assert [] == found("was lost")
    with redis.Redis.from_url(valkey.url) as client:
        client.delete(place.cursor)

    ((mark, sentence),) = found("was lost")
    assert mark == "fault"
    assert place.tag in sentence
    emptied(valkey)
    assert ["fault"] == [mark for mark, _ in found("it was lost")]


def test_commands_set_aside_are_counted_where_they_are(desk: Desk) -> None:
    """It is a fault, and it is said what to do."""
    assert ["ok"] == [mark for mark, _ in found("had to be set aside")]
    for number in (1, 3, 3):
        desk.log.submit(desk.log.partitions("echo")[number], b"noise")
    desk.worker.drain()

    ((mark, sentence),) = found("were set aside")
    assert mark == "fault"
    for part in ("3 commands", "1 in echo.01", "2 in echo.03", "`fidchell doctor dead`", "drop"):
        assert part in sentence


def test_a_command_dated_in_the_future_is_a_fault(desk: Desk, valkey: Server) -> None:
    """Every later command of the partition bears its date, so that somebody must be told, even when it is gone."""
    place = desk.log.partitions("echo")[2]
    assert [] == found("in the future")
    with redis.Redis.from_url(valkey.url) as client:
        client.xadd(place.commands, {"body": b"noise"}, id="4102444800000-0")
        told = found("in the future")
        client.xdel(place.commands, "4102444800000-0")

    for mark, sentence in (*told, *found("in the future")):
        assert mark == "fault"
        assert sentence.startswith("echo.02: the newest command, 4102444800000-0, is dated 2100-01-01 00:00:00")
    assert len(told) == 1


def test_partitions_whose_leases_ended_are_named(desk: Desk, valkey: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that stands still keeps its name in the cursor, and works on nothing."""
    held = Worker(desk.log, "another", ttl_ms=60_000)
    desk.worker.leases.release_all()
    held.drain()
    alive_for_long(valkey, desk, "another")
    assert ["ok"] == [mark for mark, _ in found("rule workers, all 4 partitions taken")]
    place = desk.log.partitions("echo")[1]
    with redis.Redis.from_url(valkey.url) as client:
        for each in desk.log.partitions("echo")[1:]:
            client.hset(each.cursor, "until", 1)
        client.xadd(place.commands, {"body": b"noise"}, id=_ago(client, 7_500))
        ((mark, sentence),) = found("nobody works on")
        client.delete(workers_of("echo"))
        alone = found("nobody works on")

    assert mark == "fault"
    assert "nobody works on echo.01, echo.02, echo.03, and commands wait there, the oldest for 75" in sentence
    assert "1 rule workers are there" in sentence
    assert "No rule worker is there" in alone[0][1]
    assert [("fault", "echo: 1 commands wait, the oldest for 75")] == [
        (mark, each[: each.index(" 75") + 3]) for mark, each in found("1 commands wait")
    ]


def test_a_partition_that_changes_hands_is_no_fault(
    desk: Desk, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker gives it up, the other takes it a moment later."""
    desk.worker.drain()
    for place in desk.worker.leases.held().values():
        desk.log.release(place.lease)
    alive_for_long(valkey, desk, "desk")
    assert found("nobody works on")
    other = Worker(desk.log, "another")

    def taken(_seconds: float) -> None:
        desk.worker.leases.release_all()
        other.drain()
        alive_for_long(valkey, desk, "another")

    monkeypatch.setattr("services.cli.waiting.time.sleep", taken)

    assert [] == found("nobody works on")


def test_a_full_server_is_a_fault(desk: Desk, valkey: Server) -> None:
    """It answers everything but refuses every write."""
    with redis.Redis.from_url(valkey.url) as client:
        assert ["ok"] == [mark for mark, _ in found("in memory")]
        used = int(client.info("memory")["used_memory"])
        with configured(client, "maxmemory", used * 10 // 9):
            nearly = found("nearly full")
        with configured(client, "maxmemory", used // 2):
            full = found("is full")

    assert ["note"] == [mark for mark, _ in nearly]
    assert ["fault"] == [mark for mark, _ in full]
    assert "every write is refused" in full[0][1]
    assert "maxmemory" in full[0][1]


def test_a_server_without_its_replicas_is_a_fault(desk: Desk, valkey: Server) -> None:
    """It refuses every write until they are back."""
    with redis.Redis.from_url(valkey.url) as client, configured(client, "min-replicas-to-write", 2):
        told = found("min-replicas-to-write")

    assert [("fault", True)] == [(mark, "0 replicas follow, 2 must" in each) for mark, each in told]


def test_a_replica_is_a_fault(desk: Desk, valkey: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows everything and takes nothing."""
    assert [] == found("replica")
    with running_server(valkey_binary(), tmp_path, settings=("--replicaof", "127.0.0.1", "1")) as replica:
        monkeypatch.setenv("REDIS_URL", replica.url)
        ((mark, sentence),) = found("is a replica")

    assert mark == "fault"
    assert "and has lost its master: every write is refused" in sentence


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ("aof_last_write_status", "cannot be written, and every write is refused"),
        ("aof_last_bgrewrite_status", "could not be rewritten"),
        ("rdb_last_bgsave_status", "snapshot could not be saved, and every write is refused"),
    ],
)
def test_files_that_cannot_be_written_are_a_fault(
    desk: Desk, valkey: Server, monkeypatch: pytest.MonkeyPatch, field: str, part: str
) -> None:
    """The server says so itself; a full disk is not had in a test."""
    real = redis.Redis.info
    monkeypatch.setattr(
        redis.Redis, "info", lambda self, *words: {**real(self, *words), "aof_enabled": 1, field: "err"}
    )
    with redis.Redis.from_url(valkey.url) as client, configured(client, "save", "3600 1"):
        told = found(part)

    assert ["fault"] == [mark for mark, _ in told]


@pytest.mark.parametrize("layout", ["0", "2", None])
def test_another_layout_is_a_fault(desk: Desk, valkey: Server, layout: str | None) -> None:
    """No process of this program starts on it, and nothing else can be told of it."""
    with redis.Redis.from_url(valkey.url) as client:
        client.hdel(META, "layout") if layout is None else client.hset(META, "layout", layout)

    ((mark, sentence),) = found("layout")
    assert mark == "fault"
    assert f"layout {layout or 'none'}, this program needs 1" in sentence
    assert sentence == list(findings(Path("nowhere")))[-1][1]


def test_the_doctor_ends_with_what_it_found(desk: Desk, valkey: Server) -> None:
    """Whatever stands in the store, as text, and without a traceback when it stops answering."""
    with redis.Redis.from_url(valkey.url) as client:
        client.hset(META, "epoch", "[/red]\x1b[2J")
        client.hset(desk.log.partitions("echo")[0].cursor, "dead", b"\xff")
        client.delete(desk.log.partitions("echo")[0].positions)
        client.set(desk.log.partitions("echo")[0].positions, "of another type")
    result = CliRunner().invoke(program(), ["doctor"])

    assert result.exit_code == 1
    assert "epoch [/red]\\u001b[2J." in result.output
    assert "fault The store does not tell more (ResponseError" in result.output


def test_a_number_that_is_none_is_a_fault(desk: Desk, valkey: Server) -> None:
    """Nobody of ours wrote it."""
    desk.worker.drain()
    with redis.Redis.from_url(valkey.url) as client:
        client.hset(desk.log.partitions("echo")[0].cursor, "until", b"\xff soon")

    assert ["fault"] == [mark for mark, _ in found("holds what no release writes")]


def _ago(client: redis.Redis, seconds: int) -> str:
    clock: Any = client.time()
    return f"{(clock[0] - seconds) * 1000}-0"


def test_tables_without_views_are_named(desk: Desk, valkey: Server) -> None:
    """Of each live projection the tables that broke it, and where; it is a fault until they are made anew."""
    place = desk.log.partitions("echo")[1]
    assert [] == found("rules or doors failed")
    marks = {
        place.view("table@1", BROKEN): "an old version, which nobody reads",
        place.view("table@2", BROKEN): "KeyError at workers.echo.evolve.said:7",
        view_of_all("lobby@1", BROKEN): "ValueError at projections.lobby.lobby.row:3",
    }
    with redis.Redis.from_url(valkey.url) as client:
        client.hset(place.live, "table", "2")
        for key, why in marks.items():
            for number in range(12):
                client.hset(key, f"echo-t{number:02}", why)

    told = found("rules or doors failed")
    assert ["fault", "fault"] == [mark for mark, _ in told]
    for (_, sentence), version in zip(told, ("table@2 in echo.01", "lobby@1"), strict=True):
        assert sentence.startswith(f"{version}: rules or doors failed at 12 tables: ")
        assert "echo-t09 (" in sentence
        assert "and 2 more" in sentence
        assert f"`fidchell rebuild {version.partition('@')[0]}`" in sentence
    assert "KeyError at workers.echo.evolve.said:7" in told[0][1]
    assert "an old version" not in str(told)


def test_a_cluster_is_looked_over_node_by_node(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in the partitions is found wherever they are."""
    with led_to(emptied(cluster), monkeypatch) as desk:
        table = desk.running_table()
        desk.log.submit(desk.place(table), b"noise")
        desk.worker.drain()

        assert len(found("is loaded")) == MASTERS
        assert ["fault"] == [mark for mark, _ in found("1 commands were set aside")]


def test_what_lies_at_nodes_that_answer_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a silent one it is said what cannot be, also where that node tells which workers there are."""
    with running_cluster(tmp_path, settings=APART) as cluster, led_to(cluster.urls, monkeypatch) as desk:
        node = cluster.holder(workers_of("echo"))
        table = next(
            each for each in map("echo-{}".format, range(99)) if cluster.holder(desk.place(each).cursor) != node
        )
        desk.log.submit(desk.place(table), b"noise")
        desk.worker.drain()
        away = [each.tag for each in desk.log.partitions("echo") if cluster.holder(each.cursor) == node]
        with cluster.silent(node):
            told = findings(Path("nowhere"))
            sentences = [sentence for mark, sentence in told if mark == "fault"]
        there = cluster.holder(META)
        with cluster.silent(there):
            ((mark, last),) = list(findings(Path("nowhere")))[-1:]

    assert any(f":{cluster.ports[node]} does not answer" in each for each in sentences)
    assert any(f"echo: {', '.join(away)} cannot be looked at" in each for each in sentences)
    assert any("1 commands were set aside" in each for each in sentences)
    assert not any("nobody works" in each for each in sentences)
    assert "fault" == mark
    assert META in last


def test_a_store_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do about it."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1,redis://127.0.0.1:2")

    ((mark, sentence),) = findings(Path("nowhere"))
    assert mark == "fault"
    assert "cannot be reached" in sentence
