"""Spectators who are to be behind see what was there a while ago, and never anything newer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.commit import Commit
from events.log.records import HashPut
from events.messages import Seat
from events.streams import Partition
from events.tables.commands import (
    CancelTable,
    DropReady,
    LeaveSeat,
    LinkRematch,
    OpenTable,
    SetReady,
    StartTable,
    TakeSeat,
)
from events.tables.vocabulary import Actor, Player
from projections.kit.projection import Home, Step
from projections.tables.behind import DELAY, KEPT, seen
from projections.tables.projections import TableViews, documents
from tests.tables.life import ANN, BO, PLATFORM, Life, sitting
from workers.tables.state import TableState

DELAY_S = 60
HOME = Home(partition=Partition("nains", 0), version="table@1", across=False)
START = 1_700_000_000_000


class Played(msgspec.Struct):
    """A table's states, with the times at which they came to be."""

    times: list[int] = []
    states: list[TableState] = []

    def steps(self) -> list[Step]:
        return [
            Step(number=place, table="nains-life", commit=cast("Commit", None), events=(), before=before, after=after)
            for place, (before, after) in enumerate(zip(self.states, self.states[1:], strict=False))
        ]


def played(pauses: Sequence[int], *, delay: int = DELAY_S) -> Played:
    """Return a table that opens, starts, and is played with these pauses between commits, in milliseconds."""
    life, at = Life(), START
    found = Played(times=[0], states=[life.state])
    commands: list[Any] = [OpenTable(game="nains", seats=2, spectator_delay=delay)]
    commands += [TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")) for seat in range(2)]
    for command in (*commands, StartTable()):
        life = life.when(command, at=at)
        found.times.append(at)
        found.states.append(life.state)
    for pause in pauses:
        at += pause
        seat = min(life.state.prompts, default=None)
        if seat is None:
            break
        life = life.when(life.legal(seat)[0], by=sitting(seat), at=at)
        assert life.code is None
        found.times.append(at)
        found.states.append(life.state)
    return found


def fields(steps: Sequence[Step], sizes: Sequence[int]) -> dict[str, bytes]:
    """Return the view hash after the steps, projected in batches of these sizes and then the rest."""
    kept: dict[str, bytes] = {}
    rest = list(steps)
    for size in (*sizes, len(rest)):
        batch, rest = rest[:size], rest[size:]
        for write in TableViews().writes(HOME, batch):
            assert isinstance(write, HashPut)
            kept |= write.fields
    return kept


def shown(kept: dict[str, bytes], now: int) -> int:
    """Return the version that a spectator sees."""
    found = seen([kept.get(name) for name in KEPT], delay_ms=int(kept[DELAY]), now_ms=now)
    if found is None:
        return int(kept["version"])
    assert found.version == msgspec.json.decode(found.document)["version"]
    return found.version


@given(
    pauses=st.lists(st.integers(1, 40_000), min_size=1, max_size=30),
    sizes=st.lists(st.integers(1, 5), max_size=4),
    later=st.integers(0, 200_000),
)
def test_nothing_newer_than_the_delay_is_seen_and_nothing_much_older(
    pauses: list[int], sizes: list[int], later: int
) -> None:
    """Whatever the pace, a spectator is behind by the delay, and by a quarter more at most."""
    table = played(pauses)
    now = table.times[-1] + later
    version = shown(fields(table.steps(), sizes), now)
    play = [(at, state.version) for at, state in zip(table.times, table.states, strict=True)]
    begun = table.states[4].version
    allowed = max(number for at, number in play if at <= now - DELAY_S * 1000 or number < begun)
    owed = max(number for at, number in play if at <= now - DELAY_S * 1250 or number < begun)

    assert owed <= version <= allowed


@given(pauses=st.lists(st.integers(1, 40_000), min_size=1, max_size=20), sizes=st.lists(st.integers(1, 4), max_size=6))
def test_what_is_kept_does_not_depend_on_how_steps_came(pauses: list[int], sizes: list[int]) -> None:
    """Rebuilt from the histories it is as it was live."""
    steps = played(pauses).steps()

    assert fields(steps, []) == fields(steps, sizes)


@pytest.mark.parametrize("pauses", [[1_000] * 30])
def test_a_table_without_delay_keeps_nothing(pauses: list[int]) -> None:
    """What is not asked for costs nothing."""
    table = played(pauses, delay=0)

    assert documents(table.states[-1]) == fields(table.steps(), [])


BEFORE_PLAY: list[tuple[Any, Actor]] = [
    (OpenTable(game="nains", seats=2, spectator_delay=DELAY_S, ready=True), PLATFORM),
    *((TakeSeat(seat=seat, player=Player(f"p{seat}")), PLATFORM) for seat in (ANN, BO)),
    (SetReady(seat=ANN), sitting(ANN)),
    (DropReady(seat=ANN), sitting(ANN)),
    (LeaveSeat(seat=BO), PLATFORM),
    (CancelTable(), PLATFORM),
    (LinkRematch(table="nains-again"), PLATFORM),
]
"""All that may happen at a table at which play never begins, and from whom."""


@given(pauses=st.lists(st.integers(1, 40_000), min_size=len(BEFORE_PLAY), max_size=len(BEFORE_PLAY)))
def test_nobody_is_behind_before_play_begins(pauses: list[int]) -> None:
    """Who sits where and is ready is seen at once, and so is that the table is cancelled, and what comes of that."""
    life, at = Life(), START
    table = Played(times=[0], states=[life.state])
    for (command, actor), pause in zip(BEFORE_PLAY, pauses, strict=True):
        at += pause
        life = life.when(command, by=actor, at=at)
        assert life.code is None
        table.times.append(at)
        table.states.append(life.state)

        assert life.state.version == shown(fields(table.steps(), []), at)
    assert ("over", "nains-again") == (life.state.status, life.state.rematch)


def test_a_table_that_is_over_is_still_seen_late() -> None:
    """The end is no way around the delay."""
    table = played([1_000] * 5)
    life = Life(table.states[-1]).when(CancelTable(), at=table.times[-1] + 1_000)
    table.states.append(life.state)
    table.times.append(table.times[-1] + 1_000)
    kept = fields(table.steps(), [])

    assert table.states[4].version > shown(kept, table.times[-1])
    assert life.state.version == shown(kept, table.times[-1] + DELAY_S * 1250 + 1)
