"""What may be wished for at a table of any game."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from events.messages import Command, Seat, SeatCommand
from events.tables.vocabulary import OptionValue, Player


class OpenTable(Command, frozen=True, kw_only=True):
    """
    Open a table of the game its name carries; sent by the platform that will own it.

    Args:
        seats: how many seats take part.
        options: the game's options that differ from their defaults.
        bots: seats that bots of the service take at once, as (seat, kind of bot).
        private: whether the lobby leaves it out, and spectators need a token of its own.
        spectator_delay: seconds by which spectators are behind.
        ready: whether play begins as soon as all sit and every player is ready.
        parent: the table of which this one is the rematch.

    What is not set is not packed, so that commands of an age before it keep their bytes.
    """

    game: str
    seats: int
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    bots: tuple[tuple[Seat, str], ...] = ()
    private: bool | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    parent: str | UnsetType = UNSET


class TakeSeat(SeatCommand, frozen=True, kw_only=True):
    """
    Sit a player down at a free seat.

    Args:
        player: who sits there, by the platform's own opaque id.
        salt: 32 random bytes of the player's own, mixed into the seed of all chance; empty for none.
    """

    player: Player
    salt: bytes = b""


class LeaveSeat(SeatCommand, frozen=True, kw_only=True):
    """Free a seat again while the table has not started."""


class SetReady(SeatCommand, frozen=True, kw_only=True):
    """Say that play may begin; once all sit and every player said so, it does."""


class DropReady(SeatCommand, frozen=True, kw_only=True):
    """Ask the others to wait after all."""


class StartTable(Command, frozen=True, kw_only=True):
    """Begin play; all seats must be taken."""


class CancelTable(Command, frozen=True, kw_only=True):
    """End the table without an outcome, whether play has begun or not."""


class LinkRematch(Command, frozen=True, kw_only=True):
    """Note at a table that is over which one is its rematch."""

    table: str


class Concede(SeatCommand, frozen=True, kw_only=True):
    """Give the table up for lost; with three seats or more a bot plays on in that place."""


class SetStandingAnswer(SeatCommand, frozen=True, kw_only=True):
    """Always pass at a response window from the next one on; nobody else is told."""

    window: str


class DropStandingAnswer(SeatCommand, frozen=True, kw_only=True):
    """Be asked at a response window again."""

    window: str


TableCommand = (
    OpenTable
    | TakeSeat
    | LeaveSeat
    | SetReady
    | DropReady
    | StartTable
    | CancelTable
    | LinkRematch
    | Concede
    | SetStandingAnswer
    | DropStandingAnswer
)
COMMANDS = TableCommand
