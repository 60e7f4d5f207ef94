"""What may be wished for at a table of any game."""

from __future__ import annotations

import msgspec

from events.messages import Command, Seat, SeatCommand
from events.tables.vocabulary import OptionValue, Player


class OpenTable(Command, frozen=True, kw_only=True):
    """
    Open a table of the game its name carries; sent by the platform that will own it.

    Args:
        seats: how many seats take part.
        options: the game's options that differ from their defaults.
        bots: seats that bots of the service take at once, as (seat, kind of bot).
    """

    game: str
    seats: int
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    bots: tuple[tuple[Seat, str], ...] = ()


class TakeSeat(SeatCommand, frozen=True, kw_only=True):
    """
    Sit a player down at a free seat; the table starts when the last seat is taken.

    Args:
        player: who sits there, by the platform's own opaque id.
        salt: 32 random bytes of the player's own, mixed into the seed of all chance; empty for none.
    """

    player: Player
    salt: bytes = b""


class LeaveSeat(SeatCommand, frozen=True, kw_only=True):
    """Free a seat again while the table has not started."""


class StartTable(Command, frozen=True, kw_only=True):
    """Begin play; all seats must be taken."""


class Concede(SeatCommand, frozen=True, kw_only=True):
    """Give the table up for lost; with three seats or more a bot plays on in that place."""


class SetStandingAnswer(SeatCommand, frozen=True, kw_only=True):
    """Always pass at a response window from the next one on; nobody else is told."""

    window: str


class DropStandingAnswer(SeatCommand, frozen=True, kw_only=True):
    """Be asked at a response window again."""

    window: str


TableCommand = OpenTable | TakeSeat | LeaveSeat | StartTable | Concede | SetStandingAnswer | DropStandingAnswer
COMMANDS = TableCommand
