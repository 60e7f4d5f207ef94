"""Folds commits into states, keeping the tables it met last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from events.codec import event_codec
from events.commit import Commit, read_entry
from events.games import game_of
from events.log.errors import DamagedError
from events.log.store import Feed
from events.messages import Event, TableId
from events.streams import Partition
from events.upcasting import UnknownKindError
from projections.kit.projection import Step
from projections.runtime.breaks import UNREADABLE, Break, BrokenError, breaking
from workers.tables.evolve import apply
from workers.tables.state import RulesShelf, TableState, unopened

TABLES_KEPT: Final = 2_000
"""States kept between batches; a table beyond them is folded anew when it moves again."""

History = Callable[[Partition, str, int], Sequence[bytes]]
"""Returns a table's packed entries up to a version."""


def events_of(commit: Commit, game: str) -> tuple[Event, ...]:
    """Return a commit's events in today's form; ``UnknownKindError`` when a newer program wrote one."""
    codec = event_codec(game)
    return tuple(codec.read(each.schema, each.body) for each in commit.events)


def fold(state: TableState, commit: Commit, game: str) -> TableState:
    """Return the table after a commit."""
    return apply(state, events_of(commit, game), commit.command.actor.seat, commit.command.at)


def game_played_at(table: str) -> str:
    """Return the game a table's name carries; ``UnknownKindError`` when this program does not know it."""
    game = game_of(table)
    if game is None:
        raise UnknownKindError(table, 0)
    return game


def history_steps(feed: Feed, shelf: RulesShelf, partition: Partition, table: str) -> Iterator[Step | Break | None]:
    """
    Give every commit of a table, folded.

    Last comes ``None`` when this program cannot read what follows, and a ``Break`` when the rules fail at it.
    """
    state = unopened(TableId(table), shelf)
    try:
        history = feed.history(partition, table)
    except DamagedError:
        yield _damage(partition, table)
        return
    for packed in history:
        try:
            entry = read_entry(packed)
            if not isinstance(entry, Commit):
                continue
            with breaking():
                events = events_of(entry, game_played_at(table))
                after = apply(state, events, entry.command.actor.seat, entry.command.at)
        except UNREADABLE:
            yield None
            return
        except BrokenError as fault:
            yield fault.found
            return
        yield Step(number=0, table=table, commit=entry, events=events, before=state, after=after)
        state = after


def _damage(partition: Partition, table: str) -> Break:
    return Break(kind="damage", place=partition.truth(table))


class Folds:
    """The tables of a projection worker, as far as they have been folded."""

    def __init__(self, shelf: RulesShelf, history: History, *, kept: int = TABLES_KEPT) -> None:
        self._shelf = shelf
        self._history = history
        self._kept = kept
        self._states: OrderedDict[str, TableState] = OrderedDict()
        self._broken: OrderedDict[str, Break] = OrderedDict()

    def step(self, partition: Partition, number: int, table: str, packed: bytes) -> Step:
        """
        Return a commit of the feed with the table before and after it; ``BrokenError`` when the rules fail.

        Where they failed once they are not tried again: the whole history would be folded for each commit.
        """
        if table in self._broken:
            raise BrokenError(self._broken[table])
        try:
            return self._step(partition, number, table, packed)
        except BrokenError as fault:
            self._states.pop(table, None)
            self._broken[table] = fault.found
            if len(self._broken) > self._kept:
                self._broken.popitem(last=False)
            raise

    def _step(self, partition: Partition, number: int, table: str, packed: bytes) -> Step:
        commit = read_entry(packed)
        if not isinstance(commit, Commit):
            raise TypeError("the feed holds commits only")
        game = game_played_at(table)
        before = self._state_before(partition, table, game, commit)
        with breaking():
            events = events_of(commit, game)
            after = apply(before, events, commit.command.actor.seat, commit.command.at)
        self._keep(table, after)
        return Step(number=number, table=table, commit=commit, events=events, before=before, after=after)

    def forget(self) -> None:
        """Drop every state, as after somebody else may have moved on."""
        self._states.clear()
        self._broken.clear()

    def _state_before(self, partition: Partition, table: str, game: str, commit: Commit) -> TableState:
        state = self._states.get(table)
        if state is not None and state.version == commit.first - 1:
            return state
        try:
            history = self._history(partition, table, commit.first - 1)
        except DamagedError as fault:
            raise BrokenError(_damage(partition, table)) from fault
        state = unopened(TableId(table), self._shelf)
        with breaking():
            for packed in history:
                entry = read_entry(packed)
                if isinstance(entry, Commit):
                    state = fold(state, entry, game)
        return state

    def _keep(self, table: str, state: TableState) -> None:
        self._states.pop(table, None)
        if state.status != "over":
            self._states[table] = state
        if len(self._states) > self._kept:
            self._states.popitem(last=False)
