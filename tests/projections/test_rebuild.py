"""A rebuilt projection is the live one, byte for byte, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from events.log.errors import GapError
from events.log.memory import MemoryLog
from events.log.memory_shelf import Stream
from events.log.records import Save
from events.messages import Seat
from events.streams import numbered, view_of_all
from events.tables.commands import CancelTable, OpenTable, StartTable
from projections.lobby.lobby import LISTS, LOBBY, TABLES
from projections.runtime import rebuild
from projections.runtime.lines import BUILT
from projections.tables.chronicle import Chapter, read_chapter
from projections.tables.projections import STORY, TABLE
from tests.flow.house import House

NAMES = ("nains-a", "nains-b", "nains-c", "nains-d", "nains-e")
STILL = ("nains-open", "nains-late", "nains-over")
"""Tables at which nobody plays."""

ALL = (TABLE, STORY, LOBBY)

Everything = dict[str, object]


def everything(service: House) -> Everything:
    """Return all that readers are given, of the live versions."""
    log = service.log
    lobby = numbered(LOBBY, log.courses_of_all().number(LOBBY))
    found: Everything = {
        TABLES: dict(log.view_fields(view_of_all(lobby, TABLES))),
        **{name: list(log.view_ranks(view_of_all(lobby, name), start=0, stop=-1)) for name in LISTS},
    }
    for table in NAMES:
        place = service.partition(table)
        _, courses = log.standing(place)
        found[table] = dict(log.view_fields(place.view(numbered(TABLE, courses.number(TABLE)), table)))
        story = place.view(numbered(STORY, courses.number(STORY)), table)
        found[f"story of {table}"] = list(log.view_entries(story, count=10_000))
    return found


def live(service: House) -> dict[str, set[int]]:
    """Return the numbers of the live versions, over all partitions."""
    courses = [service.log.standing(place)[1] for place in service.log.partitions("nains")]
    return {
        LOBBY: {service.log.courses_of_all().number(LOBBY)},
        **{name: {each.number(name) for each in courses} for name in (TABLE, STORY)},
    }


def ask(service: House, *projections: str) -> None:
    """Ask for rebuilds everywhere."""
    for projection in projections:
        for place in [None] if projection == LOBBY else service.log.partitions("nains"):
            service.log.ask_rebuild(place, projection)


def play(service: House, moves: int, *, seed: int = 3, settle: Callable[[House], object] = House.settle) -> None:
    """Play every table for some moves."""
    random = Random(seed)
    for _ in range(moves):
        for table in NAMES:
            service.play_a_move(table, random)
            settle(service)


def opened(log: MemoryLog | None = None) -> House:
    """Return a service with running tables, one that is open, and some that went through all lists of the lobby."""
    service = House(log or MemoryLog(games=["nains"]))
    for table in NAMES:
        service.open_table(table, seats=3)
    service.send(STILL[0], OpenTable(game="nains", seats=3))
    for table, delay in zip(STILL[1:], (60, 0), strict=True):
        bots = tuple((Seat(seat), "random") for seat in range(3))
        service.send(table, OpenTable(game="nains", seats=3, bots=bots, spectator_delay=delay))
        service.send(table, StartTable())
        service.send(table, CancelTable())
    service.settle()
    return service


def played(moves: int = 15) -> House:
    """Return a service whose tables are some moves on."""
    service = opened()
    play(service, moves)
    return service


def left_over(service: House) -> set[str]:
    """Return the names of views that belong to no live version, and positions that hold the feed for none."""
    versions = live(service)
    memory = service.log._memory  # type: ignore[union-attr]  # noqa: SLF001  a look at all keys
    found = set()
    for key in [*memory.hashes, *memory.streams, *memory.ranks]:
        name, _, number = key.split(":v:")[1].split(":")[0].partition("@")
        if int(number) not in versions[name] or key.endswith(BUILT):
            found.add(key)
    for place in service.log.partitions("nains"):
        for version in service.log.projections(place):
            name, _, number = version.partition("@")
            if int(number) not in versions[name]:
                found.add(f"{place.tag} {version}")
    return found


def test_what_is_rebuilt_is_what_was_lived_through() -> None:
    """All three projections are made anew, switched, and the old versions removed without a trace."""
    service = played()
    before = everything(service)

    ask(service, *ALL)
    service.project()

    assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
    assert before == everything(service)
    assert set() == left_over(service)
    play(service, 5)
    assert service.chapters(NAMES[0]) != []


def test_a_rebuild_goes_on_beside_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves are made in all partitions while histories are read; every one is seen at once, and none twice."""
    monkeypatch.setattr(rebuild, "TABLES", 1)
    monkeypatch.setattr(rebuild, "WEIGHT", 3)
    service, twin = played(), played()
    ask(service, *ALL)
    rounds = 0

    def one_round(each: House) -> None:
        nonlocal rounds
        each.work()
        each.projector.round(block_ms=0)
        rounds += 1

    play(service, 12, seed=8, settle=one_round)
    assert rounds == 12 * len(NAMES)
    service.settle()
    play(twin, 12, seed=8)

    assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
    assert _without_times(everything(twin)) == _without_times(everything(service))
    assert set() == left_over(service)


def _without_times(found: Everything) -> Everything:
    """Leave out what two plays of the same moves cannot share."""
    kept = {name: value for name, value in found.items() if name not in LISTS}
    for name in NAMES:
        kept[name] = dict(found[name])["version"]  # type: ignore[call-overload]
        kept[f"story of {name}"] = [entry for entry, _ in found[f"story of {name}"]]  # type: ignore[attr-defined]
    return kept


def test_readers_never_see_a_table_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A live version gives way to one that is nowhere behind it, at every moment of a rebuild."""
    monkeypatch.setattr(rebuild, "TABLES", 1)
    service = played()
    seen: dict[str, int] = {}

    def look(each: House) -> None:
        each.work()
        each.projector.round(block_ms=0)
        for table in NAMES:
            place = each.partition(table)
            version = numbered(TABLE, each.log.standing(place)[1].number(TABLE))
            found = int(each.log.view_field(place.view(version, table), "version") or 0)
            assert found >= seen.get(table, 0)
            seen[table] = found

    ask(service, TABLE)
    play(service, 12, settle=look)
    service.settle()

    assert live(service)[TABLE] == {2}


def _remove(service: House, keys: Sequence[str]) -> None:
    for key in keys:
        for home in (service.log._memory.hashes, service.log._memory.streams):  # type: ignore[union-attr]  # noqa: SLF001
            home.pop(key, None)


def test_views_that_were_removed_by_hand_are_made_again() -> None:
    """What readers miss is there again after a rebuild."""
    service = played()
    before = everything(service)
    _remove(service, [service.partition(NAMES[0]).view("table@1", NAMES[0]), view_of_all("lobby@1", TABLES)])
    _remove(service, [service.partition(NAMES[1]).view("chronicle@1", NAMES[1])])
    assert before != everything(service)

    ask(service, *ALL)
    service.project()

    assert before == everything(service)


@pytest.mark.parametrize("seed", range(3))
def test_a_story_that_cannot_go_on_is_told_anew(seed: int) -> None:
    """Views that were corrupted so that nothing can be added are rebuilt unasked; the others go on meanwhile."""
    service, table = played(), NAMES[seed]
    place = service.partition(table)
    service.log._memory.streams[place.view("chronicle@1", table)].append("9999-0", b"no chapter")  # type: ignore[union-attr]  # noqa: SLF001

    play(service, 3, seed=seed)

    assert live(service)[STORY] == {1, 2}
    assert live(service)[TABLE] == {1}
    assert [1, *(each.last + 1 for each in _chapters(service, table)[:-1])] == [
        each.first for each in _chapters(service, table)
    ]


def _chapters(service: House, table: str) -> list[Chapter]:
    place = service.partition(table)
    version = numbered(STORY, service.log.standing(place)[1].number(STORY))
    return [read_chapter(body) for _, body in service.log.view_entries(place.view(version, table), count=10_000)]


class Dying(MemoryLog):
    """A store whose caller dies at one write of a rebuild, before it or after."""

    def __init__(self, *, at: int, after: bool) -> None:
        super().__init__(games=["nains"])
        self.at, self.after, self.writes = at, after, 0

    def _maybe(self, do: Callable[[], Any]) -> Any:  # noqa: ANN401  as what it calls
        self.writes += 1
        if self.writes == self.at and not self.after:
            raise ConnectionResetError
        done = do()
        if self.writes == self.at:
            raise ConnectionResetError
        return done

    def begin(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401  as above
        self._maybe(lambda: super(Dying, self).begin(*args, **rest))

    def save_piece(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401  as above
        self._maybe(lambda: super(Dying, self).save_piece(*args, **rest))

    def mark(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401  as above
        self._maybe(lambda: super(Dying, self).mark(*args, **rest))

    def switch(self, *args: Any, **rest: Any) -> bool:  # noqa: ANN401  as above
        return bool(self._maybe(lambda: super(Dying, self).switch(*args, **rest)))

    def drop(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401  as above
        self._maybe(lambda: super(Dying, self).drop(*args, **rest))

    def forget(self, *args: Any, **rest: Any) -> None:  # noqa: ANN401  as above
        self._maybe(lambda: super(Dying, self).forget(*args, **rest))


@pytest.mark.parametrize("after", [False, True])
def test_a_death_at_any_write_of_a_rebuild_changes_nothing(monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
    """Whoever comes next goes on with the piece at hand, wherever the one before ended."""
    monkeypatch.setattr(rebuild, "TABLES", 2)
    monkeypatch.setattr(rebuild, "WEIGHT", 10)
    at, deaths = 0, 0
    while deaths == at:
        at += 1
        log = Dying(at=0, after=after)
        service = opened(log)
        play(service, 4)
        before = everything(service)
        ask(service, *ALL)
        log.at, log.writes = at, 0
        try:
            service.project()
        except ConnectionResetError:
            deaths += 1
            service.restart_projections()
            service.project()

        assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
        assert before == everything(service)
        assert set() == left_over(service)
    assert deaths > 30


def test_two_processes_rebuild_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """They share the pieces, and neither writes over the other."""
    monkeypatch.setattr(rebuild, "TABLES", 1)
    monkeypatch.setattr(rebuild, "WEIGHT", 5)
    service = played()
    other = House(service.log)
    before = everything(service)
    ask(service, *ALL)

    while service.projector.round(block_ms=0) + other.projector.round(block_ms=0):
        pass

    assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
    assert before == everything(service)
    assert set() == left_over(service)


def test_a_projection_left_behind_is_rebuilt_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The feed went on without all of them; they come back, in this process and without a word."""
    monkeypatch.setattr("events.log.memory_commands.MAX_LAG", 0)
    service, twin = played(), played()
    for each in (service, twin):
        play(each, 1, seed=4, settle=House.work)
    for place in service.log.partitions("nains"):
        service.log.trim_feed(place)

    service.projector.forget()
    service.project()
    twin.project()

    assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
    assert _without_times(everything(twin)) == _without_times(everything(service))
    assert set() == left_over(service)


def test_a_new_projection_on_a_trimmed_feed_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads what the feed no longer holds from the histories."""
    monkeypatch.setattr("events.log.memory_commands.MAX_LAG", 5)
    service = played()
    before = everything(service)
    for place in service.log.partitions("nains"):
        service.log.trim_feed(place)
        for version in ("table@1", "chronicle@1", "lobby@1"):
            service.log.forget(place, version)
    service.log._memory.hashes.clear()  # type: ignore[union-attr]  # noqa: SLF001  a program that never had views
    service.log._memory.streams.clear()  # type: ignore[union-attr]  # noqa: SLF001
    service.log._memory.ranks.clear()  # type: ignore[union-attr]  # noqa: SLF001

    service.restart_projections()
    service.project()

    assert before == everything(service)


def test_a_gap_in_the_feed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are dense: what somebody removed by hand is read from the histories."""
    service, twin = played(), played()
    for each in (service, twin):
        play(each, 2, seed=4, settle=House.work)
    place = service.partition(NAMES[0])
    removed = service.log._memory.place(place)  # type: ignore[union-attr]  # noqa: SLF001
    removed.feed = [*removed.feed[:-2], *removed.feed[-1:]]

    service.project()
    twin.project()

    assert _without_times(everything(twin)) == _without_times(everything(service))


def test_a_view_of_a_version_that_is_gone_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that slept through a rebuild wakes up, and goes on with what is live."""
    service = played()
    sleeper = House(service.log)
    sleeper.projector.round(block_ms=0)
    ask(service, *ALL)
    service.project()
    play(service, 2, settle=House.work)

    sleeper.project()

    assert set() == left_over(service)
    assert int(service.log.standing(service.partition(NAMES[0]))[0].positions["table@2"]) > 0


def test_a_rebuild_that_could_not_be_written_is_tried_again_after_a_trouble() -> None:
    """What stood in its way may have been removed with what was wrong with the store."""
    service, table = played(), NAMES[0]
    streams = service.log._memory.streams  # type: ignore[union-attr]  # noqa: SLF001  views that somebody damages
    key = service.partition(table).view("chronicle@2", table)
    streams.setdefault(key, Stream()).append("9999-0", b"no chapter")
    before = everything(service)
    ask(service, STORY)
    service.project()
    assert 1 in live(service)[STORY]
    del streams[key]

    service.projector.forget()
    service.project()

    assert {2} == live(service)[STORY]
    assert before == everything(service)


def test_a_gap_is_not_remembered_beyond_a_trouble() -> None:
    """A store that was away is looked at with fresh eyes: what is missing has to be missed twice again."""
    service = played()
    play(service, 2, settle=House.work)
    place = service.log._memory.place(service.partition(NAMES[0]))  # type: ignore[union-attr]  # noqa: SLF001  as above
    whole = place.feed
    place.feed = [*whole[:-2], *whole[-1:]]
    service.projector.round(block_ms=0)
    service.projector.forget()
    service.projector.round(block_ms=0)
    place.feed = whole

    service.project()

    assert {TABLE: {1}, STORY: {1}, LOBBY: {1}} == live(service)


def test_a_position_that_moved_elsewhere_leaves_no_folded_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of those behind nor of the others: somebody else may have gone on."""
    service = played()
    play(service, 1, settle=House.work)

    def moved(saves: Sequence[Save]) -> Sequence[Exception]:
        return [GapError() for _ in saves]

    kept = service.projector._late_folds._states  # noqa: SLF001  what is in memory
    kept.update(service.projector._folds._states)  # noqa: SLF001  as above
    assert kept
    monkeypatch.setattr(service.log, "save_all", moved)
    service.projector.round(block_ms=0)

    assert {} == kept


def test_views_that_are_ahead_of_the_feed_are_made_anew() -> None:
    """A replica without the last commits became the master of a partition: nothing that comes is passed over."""
    service = played(6)
    place = service.partition(NAMES[0])
    memory = service.log._memory  # type: ignore[union-attr]  # noqa: SLF001  as if a server had forgotten
    end = service.log.feed_end(place)
    memory.positions_of_all[numbered(LOBBY, 1), place] = end + 1_000
    memory.hashes[view_of_all(numbered(LOBBY, 1), TABLES)]["nains-lost"] = b"a table of which nothing is left"
    service.restart_projections()
    play(service, 3)
    found = everything(service)
    ask(service, *ALL)
    service.project()

    assert everything(service) == found
    assert {3} == live(service)[LOBBY]
    assert set() == left_over(service)
