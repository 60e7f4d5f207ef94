"""What an operator is shown of projections, and may ask of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
import redis
from typer.testing import CliRunner

from events.log.errors import NodeAwayError
from events.log.redis_log import RedisLog
from events.streams import numbered, view_of_all
from projections.lobby.lobby import LOBBY, TABLES
from projections.runtime import upkeep
from projections.runtime.known import PROJECTIONS
from projections.runtime.upkeep import wait
from projections.tables.projections import TABLE, VIEWS
from services.cli.__main__ import program
from tests.clusters import APART, MASTERS, Cluster, running_cluster
from tests.flow.house import House
from tests.runtime.conftest import emptied
from tests.servers import Server
from tests.until import until

NAMES = tuple(f"nains-{letter}" for letter in "abcdef")


@pytest.fixture
def house(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Return a service with tables on a server, to which the command line leads."""
    with a_house(emptied(valkey), monkeypatch) as service:
        yield service


@contextmanager
def a_house(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Give a service with tables on a store, to which the command line leads."""
    monkeypatch.setenv("REDIS_URL", url)
    monkeypatch.setattr(upkeep.console, "width", 200)
    monkeypatch.setattr(upkeep, "GAMES", ("nains",))
    log = RedisLog(url)
    service = House(log)
    for table in NAMES:
        service.open_table(table, seats=2)
    service.settle()
    yield service
    log.close()


@contextmanager
def projecting(service: House) -> Iterator[None]:
    """Keep the views up to date while the block is alive."""
    stop = Event()

    def work() -> None:
        while not stop.is_set():
            service.projector.round(block_ms=5)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def said(*words: str, code: int = 0) -> str:
    """Return what the program prints."""
    result = CliRunner().invoke(program(), list(words))
    assert code == result.exit_code, result.output
    return result.output


def test_projections_are_shown_with_how_far_they_are_behind(house: House) -> None:
    """One row for each in each partition, with the live version and the lag."""
    random = Random(1)
    for table in NAMES:
        house.play_a_move(table, random)
    house.work()

    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in said("projections").splitlines() if "│" in row]

    partitions = [place.tag for place in house.log.partitions("nains")]
    assert [(each.name, tag, "1") for tag in partitions for each in PROJECTIONS] == [tuple(row[:3]) for row in rows]
    assert {"live"} == {row[4] for row in rows}
    assert len(NAMES) * len(PROJECTIONS) == sum(int(row[3]) for row in rows)


@pytest.mark.parametrize("projection", [each.name for each in PROJECTIONS])
def test_a_rebuild_is_asked_for_and_waited_for(house: House, projection: str) -> None:
    """The word ends when the new version is live everywhere."""
    with projecting(house):
        told = said("rebuild", projection)

    assert f"{projection}: {len(NAMES)} tables are rebuilt and live." in told
    courses = [house.log.standing(place)[1] for place in house.log.partitions("nains")]
    live = (
        {house.log.courses_of_all().number(LOBBY)}
        if projection == LOBBY
        else {each.number(projection) for each in courses}
    )
    assert live == {2}


def test_projections_are_rebuilt_on_a_cluster(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever partitions lie, and what is kept across them; nothing is left of the old versions."""
    with a_house(emptied(cluster), monkeypatch) as house:
        before = [house.view(table) for table in NAMES]
        with projecting(house):
            for projection in (each.name for each in PROJECTIONS):
                assert "are rebuilt and live" in said("rebuild", projection)
            until(lambda: not left_on(cluster, "@1:"), what="the old versions are removed")

        assert before == [house.view(table) for table in NAMES]
        assert left_on(cluster, "@2:")


def left_on(cluster: Cluster, part: str) -> list[str]:
    """Return the keys with such a part in their names."""
    keys = [key.decode() for node in range(MASTERS) for key in cluster.client(node).scan_iter(count=1_000)]
    return [key for key in keys if part in key]


def test_what_was_damaged_on_the_server_is_made_again(house: House, valkey: Server) -> None:
    """The views of a table and the lobby's rows come back as they were, and the old version leaves nothing."""
    place, lobby = house.partition(NAMES[0]), view_of_all(numbered(LOBBY, 1), TABLES)
    before = house.view(NAMES[0]), dict(house.log.view_fields(lobby))
    with redis.Redis.from_url(valkey.url) as store:
        store.delete(place.view(VIEWS, NAMES[0]), lobby)
        with projecting(house):
            for projection in (TABLE, LOBBY):
                said("rebuild", projection)
            until(lambda: not store.keys("*:v:table@1:*") and not store.keys("*:v:lobby@1:*"), what="all is removed")
        assert not store.keys("*:built")

    after = house.view(NAMES[0]), dict(house.log.view_fields(view_of_all(numbered(LOBBY, 2), TABLES)))
    assert before == after


def test_an_unknown_projection_cannot_be_rebuilt(house: House) -> None:
    """The word names those there are."""
    assert "chronicle, lobby, table" in said("rebuild", "ratings", code=1)


def test_a_projection_of_the_past_can_be_forgotten(house: House) -> None:
    """It holds the feed until somebody says that it will not come back; one that is in use cannot be forgotten."""
    for place in house.log.partitions("nains"):
        house.log.position(place, "ratings@1")
    assert said("projections").count("ratings@1") == len(house.log.partitions("nains"))

    view, across = house.partition(NAMES[0]).view("ratings@1", "x"), view_of_all("ratings@1", "x")
    store = house.log._store  # type: ignore[union-attr]  # noqa: SLF001  a look at all keys
    store.commands(("SET", view, "1"), ("SET", across, "1"))
    assert "Say it with its version: ratings@1." in said("projections", "forget", "ratings", code=1)
    assert "Say it with its version: table@1." in said("projections", "forget", "table", code=1)
    told = said("projections", "forget", "ratings@1")
    assert "no longer" in told
    assert "2 keys of views are removed" in told
    assert [] == store.command("KEYS", "*:v:ratings@1:*")
    assert "ratings" not in said("projections")
    assert "in use" in said("projections", "forget", "table@1", code=1)
    assert "No partition knows" in said("projections", "forget", "ratings@1", code=1)


def test_a_projection_is_forgotten_when_a_silent_node_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile it is told what is away, and nothing is half forgotten."""
    with running_cluster(tmp_path, settings=APART) as cluster, a_house(cluster.url, monkeypatch) as house:
        monkeypatch.setenv("REDIS_URL", cluster.urls)
        places = house.log.partitions("nains")
        for place in places:
            house.log.position(place, "ratings@1")
        for node in range(MASTERS):
            with cluster.silent(node):
                told = " ".join(said("projections", "forget", "ratings@1", code=1).split())
            assert f"127.0.0.1:{cluster.ports[node]} " in told
            assert "Say it again when that is back" in told
        held = [place for place in places if "ratings@1" in house.log.projections(place)]

        assert list(places) == held
        assert f"{len(places)} partitions no longer" in said("projections", "forget", "ratings@1")


def test_what_could_not_be_removed_is_removed_when_it_is_said_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The feed is held until all views of a forgotten projection are gone."""
    house.log.position(house.partition(NAMES[0]), "ratings@1")
    view = house.partition(NAMES[0]).view("ratings@1", "x")
    store = house.log._store  # type: ignore[union-attr]  # noqa: SLF001  a look at all keys
    store.command("SET", view, "1")

    def falls_silent(*_: object) -> int:
        raise NodeAwayError("the node of the views does not answer")

    with monkeypatch.context() as fault:
        fault.setattr(RedisLog, "remove_views", falls_silent)
        said("projections", "forget", "ratings@1", code=1)
    told = said("projections", "forget", "ratings@1")

    assert "1 keys of views are removed" in told
    assert 0 == store.command("EXISTS", view)


def test_a_rebuild_that_nobody_will_do_is_not_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands as asked for, and the word says who is missing; it is done as soon as somebody projects that game."""
    monkeypatch.setattr(upkeep, "PATIENCE_S", 0.1)

    told = said("rebuild", TABLE, code=1)
    with projecting(house):
        until(lambda: {2} == numbers(house, TABLE), what="it is done")

    assert "Nobody projects nains" in told
    assert "`fidchell project nains`" in told


def numbers(house: House, projection: str) -> set[int]:
    """Return which versions are live."""
    return {house.log.standing(place)[1].number(projection) for place in house.log.partitions("nains")}


def test_a_store_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words end with what is wrong."""
    monkeypatch.setenv("REDIS_URL", "unix:///nowhere/s")

    for words in (("projections",), ("rebuild", "table")):
        assert "The store cannot be reached: " in said(*words, code=1)


def test_a_rebuild_that_stands_still_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and waiting goes on."""
    monkeypatch.setattr("projections.runtime.upkeep.PATIENCE_S", 0.01)
    monkeypatch.setattr("projections.runtime.upkeep.LOOK_S", 0.02)
    looks = iter([0, 0, 0, 0, 1, None])
    told: list[int] = []
    hints: list[str] = []

    assert wait(lambda: next(looks), told=told.append, hint=lambda: hints.append("hint"))

    assert [0, 0, 0, 0, 1] == told
    assert ["hint"] == hints
