"""Projection processes share the partitions out, and nothing is left to nobody."""

from __future__ import annotations

from itertools import chain

from events.log.memory import MemoryLog
from events.streams import Partition
from projections.runtime.shares import TTL_MS, Shares
from projections.runtime.words import projector_of
from tests.flow.house import House


class Clock:
    """A clock that is put forward."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


def test_all_partitions_are_somebodys() -> None:
    """However many come, leave or vanish, every partition has exactly one process once all have looked."""
    clock = Clock()
    log = MemoryLog(games=["nains"], partitions=5, clock=clock)
    group = {name: _eager(log, name) for name in ("ann", "bo", "cy")}

    def held(*names: str) -> list[int]:
        for name in 2 * names:
            group[name].mine()
        mine = [group[name].mine() for name in names]
        assert sorted(chain(*mine)) == sorted(log.partitions("nains"))
        return sorted(map(len, mine))

    assert [5] == held("ann")
    assert [2, 3] == held("ann", "bo")
    assert [1, 2, 2] == held("ann", "bo", "cy")
    group["bo"].leave()
    assert [2, 3] == held("ann", "cy")
    clock.now += TTL_MS + 1
    assert [5] == held("cy")


def test_more_processes_than_partitions_do_no_harm() -> None:
    """Who has nothing waits."""
    log = MemoryLog(games=["nains"], partitions=1)
    group = [_eager(log, name) for name in ("ann", "bo")]
    for each in 2 * group:
        each.mine()

    assert [1, 0] == [len(each.mine()) for each in group]
    idle = projector_of(log, ["nains"])
    idle.take(group[1].mine())
    assert 0 == idle.round(block_ms=1)


def test_a_share_is_worked_on_alone() -> None:
    """Views of other partitions are left to others."""
    house = House(MemoryLog(games=["nains"]))
    tables = [f"nains-{letter}" for letter in "abcdefgh"]
    first = house.partition(tables[0])
    house.projector.take([first])
    for table in tables:
        house.open_table(table, seats=2)
    house.settle()

    shown = {table for table in tables if house.log.view_fields(house.live(table, "table"))}
    assert {table for table in tables if house.partition(table) == first} == shown
    house.projector.take(house.log.partitions("nains"))
    house.project()
    assert all(house.log.view_fields(house.live(table, "table")) for table in tables)


def _eager(log: MemoryLog, owner: str) -> Shares:
    """Return shares that look every time."""

    class Eager(Shares):
        def mine(self) -> tuple[Partition, ...]:
            self._renewed = 0.0
            return super().mine()

    return Eager(log, ["nains"], owner=owner)
