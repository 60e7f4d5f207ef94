"""What a table becomes by what happens: its life here, its game by the game's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import get_args

import msgspec
from msgspec.structs import replace

from events.messages import Event, Seat
from events.tables.events import (
    RematchLinked,
    SeatConceded,
    SeatLeft,
    SeatNotReady,
    SeatReady,
    SeatTaken,
    SeedRevealed,
    StandingAnswerDropped,
    StandingAnswerSet,
    TableArranged,
    TableCancelled,
    TableEnded,
    TableEvent,
    TableOpened,
    TableStarted,
)
from workers.kit.evolver import evolver
from workers.tables.state import Place, TableState


def table_opened(state: TableState, event: TableOpened) -> TableState:
    rules = state.shelf.find(game=event.game, rules=event.rules, digest=event.digest)
    return replace(
        state,
        status="open",
        game=event.game,
        platform=event.platform,
        rules=rules,
        options=event.options,
        places=(Place(),) * event.seats,
        commitment=event.commitment,
    )


def table_arranged(state: TableState, event: TableArranged) -> TableState:
    return replace(
        state,
        private=event.private,
        spectator_delay=event.spectator_delay,
        by_ready=event.ready,
        parent=event.parent,
    )


def seat_taken(state: TableState, event: SeatTaken) -> TableState:
    return _with_place(state, event.seat, Place(player=event.player, salt=event.salt))


def seat_left(state: TableState, event: SeatLeft) -> TableState:
    return _with_place(state, event.seat, Place())


def seat_ready(state: TableState, event: SeatReady) -> TableState:
    return _with_place(state, event.seat, replace(state.places[event.seat], ready=True))


def seat_not_ready(state: TableState, event: SeatNotReady) -> TableState:
    return _with_place(state, event.seat, replace(state.places[event.seat], ready=False))


def table_started(state: TableState, _event: TableStarted) -> TableState:
    rules = state.played_by
    options = msgspec.convert(dict(state.options), rules.options)
    return replace(state, status="running", game_state=rules.initial(options, len(state.places)))


def seat_conceded(state: TableState, event: SeatConceded) -> TableState:
    place = replace(state.places[event.seat], conceded=True)
    return replace(_with_place(state, event.seat, place), concessions=(*state.concessions, event.seat))


def standing_answer_set(state: TableState, event: StandingAnswerSet) -> TableState:
    windows = state.standing.get(event.seat, frozenset()) | {event.window}
    return replace(state, standing={**state.standing, event.seat: windows})


def standing_answer_dropped(state: TableState, event: StandingAnswerDropped) -> TableState:
    windows = state.standing.get(event.seat, frozenset()) - {event.window}
    return replace(state, standing={**state.standing, event.seat: windows})


def table_ended(state: TableState, event: TableEnded) -> TableState:
    return replace(state, status="over", outcome=event.outcome)


def table_cancelled(state: TableState, event: TableCancelled) -> TableState:
    return replace(state, status="over", cancelled=event.by)


def rematch_linked(state: TableState, event: RematchLinked) -> TableState:
    return replace(state, rematch=event.table)


def seed_revealed(state: TableState, event: SeedRevealed) -> TableState:
    return replace(state, secret=event.secret)


def _with_place(state: TableState, seat: Seat, place: Place) -> TableState:
    places = (*state.places[:seat], place, *state.places[seat + 1 :])
    return replace(state, places=places)


_evolve_life = evolver(
    TableEvent,
    table_opened,
    table_arranged,
    seat_taken,
    seat_left,
    seat_ready,
    seat_not_ready,
    table_started,
    seat_conceded,
    standing_answer_set,
    standing_answer_dropped,
    table_ended,
    table_cancelled,
    seed_revealed,
    rematch_linked,
)
_LIFE = frozenset(get_args(TableEvent))


def evolve(state: TableState, event: Event) -> TableState:
    """Return the table after one event, its own or its game's."""
    if type(event) in _LIFE:
        return replace(_evolve_life(state, event), version=state.version + 1)
    return replace(state, game_state=state.played_by.evolve(state.game_state, event), version=state.version + 1)


def evolve_all(state: TableState, events: Sequence[Event]) -> TableState:
    """Return the table after some events; when all are its game's, as in almost every commit, it changes once."""
    if state.game_state is None or not _LIFE.isdisjoint(map(type, events)):
        return reduce(evolve, events, state)
    game_state = reduce(state.played_by.evolve, events, state.game_state)
    return replace(state, game_state=game_state, version=state.version + len(events))


def settle(before: TableState, after: TableState, answered: Seat | None, at: int) -> TableState:
    """
    Return the table after a whole commit, with the version noted at which each open question was put.

    A question is new when the seat had none before, had another one, or has just answered; ``at`` is the time.
    """
    if before.status == "unopened":
        after = replace(after, opened_at=at)
    if after.spectator_delay and after.play_began:
        after = replace(after, moved_at=at)
    asked: dict[Seat, int] = {}
    prompts = after.prompts
    old = {} if tuple(before.asked) == (answered,) else before.prompts
    for seat, prompt in prompts.items():
        still = seat != answered and old.get(seat) == prompt
        asked[seat] = before.asked[seat] if still else after.version
    if asked == after.asked:
        return after
    is_new = after.version in asked.values()
    return replace(after, asked=asked, asked_at=at if is_new else after.asked_at)


def apply(state: TableState, events: Sequence[Event], answered: Seat | None, at: int) -> TableState:
    """Return the table after a commit; ``answered`` is the seat whose command caused it, ``at`` the time of it."""
    return settle(state, evolve_all(state, events), answered, at)
