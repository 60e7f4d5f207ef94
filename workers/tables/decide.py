"""Who may do what with a table, and what comes of it; play itself is the game's to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never, get_args

from msgspec.structs import replace

from events.games import game_of
from events.messages import Command, Event, Outcome, SeatCommand
from events.tables.commands import (
    CancelTable,
    Concede,
    DropReady,
    DropStandingAnswer,
    LeaveSeat,
    LinkRematch,
    OpenTable,
    SetReady,
    SetStandingAnswer,
    StartTable,
    TableCommand,
    TakeSeat,
)
from events.tables.events import (
    RematchLinked,
    SeatConceded,
    SeedRevealed,
    StandingAnswerDropped,
    StandingAnswerSet,
    TableCancelled,
    TableEnded,
)
from events.tables.vocabulary import Actor
from workers.kit.decider import Refused, Step
from workers.tables.evolve import evolve_all, settle
from workers.tables.seating import decide_seating
from workers.tables.setup import open_table
from workers.tables.state import TableState
from workers.tables.wish import (
    Wish,
    context_of,
    require_fresh,
    require_its_own,
    require_known,
    require_open,
    require_own_seat,
    require_role,
    require_running,
    require_window_ripe,
)

LIFE: Final = get_args(TableCommand)
"""Commands of table life; all others are the game's."""


def step(state: TableState, wish: Wish) -> tuple[Sequence[Event], TableState]:
    """
    Return what a command causes, and the table after it.

    Raises ``Refused`` when the table's life or its game says no; nothing has changed then.
    """
    if isinstance(wish.command, LIFE):
        events = list(_decide_life(state, wish.command, wish))
        after = evolve_all(state, events)
    else:
        played, game_state = _play(state, wish.command, wish)
        events = list(played)
        after = replace(state, game_state=game_state, version=state.version + len(events))
    if after.status == "running" and (ending := _ending(after)) is not None:
        closing = (TableEnded(outcome=ending), SeedRevealed(secret=wish.secret))
        events += closing
        after = evolve_all(after, closing)
    return events, settle(state, after, wish.actor.seat, wish.at)


def _decide_life(state: TableState, command: TableCommand, wish: Wish) -> Sequence[Event]:
    match command:
        case OpenTable():
            return open_table(state, command, wish)
        case TakeSeat() | LeaveSeat() | SetReady() | DropReady() | StartTable():
            return decide_seating(state, command, wish)
        case CancelTable():
            return cancel_table(state, wish)
        case LinkRematch():
            return link_rematch(state, command, wish.actor)
        case Concede():
            return concede(state, command, wish)
        case SetStandingAnswer() | DropStandingAnswer():
            return change_standing_answer(state, command, wish.actor)
        case _:
            assert_never(command)


def cancel_table(state: TableState, wish: Wish) -> Sequence[Event]:
    """
    End the table without an outcome; what its chance was made of is shown as at any end.

    A guest may, as long as play has not begun; that nobody else sits there is for the door to see.
    """
    require_known(state, wish.actor)
    require_role(wish.actor, "platform", "arbiter", "guest")
    if wish.actor.role == "guest":
        require_open(state)
    return [TableCancelled(by=wish.actor.role), SeedRevealed(secret=wish.secret)]


def link_rematch(state: TableState, command: LinkRematch, actor: Actor) -> Sequence[Event]:
    require_its_own(state, actor)
    require_role(actor, "platform")
    if state.status != "over":
        raise Refused("table_not_over")
    if state.rematch:
        raise Refused("rematch_linked", table=state.rematch)
    if command.table == state.table or game_of(command.table) != state.game:
        problem = "not another table of this game"
        raise Refused("malformed", path="$.table", problem=problem, reason="invalid_value")
    return [RematchLinked(table=command.table)]


def concede(state: TableState, command: Concede, wish: Wish) -> Sequence[Event]:
    require_known(state, wish.actor)
    require_running(state)
    require_own_seat(state, command.seat, wish.actor)
    if state.places[command.seat].conceded:
        raise Refused("already_conceded")
    return [SeatConceded(seat=command.seat)]


def change_standing_answer(
    state: TableState, command: SetStandingAnswer | DropStandingAnswer, actor: Actor
) -> Sequence[Event]:
    """Set or drop one at a window of the game; a window that is open now still wants its answer."""
    require_known(state, actor)
    require_running(state)
    require_own_seat(state, command.seat, actor)
    stands = command.window in state.standing.get(command.seat, ())
    if command.window not in state.windows:
        raise Refused("unknown_window", windows=list(state.windows))
    if isinstance(command, DropStandingAnswer):
        if not stands:
            raise Refused("no_standing_answer")
        return [StandingAnswerDropped(seat=command.seat, window=command.window)]
    if stands:
        raise Refused("standing_answer_set")
    return [StandingAnswerSet(seat=command.seat, window=command.window)]


def _play(state: TableState, command: Command, wish: Wish) -> Step:
    """Have the game decide, once it is clear that the seat may play and has seen its question."""
    require_known(state, wish.actor)
    if not isinstance(command, SeatCommand):
        raise Refused("malformed", path="$.kind", problem="no such command at this table", reason="unknown_kind")
    require_running(state)
    require_own_seat(state, command.seat, wish.actor)
    require_fresh(state, command.seat, wish.expected_version)
    require_window_ripe(state, command.seat, wish.at)
    return state.played_by.step(state.game_state, command, context_of(state, wish))


def _ending(state: TableState) -> Outcome | None:
    """Return how the table ends now, if it does; who conceded stands last, the first to concede at the very end."""
    if not state.concessions:
        return state.played_by.outcome(state.game_state)
    playing = state.still_playing
    behind = [(seat,) for seat in reversed(state.concessions)]
    if len(playing) == 1:
        return Outcome(reason="conceded", ranking=(playing, *behind))
    outcome = state.played_by.outcome(state.game_state)
    if outcome is None:
        return None
    ahead = [tuple(seat for seat in group if seat in playing) for group in outcome.ranking]
    return replace(outcome, ranking=(*filter(None, ahead), *behind))
