"""Seat, api, commands, rule worker, events, projection worker, views, seat: the line, read as tests."""

from __future__ import annotations

import json
from random import Random

import pytest

from events.codec import to_json
from events.commit import broken_link, read_entry
from events.log.memory import MemoryLog
from events.messages import SPECTATOR, Seat, TableId
from events.tables.commands import Concede
from events.tables.vocabulary import Actor
from projections.disputes.verify import fold, verify
from projections.tables.view import table_view
from tests.flow.house import SHELF, House


@pytest.fixture
def house() -> House:
    """Return a service over an empty store."""
    return House(MemoryLog(games=["nains"]))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_table_is_played_from_its_views_alone(house: House, seats: int) -> None:
    """Seats that know only what they are shown play a whole table; its history verifies, its views are its fold."""
    table, random = f"nains-flow{seats}", Random(seats)
    house.open_table(table, seats=seats)
    house.settle()
    while house.play_a_move(table, random):
        house.settle()

    entries = [read_entry(body) for body in house.log.history(house.partition(table), table)]
    state = fold(table, entries, SHELF)
    assert "over" == house.view(table)["status"]
    assert broken_link(entries) is None
    assert "verified" == verify(table, entries, SHELF).result
    for viewpoint in (SPECTATOR, *map(Seat, range(seats))):
        assert to_json(house.view(table, viewpoint)) == to_json(_plain(table_view(state, viewpoint)))


def _plain(view: object) -> object:
    return json.loads(to_json(view))


def test_the_story_counts_every_version_once(house: House) -> None:
    """Chapters follow each other without gap or repeat, from the opening to the end."""
    table, random = "nains-story", Random(1)
    house.open_table(table, seats=3)
    house.settle()
    while house.play_a_move(table, random):
        house.settle()
    chapters = house.chapters(table)

    assert [1, *(chapter.last + 1 for chapter in chapters[:-1])] == [chapter.first for chapter in chapters]
    assert house.view(table)["version"] == chapters[-1].last


def test_a_refused_click_changes_nothing(house: House) -> None:
    """A hundred illegal commands move neither version nor view; the next legal one is taken."""
    table = "nains-refused"
    house.open_table(table, seats=2)
    house.settle()
    before = house.view(table)
    for _ in range(100):
        house.send(table, Concede(seat=Seat(1)), Actor("seat", "house", Seat(0)))
    house.settle()

    assert before == house.view(table)

    house.send(table, Concede(seat=Seat(1)), Actor("seat", "house", Seat(1)))
    house.settle()

    assert "over" == house.view(table)["status"]


def test_tables_do_not_know_each_other() -> None:
    """Two tables played in turns become what each becomes alone."""
    together, alone = House(MemoryLog(games=["nains"])), House(MemoryLog(games=["nains"]))
    tables = [TableId("nains-left"), TableId("nains-right")]
    for house in (together, alone):
        for table in tables:
            house.open_table(table, seats=2)
            house.settle()
    randoms = {table: Random(table) for table in tables}
    while sum(together.play_a_move(table, randoms[table]) for table in tables):
        together.settle()
    for table in tables:
        random = Random(table)
        while alone.play_a_move(table, random):
            alone.settle()

    for table in tables:
        assert together.view(table)["status"] == alone.view(table)["status"] == "over"
        assert together.view(table)["board"] == alone.view(table)["board"]
