"""What the doctor finds on a store that something happened to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from events import games
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import view_of_all
from projections.kit.projection import BROKEN
from services.cli.doctor import Finding, findings
from tests.clusters import MASTERS, Cluster
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, envelope, seat_actor
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Echo
from tests.servers import Server


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


def test_a_store_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do about it."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1,redis://127.0.0.1:2")

    ((mark, sentence),) = findings(Path("nowhere"))
    assert mark == "fault"
    assert "cannot be reached" in sentence
