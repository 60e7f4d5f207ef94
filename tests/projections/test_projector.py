"""Views are what a plain fold of the history gives, whatever happens to the process that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from events.codec import pack, raw
from events.commit import Commit, StoredEvent, chained, entry_id, read_entry
from events.log.errors import DamagedError, GapError
from events.log.memory import MemoryLog
from events.log.records import Batch, Moved, Save, TableWrite
from events.streams import Partition, numbered, view_of_all
from projections.lobby.lobby import LISTS, LOBBY, ROWS
from projections.runtime import projector
from projections.tables.projections import CHRONICLE, NEEDS_NEWER, VIEWS
from tests.flow.house import House

TABLES = ("nains-a", "nains-b", "nains-c")


def house() -> House:
    """Return a service over an empty store."""
    return House(MemoryLog(games=["nains"]))


def played(service: House, moves: int, *, seed: int = 3, restart: bool = False) -> House:
    """Play three tables for some moves each, perhaps with a new projection process before every move."""
    random = Random(seed)
    for table in TABLES:
        service.open_table(table, seats=3)
    service.settle()
    for _ in range(moves):
        for table in TABLES:
            service.play_a_move(table, random)
            if restart:
                service.restart_projections()
            service.settle()
    return service


def everything(service: House) -> dict[str, object]:
    """Return all that is stored for readers."""
    found: dict[str, object] = {ROWS: dict(service.log.view_fields(ROWS))}
    for name in LISTS:
        key = view_of_all(numbered(LOBBY, 1), name)
        ranked = service.log.view_ranks(key, start=0, stop=-1)
        found[name] = sorted(member.rpartition(":")[2] for member, _ in ranked)
    for table in TABLES:
        place = service.partition(table)
        found[table] = dict(service.log.view_fields(place.view(VIEWS, table)))
        found[f"story of {table}"] = [
            (chapter.first, chapter.last, chapter.common, chapter.private) for chapter in service.chapters(table)
        ]
    return found


def test_a_restart_before_every_move_changes_nothing() -> None:
    """What a process forgot it folds again from the history."""
    assert everything(played(house(), 25)) == everything(played(house(), 25, restart=True))


def test_projecting_late_equals_projecting_at_once() -> None:
    """Views of many commits at once are the views of the last; the story is complete all the same."""
    at_once = played(house(), 20)
    late = House(at_once.log)
    stored = everything(at_once)
    for partition in late.log.partitions("nains"):
        for name in (VIEWS, CHRONICLE):
            late.log.position(partition, name)

    late.project()

    assert stored == everything(late)


def test_of_each_move_the_doors_hear_once() -> None:
    """Of the views, which are saved last: then the story is there, too, and nothing else is waited for."""
    service = played(house(), 3)
    ear = service.log.listen(service.log.partitions("nains"))
    service.play_a_move(TABLES[0], Random(5))
    service.settle()
    heard = [each for _, each in iter(lambda: ear.next(0), None) if isinstance(each, Moved)]
    ear.close()

    last = service.chapters(TABLES[0])[-1].last
    assert [(VIEWS, {TABLES[0]: last})] == [(each.projection, each.tables) for each in heard]


def test_two_projection_processes_do_no_harm() -> None:
    """Whoever saves second finds the position moved, and goes on from there."""
    service = played(house(), 5)
    other = House(service.log)
    random = Random(9)
    for _ in range(20):
        for table in TABLES:
            service.play_a_move(table, random)
            service.work()
        other.project()
        service.project()

    assert [1, *(chapter.last + 1 for chapter in service.chapters(TABLES[0])[:-1])] == [
        chapter.first for chapter in service.chapters(TABLES[0])
    ]
    assert everything(service) == everything(other)


class Failing(MemoryLog):
    """A store that dies before or after some saves."""

    def __init__(self, *, before: int = 0, after: int = 0) -> None:
        super().__init__(games=["nains"])
        self.before, self.after, self.saves = before, after, 0

    def save_all(self, saves: Sequence[Save]) -> Sequence[Exception | None]:
        return [fault for each in saves for fault in self._mortal(each)]

    def _mortal(self, save: Save) -> Sequence[Exception | None]:
        self.saves += 1
        if self.before and self.saves % self.before == 0:
            raise ConnectionResetError
        faults = super().save_all([save])
        if self.after and self.saves % self.after == 0:
            raise ConnectionResetError
        return faults


@pytest.mark.parametrize("log", [Failing(before=3), Failing(after=3), Failing(before=4, after=5)])
def test_a_death_on_either_side_of_a_save_changes_nothing(log: Failing) -> None:
    """Views and position move together, so nothing is lost and nothing is told twice."""

    class Mortal(House):
        def project(self) -> None:
            while True:
                try:
                    super().project()
                except ConnectionResetError:
                    self.restart_projections()
                else:
                    return

    assert everything(played(house(), 20)) == everything(played(Mortal(log), 20))


class Counting(MemoryLog):
    """
    A store that counts what is saved together.

    Args:
        hurt: the projection whose saves fail.
    """

    def __init__(self) -> None:
        super().__init__(games=["nains"])
        self.trips: list[set[Partition]] = []
        self.hurt = ""

    def save_all(self, saves: Sequence[Save]) -> Sequence[Exception | None]:
        self.trips.append({each.partition for each in saves})
        faults = [DamagedError("") if each.projection == self.hurt else None for each in saves]
        return [fault or super(Counting, self).save_all([each])[0] for each, fault in zip(saves, faults, strict=True)]


@pytest.mark.parametrize("count", [500, 1])
def test_what_a_round_drew_is_saved_together_up_to_a_bound(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """A round trip for each partition would cost more than the views; all of a long way behind would fill memory."""
    monkeypatch.setattr(projector, "COUNT", count)
    log = Counting()
    service = House(log)
    for table in TABLES:
        service.open_table(table, seats=3)
    service.work()
    service.project()
    places = {service.partition(table) for table in TABLES}
    drawn = [each for each in log.trips if each]

    assert len(places) > 1
    assert places in drawn if count > len(TABLES) else {1} == {len(each) for each in drawn}


def test_what_was_saved_beside_damaged_keys_is_known() -> None:
    """It is neither written again nor told of again; who works on hears what is damaged."""
    log = Counting()
    service = House(log)
    service.open_table(TABLES[0], seats=3)
    service.work()
    service.project()
    service.play_a_move(TABLES[0], Random(1))
    service.work()
    log.hurt = CHRONICLE
    with pytest.raises(DamagedError):
        service.projector.round(block_ms=0)
    positions = log.standing(service.partition(TABLES[0]))[0].positions
    survey = service.projector._survey  # noqa: SLF001  what it knows
    assert survey is not None
    known = {line.version: line.position for line in survey.lines if line.partition == service.partition(TABLES[0])}

    assert known == positions
    assert positions[VIEWS] > positions[CHRONICLE]


def test_positions_never_go_back() -> None:
    """A save from an old position is refused."""
    service = played(house(), 2)
    place = service.partition(TABLES[0])

    with pytest.raises(GapError):
        service.log.save(Save(place, VIEWS, after=0, position=1))


def test_a_history_from_the_future_is_marked_and_disturbs_nobody() -> None:
    """A table that a newer program wrote to says so; the others go on."""
    service = played(house(), 3)
    told = everything(service)
    service.play_a_move("nains-b", Random(1))
    service.work()
    _append_from_the_future(service, "nains-a")
    service.project()
    later = everything(service)

    assert told["story of nains-a"] == later["story of nains-a"]
    assert told["story of nains-b"] != later["story of nains-b"]
    place = service.partition("nains-a")
    assert NEEDS_NEWER == service.log.view_field(place.view(VIEWS, "nains-a"), "status")


def _append_from_the_future(service: House, table: str) -> None:
    """Have the table's history go on with a kind of event that this program does not know."""
    place = service.partition(table)
    last = read_entry(service.log.history(place, table)[-1])
    assert isinstance(last, Commit)
    event = StoredEvent(1, raw({"kind": "song_sung"}))
    version = last.last + 1
    future = chained(msgspec.structs.replace(last, first=version, last=version, events=(event,)), last.chain)
    lease = service.log.acquire(place, owner="house", ttl_ms=60_000)
    assert lease is not None
    write = TableWrite(
        table=table,
        expected=last.chain,
        entries=[(entry_id(future), pack(future))],
        version=version,
        status="running",
        chain=future.chain,
    )
    behind = f"{int(lease.position.partition('-')[0]) + 1}-0"
    service.log.commit(Batch(lease=lease, after=lease.position, position=behind, handled=1, tables=[write]))
