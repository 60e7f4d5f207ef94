"""What the doctor finds on a store that something happened to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from events import games
from events.log.redis_log import RedisLog
from events.messages import Seat
from services.cli.doctor import Finding, findings
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, envelope, seat_actor
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Echo
from tests.servers import Server


@pytest.fixture
def desk(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes, to whose store the doctor is led."""
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()
    monkeypatch.setattr("services.cli.doctor.GAMES", ("echo",))
    monkeypatch.setenv("REDIS_URL", emptied(valkey))
    log = RedisLog(valkey.url, games=["echo"])
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
