"""A fault of rules or doors stays at the table and the projection it befell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from structlog.testing import capture_logs

from events.streams import Partition
from projections.kit.projection import BROKEN
from projections.lobby.lobby import LOBBY
from projections.runtime import folds, rebuild
from projections.runtime.known import PROJECTIONS
from projections.runtime.lines import survey
from projections.tables import chronicle
from projections.tables import projections as tables
from projections.tables.projections import STORY, TABLE, VIEW_BROKEN
from tests.flow.house import House
from tests.projections.test_rebuild import ALL, NAMES, ask, everything, left_over, live, play, played

BAD = NAMES[1]
TOLD_TO_NOBODY = "the seven of spades"

FAULTS = {"legal": (tables, "table_view"), "told": (chronicle, "told"), "evolve": (folds, "apply")}
MARKED = {"legal": {TABLE}, "told": {STORY}, "evolve": set(ALL)}


@contextmanager
def broken(fault: str) -> Iterator[None]:
    """Have the rules or a door fail at one table once it runs."""
    room, name = FAULTS[fault]
    door = getattr(room, name)

    def failing(state: Any, *rest: Any) -> Any:  # noqa: ANN401  as what it stands for
        if state.table == BAD and state.status == "running":
            raise ZeroDivisionError(TOLD_TO_NOBODY)
        return door(state, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, name, failing)
        yield


def lags(service: House, table: str) -> set[str]:
    """Return which of a table's projections do not tell all of its history."""
    (head,) = service.log.versions(service.partition(table), [table])
    story = service.chapters(table)
    whole = [1, *(each.last + 1 for each in story)] == [*(each.first for each in story), head + 1]
    return {
        *([] if whole else [STORY]),
        *([] if service.view(table)["version"] == head else [TABLE]),
    }


def marks(service: House) -> set[str]:
    """Return which live versions have noted that the table broke them."""
    place = service.partition(BAD)
    lines = survey(service.log, [place], PROJECTIONS).lines
    return {
        line.projection.name
        for line in lines
        if line.live and service.log.view_field(line.home.key(BROKEN), BAD) is not None
    }


@pytest.mark.parametrize("fault", FAULTS)
def test_a_table_that_breaks_is_marked_and_disturbs_nobody(fault: str) -> None:
    """Other tables and other projections go on; the mark outlives the process, and the log keeps the secret."""
    service = played(5)
    before = everything(service)
    with broken(fault), capture_logs() as lines:
        play(service, 3)
        service.restart_projections()
        play(service, 3)
    service.restart_projections()
    play(service, 1)
    found = everything(service)

    told = [line for line in lines if line["event"] == "view_broken"]
    assert sorted(MARKED[fault]) == sorted(line["projection"].partition("@")[0] for line in told)
    assert {(BAD, "ZeroDivisionError", "tests.projections.test_breaks.failing")} == {
        (line["table"], line["kind"], line["place"].partition(":")[0]) for line in told
    }
    assert TOLD_TO_NOBODY not in repr(lines)
    assert MARKED[fault] == marks(service)
    assert (VIEW_BROKEN if TABLE in MARKED[fault] else None) == found[BAD].get("status")  # type: ignore[attr-defined]
    assert MARKED[fault] - {LOBBY} == lags(service, BAD)
    if STORY in MARKED[fault]:
        assert before[f"story of {BAD}"] == found[f"story of {BAD}"]
    for name in NAMES:
        assert name == BAD or lags(service, name) == set()
        assert name == BAD or found[name] != before[name]

    ask(service, *ALL)
    service.project()

    assert set() == marks(service) == lags(service, BAD)
    assert "status" not in everything(service)[BAD]  # type: ignore[operator]
    assert set() == left_over(service)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("weight", [3, rebuild.WEIGHT])
def test_a_rebuild_with_mended_rules_heals(fault: str, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rebuild under rules that fail marks the table; one under mended rules is, byte for byte, what was."""
    monkeypatch.setattr(rebuild, "WEIGHT", weight)
    monkeypatch.setattr(rebuild, "TABLES", 2)
    service = played()
    before = everything(service)
    with broken(fault):
        ask(service, *ALL)
        service.project()
    service.restart_projections()
    service.project()

    assert {TABLE: {2}, STORY: {2}, LOBBY: {2}} == live(service)
    assert MARKED[fault] == marks(service)
    for name in NAMES:
        assert name == BAD or before[name] == everything(service)[name]

    ask(service, *ALL)
    service.project()

    assert before == everything(service)
    assert set() == marks(service)
    assert set() == left_over(service)


def test_rules_that_failed_at_a_table_are_not_tried_at_each_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a long history would be folded again for every move."""
    service = played(5)
    with broken("evolve"):
        play(service, 1)
        reads: list[str] = []
        real = service.log.history

        def history(partition: Partition, table: str, *, upto: int | None = None) -> Sequence[bytes]:
            reads.append(table)
            return real(partition, table, upto=upto)

        monkeypatch.setattr(service.log, "history", history)
        play(service, 5)
        service.restart_projections()
        play(service, 5)

    assert reads.count(BAD) <= 1


def test_rules_are_tried_again_where_views_are_made_anew() -> None:
    """A table that broke is whole again after a rebuild, in the process that saw it break, too."""
    service = played(5)
    with broken("evolve"):
        play(service, 1)
    ask(service, *ALL)
    service.project()
    play(service, 2)

    assert set() == marks(service)
    assert set() == lags(service, BAD)
