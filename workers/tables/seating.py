"""From an open table to a running one: who sits down, gets up, is ready, and when play begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from events.chance import SALT_BYTES
from events.messages import Event
from events.tables.commands import DropReady, LeaveSeat, SetReady, StartTable, TakeSeat
from events.tables.events import SeatLeft, SeatNotReady, SeatReady, SeatTaken, TableStarted
from events.tables.vocabulary import BOT_PREFIX, Actor
from workers.kit.decider import Refused
from workers.tables.evolve import evolve, evolve_all
from workers.tables.state import TableState
from workers.tables.wish import (
    HOSTS,
    Wish,
    context_of,
    require_known,
    require_open,
    require_role,
    require_seat,
)

Seating = TakeSeat | LeaveSeat | SetReady | DropReady | StartTable
"""Commands that an open table waits for."""

MAX_PLAYER: Final = 64
"""Characters a player's id may have."""


def decide_seating(state: TableState, command: Seating, wish: Wish) -> Sequence[Event]:
    """Return what a command causes at an open table."""
    match command:
        case TakeSeat():
            return take_seat(state, command, wish)
        case LeaveSeat():
            return leave_seat(state, command, wish.actor)
        case SetReady() | DropReady():
            return change_ready(state, command, wish)
        case StartTable():
            return start_table(state, wish)
        case _:
            assert_never(command)


def take_seat(state: TableState, command: TakeSeat, wish: Wish) -> Sequence[Event]:
    """Sit a player or a bot down; a bot that takes the last seat may make everybody ready."""
    actor = wish.actor
    require_known(state, actor)
    require_role(actor, *HOSTS, "invited")
    require_open(state)
    require_seat(state, command.seat)
    if state.places[command.seat].player is not None:
        raise Refused("seat_taken", seat=command.seat)
    if not 0 < len(command.player) <= MAX_PLAYER:
        raise Refused("malformed", path="$.player", problem=f"1 to {MAX_PLAYER} characters", reason="out_of_range")
    if len(command.salt) not in (0, SALT_BYTES):
        problem = f"exactly {SALT_BYTES} bytes, or none"
        raise Refused("malformed", path="$.salt", problem=problem, reason="out_of_range")
    if actor.role != "platform":
        _require_may_join(state, command, actor)
    return begun_if_ready(state, [SeatTaken(seat=command.seat, player=command.player, salt=command.salt)], wish)


def _require_may_join(state: TableState, command: TakeSeat, actor: Actor) -> None:
    """Who sits down on their own sits once, and at a private table only where they were invited."""
    is_bot = command.player.startswith(BOT_PREFIX)
    if is_bot and actor.role == "invited":
        raise Refused("not_allowed", role="platform")
    if state.private and actor.role == "guest":
        raise Refused("not_invited")
    if not is_bot and any(place.player == command.player for place in state.places):
        raise Refused("already_seated")


def leave_seat(state: TableState, command: LeaveSeat, actor: Actor) -> Sequence[Event]:
    require_known(state, actor)
    require_open(state)
    require_seat(state, command.seat)
    if actor.role != "platform" and actor.seat != command.seat:
        raise Refused("not_your_seat")
    if state.places[command.seat].player is None:
        raise Refused("seat_free", seat=command.seat)
    return [SeatLeft(seat=command.seat)]


def change_ready(state: TableState, command: SetReady | DropReady, wish: Wish) -> Sequence[Event]:
    """Say that a seat is ready, or is not after all; the last one that gets ready begins play."""
    require_known(state, wish.actor)
    require_open(state)
    require_seat(state, command.seat)
    place = state.places[command.seat]
    if wish.actor.role != "seat" or wish.actor.seat != command.seat or place.player is None:
        raise Refused("not_your_seat")
    if not state.by_ready:
        raise Refused("ready_not_asked")
    if isinstance(command, DropReady):
        if not place.ready:
            raise Refused("not_ready")
        return [SeatNotReady(seat=command.seat)]
    if place.ready:
        raise Refused("already_ready")
    return begun_if_ready(state, [SeatReady(seat=command.seat)], wish)


def start_table(state: TableState, wish: Wish) -> Sequence[Event]:
    require_known(state, wish.actor)
    require_role(wish.actor, *HOSTS)
    require_open(state)
    if not state.everyone_sits:
        free = [seat for seat, place in enumerate(state.places) if place.player is None]
        raise Refused("seats_free", seats=free)
    return begun(state, wish)


def begun_if_ready(state: TableState, events: Sequence[Event], wish: Wish) -> Sequence[Event]:
    """Return events of an open table, and the beginning of play where they make everybody ready."""
    after = evolve_all(state, events)
    return [*events, *begun(after, wish)] if after.everyone_ready else events


def begun(state: TableState, wish: Wish) -> Sequence[Event]:
    """Return the beginning of play."""
    started = TableStarted()
    running = evolve(state, started)
    return [started, *running.played_by.open_(running.game_state, context_of(state, wish))]
