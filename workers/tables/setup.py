"""Opening a table: what it is played by, who may see it, and who sits there from the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from events.chance import commitment
from events.complaints import complaint
from events.games import game_of
from events.messages import Event
from events.tables.commands import OpenTable
from events.tables.events import SeatTaken, TableArranged, TableOpened
from events.tables.vocabulary import BOT_PREFIX, Player
from workers.kit.decider import Refused
from workers.tables.state import TableState
from workers.tables.wish import HOSTS, Wish, require_role

LONGEST_DELAY: Final = 3_600
"""Seconds by which spectators may be behind."""

AS_USUAL: Final = TableArranged()


def open_table(state: TableState, command: OpenTable, wish: Wish) -> Sequence[Event]:
    """Return what opening a table causes: its terms, and the bots that sit down at once."""
    require_role(wish.actor, *HOSTS)
    if state.status != "unopened":
        raise Refused("table_exists")
    edition = state.shelf.current(command.game)
    if edition is None or not state.table.startswith(f"{command.game}-"):
        raise Refused("unknown_game")
    if command.seats not in edition.seats:
        raise Refused("seats_out_of_range", least=edition.seats.start, most=edition.seats.stop - 1)
    try:
        options = msgspec.convert(command.options, edition.rules.options)
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
    return [opened, *_arranged(command), *_bots(command)]


def _arranged(command: OpenTable) -> Sequence[Event]:
    arranged = TableArranged(
        private=command.private is True,
        spectator_delay=0 if command.spectator_delay is UNSET else command.spectator_delay,
        ready=command.ready is True,
        parent="" if command.parent is UNSET else command.parent,
    )
    if not 0 <= arranged.spectator_delay <= LONGEST_DELAY:
        problem = f"0 to {LONGEST_DELAY} seconds"
        raise Refused("malformed", path="$.spectator_delay", problem=problem, reason="out_of_range")
    if arranged.parent and game_of(arranged.parent) != command.game:
        problem = "not a table of this game"
        raise Refused("malformed", path="$.parent", problem=problem, reason="invalid_value")
    return [] if arranged == AS_USUAL else [arranged]


def _bots(command: OpenTable) -> Sequence[Event]:
    seats = [seat for seat, _ in command.bots]
    if len(set(seats)) < len(seats) or any(not 0 <= seat < command.seats for seat in seats):
        problem = "each bot needs a seat of its own at this table"
        raise Refused("malformed", path="$.bots", problem=problem, reason="invalid_value")
    return [SeatTaken(seat=seat, player=Player(BOT_PREFIX + bot)) for seat, bot in command.bots]
