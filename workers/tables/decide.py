"""Who may do what with a table, and what comes of it; play itself is the game's to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never, get_args

import msgspec
from msgspec.structs import replace

from events.chance import SALT_BYTES, Chance, commitment, seed_of
from events.complaints import complaint
from events.messages import Command, Event, Outcome, Seat, SeatCommand
from events.tables.commands import (
    Concede,
    DropStandingAnswer,
    LeaveSeat,
    OpenTable,
    SetStandingAnswer,
    StartTable,
    TableCommand,
    TakeSeat,
)
from events.tables.events import (
    SeatConceded,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    StandingAnswerDropped,
    StandingAnswerSet,
    TableEnded,
    TableOpened,
    TableStarted,
)
from events.tables.vocabulary import BOT_PREFIX, Actor, Player
from workers.kit.decider import Context, Refused, Step, WindowPrompt
from workers.tables.evolve import evolve, evolve_all, settle
from workers.tables.state import TableState

LIFE: Final = get_args(TableCommand)
"""Commands of table life; all others are the game's."""

MAX_PLAYER: Final = 64
"""Characters a player's id may have."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """
    A command with all that comes from outside into its decision.

    Args:
        at: milliseconds since 1970 at which the store took it in.
        secret: the table's 32 secret bytes, behind all its chance.
        expected_version: the version its sender had seen, if it said so.
    """

    command: Command
    actor: Actor
    at: int
    secret: bytes
    expected_version: int | None = None


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
        case TakeSeat():
            return take_seat(state, command, wish.actor)
        case LeaveSeat():
            return leave_seat(state, command, wish.actor)
        case StartTable():
            return start_table(state, wish)
        case Concede():
            return concede(state, command, wish)
        case SetStandingAnswer() | DropStandingAnswer():
            return change_standing_answer(state, command, wish.actor)
        case _:
            assert_never(command)


def open_table(state: TableState, command: OpenTable, wish: Wish) -> Sequence[Event]:
    _require_role(wish.actor, "platform")
    if state.status != "unopened":
        raise Refused("table_exists")
    edition = state.shelf.current(command.game)
    if edition is None or not state.table.startswith(f"{command.game}-"):
        raise Refused("unknown_game")
    rules = edition.rules
    if command.seats not in edition.seats:
        raise Refused("seats_out_of_range", least=edition.seats.start, most=edition.seats.stop - 1)
    try:
        options = msgspec.convert(command.options, rules.options)
    except msgspec.ValidationError as fault:
        told = complaint(fault, broken="wrong_type")
        path = "$.options" + told.path.removeprefix("$")
        raise Refused("malformed", path=path, problem=told.problem, reason=told.reason) from None
    possible = edition.seats_with(options)
    if command.seats not in possible:
        raise Refused("seats_out_of_range", least=possible.start, most=possible.stop - 1)
    edition = edition.chosen_by(options)
    opened = TableOpened(
        game=command.game,
        seats=command.seats,
        options=msgspec.to_builtins(options),
        rules=edition.rules.version,
        catalogue=edition.catalogue,
        digest=edition.digest,
        platform=wish.actor.platform,
        commitment=commitment(wish.secret),
    )
    taken = [SeatTaken(seat=seat, player=Player(BOT_PREFIX + bot)) for seat, bot in command.bots]
    seats = [seat for seat, _ in command.bots]
    if len(set(seats)) < len(seats) or any(not 0 <= seat < command.seats for seat in seats):
        problem = "each bot needs a seat of its own at this table"
        raise Refused("malformed", path="$.bots", problem=problem, reason="invalid_value")
    return [opened, *taken]


def take_seat(state: TableState, command: TakeSeat, actor: Actor) -> Sequence[Event]:
    _require_known(state, actor)
    _require_role(actor, "platform")
    _require_open(state)
    _require_seat(state, command.seat)
    if state.places[command.seat].player is not None:
        raise Refused("seat_taken", seat=command.seat)
    if not 0 < len(command.player) <= MAX_PLAYER:
        raise Refused("malformed", path="$.player", problem=f"1 to {MAX_PLAYER} characters", reason="out_of_range")
    if len(command.salt) not in (0, SALT_BYTES):
        problem = f"exactly {SALT_BYTES} bytes, or none"
        raise Refused("malformed", path="$.salt", problem=problem, reason="out_of_range")
    return [SeatTaken(seat=command.seat, player=command.player, salt=command.salt)]


def leave_seat(state: TableState, command: LeaveSeat, actor: Actor) -> Sequence[Event]:
    _require_known(state, actor)
    _require_open(state)
    _require_seat(state, command.seat)
    if actor.role != "platform" and actor.seat != command.seat:
        raise Refused("not_your_seat")
    if state.places[command.seat].player is None:
        raise Refused("seat_free", seat=command.seat)
    return [SeatLeft(seat=command.seat)]


def start_table(state: TableState, wish: Wish) -> Sequence[Event]:
    _require_known(state, wish.actor)
    _require_role(wish.actor, "platform")
    _require_open(state)
    if not state.everyone_sits:
        free = [seat for seat, place in enumerate(state.places) if place.player is None]
        raise Refused("seats_free", seats=free)
    started = TableStarted()
    running = evolve(state, started)
    return [started, *running.played_by.open_(running.game_state, _context(state, wish))]


def concede(state: TableState, command: Concede, wish: Wish) -> Sequence[Event]:
    _require_known(state, wish.actor)
    _require_running(state)
    _require_own_seat(state, command.seat, wish.actor)
    if state.places[command.seat].conceded:
        raise Refused("already_conceded")
    return [SeatConceded(seat=command.seat)]


def change_standing_answer(
    state: TableState, command: SetStandingAnswer | DropStandingAnswer, actor: Actor
) -> Sequence[Event]:
    """Set or drop one at a window of the game; a window that is open now still wants its answer."""
    _require_known(state, actor)
    _require_running(state)
    _require_own_seat(state, command.seat, actor)
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
    _require_known(state, wish.actor)
    if not isinstance(command, SeatCommand):
        raise Refused("malformed", path="$.kind", problem="no such command at this table", reason="unknown_kind")
    _require_running(state)
    _require_own_seat(state, command.seat, wish.actor)
    _require_fresh(state, command.seat, wish.expected_version)
    _require_window_ripe(state, command.seat, wish.at)
    return state.played_by.step(state.game_state, command, _context(state, wish))


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


def _context(state: TableState, wish: Wish) -> Context:
    chance = Chance(lambda: seed_of(wish.secret, state.salts), state.version)
    return Context(actor=wish.actor, at=wish.at, chance=chance, standing=state.standing)


def _require_known(state: TableState, actor: Actor) -> None:
    """Another platform's table is as unknown as one that was never opened."""
    if state.status == "unopened" or actor.platform != state.platform:
        raise Refused("unknown_table")
    if state.status == "over":
        raise Refused("table_over")


def _require_role(actor: Actor, role: str) -> None:
    if actor.role != role:
        raise Refused("not_allowed", role=role)


def _require_open(state: TableState) -> None:
    if state.status != "open":
        raise Refused("table_started")


def _require_running(state: TableState) -> None:
    if state.status != "running":
        raise Refused("table_not_started")


def _require_seat(state: TableState, seat: Seat) -> None:
    if not 0 <= seat < len(state.places):
        raise Refused("unknown_seat", seats=len(state.places))


def _require_own_seat(state: TableState, seat: Seat, actor: Actor) -> None:
    _require_seat(state, seat)
    place = state.places[seat]
    plays = (actor.role == "seat" and not place.conceded) or (actor.role == "bots" and place.played_by_bot)
    if actor.seat != seat or not plays:
        raise Refused("not_your_seat")


def _require_fresh(state: TableState, seat: Seat, expected: int | None) -> None:
    """A click is stale when the question it answers was put after what its sender had seen."""
    if expected is None:
        return
    oldest = state.asked.get(seat, state.version)
    if not oldest <= expected <= state.version:
        raise Refused("stale_version", version=state.version)


def _require_window_ripe(state: TableState, seat: Seat, at: int) -> None:
    """No window closes before the table's floor, since none is answered before."""
    wait = state.asked_at + state.window_floor - at
    if state.window_floor and wait > 0 and isinstance(state.prompts.get(seat), WindowPrompt):
        raise Refused("too_soon", wait_ms=wait)
