"""What can happen at a table of any game."""

from __future__ import annotations

from events.messages import Event, Outcome, Seat
from events.tables.vocabulary import OptionValue, Player


class TableOpened(Event, frozen=True, kw_only=True):
    """
    A table was opened, with all that its rules depend on.

    Args:
        rules: version of the game's rules.
        catalogue: version of the component catalogue, and ``digest`` its SHA-256.
        options: every option of the game with its value.
        commitment: SHA-256 of the secret behind all chance, published before anybody sits down.
    """

    game: str
    seats: int
    options: dict[str, OptionValue]
    rules: int
    catalogue: int
    digest: bytes
    platform: str
    commitment: bytes


class TableArranged(Event, frozen=True, kw_only=True, omit_defaults=True):
    """
    How a table is run where that is not as usual; follows its opening, and is left out when all of it is as usual.

    Args:
        private: whether the lobby leaves it out, and spectators need a token of its own.
        spectator_delay: seconds by which spectators are behind.
        ready: whether play begins as soon as all sit and every player is ready.
        parent: the table of which this one is the rematch.
    """

    private: bool = False
    spectator_delay: int = 0
    ready: bool = False
    parent: str = ""


class SeatTaken(Event, frozen=True, kw_only=True):
    """A player sat down, and gave a salt or none."""

    seat: Seat
    player: Player
    salt: bytes = b""


class SeatLeft(Event, frozen=True, kw_only=True):
    """A seat is free again."""

    seat: Seat


class SeatReady(Event, frozen=True, kw_only=True):
    """The player of a seat is ready to begin."""

    seat: Seat


class SeatNotReady(Event, frozen=True, kw_only=True):
    """The player of a seat asks the others to wait."""

    seat: Seat


class TableStarted(Event, frozen=True, kw_only=True):
    """Play began; from here on the salts, and with them all chance, are fixed."""

    reveals = True


class SeatConceded(Event, frozen=True, kw_only=True):
    """A seat gave up; it will be ranked last."""

    seat: Seat


class TableEnded(Event, frozen=True, kw_only=True):
    """Play is over; the outcome follows from the history and is recomputed by every verification."""

    reveals = True

    outcome: Outcome


class TableCancelled(Event, frozen=True, kw_only=True):
    """The table is over without an outcome; ``by`` is the role that ended it: ``platform`` or ``arbiter``."""

    reveals = True

    by: str


class RematchLinked(Event, frozen=True, kw_only=True):
    """The same seats play on at another table."""

    table: str


class SeedRevealed(Event, frozen=True, kw_only=True):
    """The secret behind all chance, so that everybody can check the commitment and every draw."""

    reveals = True

    secret: bytes


class StandingAnswerSet(Event, frozen=True, kw_only=True):
    """A seat passes at a response window from now on; told to that seat alone."""

    seat: Seat
    window: str


class StandingAnswerDropped(Event, frozen=True, kw_only=True):
    """A seat is asked at a response window again; told to that seat alone."""

    seat: Seat
    window: str


TableEvent = (
    TableOpened
    | TableArranged
    | SeatTaken
    | SeatLeft
    | SeatReady
    | SeatNotReady
    | TableStarted
    | SeatConceded
    | StandingAnswerSet
    | StandingAnswerDropped
    | TableEnded
    | TableCancelled
    | SeedRevealed
    | RematchLinked
)
EVENTS = TableEvent
