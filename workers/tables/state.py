"""What is true of a table: who sits where, how far it is, and the state of its game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from events.messages import Outcome, Seat, TableId
from events.tables.vocabulary import BOT_PREFIX, OptionValue, Player
from workers.kit.decider import Prompt, Rules


class RulesUnavailableError(Exception):
    """This program does not hold the rules or the catalogue a table is played by; run it with one that does."""


class RulesShelf(Protocol):
    """Where the rules of every game and version stand."""

    def current(self, game: str) -> Edition | None:
        """Return what new tables of the game are played by, or ``None`` for an unknown game."""

    def find(self, *, game: str, rules: int, digest: bytes) -> Rules:
        """Return the rules a table was opened with; ``RulesUnavailableError`` when they are not here."""


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """
    One version of a game's rules over one version of its catalogue; ``digest`` is the catalogue's SHA-256.

    ``expansions`` are what tables with an expansion are played by, by its name.
    """

    rules: Rules
    catalogue: int
    digest: bytes
    expansions: Mapping[str, Edition] = {}

    def chosen_by(self, options: object) -> Edition:
        """Return the edition that a table with these options is played by."""
        return self.expansions.get(getattr(options, "expansion", ""), self)

    def seats_with(self, options: object) -> range:
        """Return the numbers of seats that a table with these options may have."""
        seats = self.chosen_by(options).rules.seats
        return range(seats.start, min(seats.stop, getattr(options, "most_seats", seats.stop) + 1))

    @property
    def seats(self) -> range:
        """The numbers of seats that a table may have, with fitting options."""
        return range(self.rules.seats.start, max(each.rules.seats.stop for each in (self, *self.expansions.values())))


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a table: its player, if one sits there, the salt given, and whether it is ready to begin."""

    player: Player | None = None
    salt: bytes = b""
    conceded: bool = False
    ready: bool = False

    @property
    def played_by_bot(self) -> bool:
        return self.conceded or (self.player is not None and self.player.startswith(BOT_PREFIX))


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table after its last event.

    Args:
        shelf: where its rules come from; the same for all tables of a program.
        version: how many events happened.
        status: ``unopened``, ``open``, ``running`` or ``over``.
        opened_at: milliseconds since 1970 of the commit that opened it.
        game_state: the game's own state, once play began.
        asked: for each seat with an open question, the version at which the question was put.
        asked_at: milliseconds since 1970 at which the newest of these questions was put.
        standing: the response windows at which a seat always passes.
        concessions: seats that gave up, in that order.
        private: as ``TableArranged`` says, like ``spectator_delay``, ``by_ready`` and ``parent``.
        moved_at: milliseconds since 1970 of the last commit of play, at a table whose spectators are behind.
        cancelled: the role that ended the table without an outcome, if one did.
        rematch: the table at which the same seats play on, if there is one.
    """

    table: TableId
    shelf: RulesShelf
    version: int = 0
    status: str = "unopened"
    opened_at: int = 0
    game: str = ""
    platform: str = ""
    rules: Rules | None = None
    options: Mapping[str, OptionValue] = {}
    places: tuple[Place, ...] = ()
    commitment: bytes = b""
    game_state: Any = None
    asked: Mapping[Seat, int] = {}
    asked_at: int = 0
    standing: Mapping[Seat, frozenset[str]] = {}
    concessions: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    secret: bytes = b""
    private: bool = False
    spectator_delay: int = 0
    by_ready: bool = False
    parent: str = ""
    moved_at: int = 0
    cancelled: str = ""
    rematch: str = ""

    @property
    def played_by(self) -> Rules:
        if self.rules is None:
            raise AssertionError("an opened table has rules")
        return self.rules

    @property
    def play_began(self) -> bool:
        """Whether play began, and perhaps ended; a table that was cancelled before never comes to it."""
        return self.game_state is not None

    @property
    def salts(self) -> tuple[bytes, ...]:
        return tuple(place.salt for place in self.places)

    @property
    def everyone_sits(self) -> bool:
        return all(place.player is not None for place in self.places)

    @property
    def everyone_ready(self) -> bool:
        """Whether play begins by itself: nobody is missing, and every person, of which there is one, is ready."""
        people = [place for place in self.places if not place.played_by_bot]
        return self.by_ready and self.everyone_sits and bool(people) and all(place.ready for place in people)

    @property
    def still_playing(self) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat, place in enumerate(self.places) if not place.conceded)

    @property
    def windows(self) -> Sequence[str]:
        """The response windows of the game, at each of which a seat may always pass."""
        return getattr(self.rules, "windows", ())

    @property
    def window_floor(self) -> int:
        """Milliseconds that a window which opens stays open at least."""
        return int(self.options.get("window_floor", 0))

    @property
    def shown_as_asked(self) -> Mapping[Seat, Prompt]:
        """The open questions as everybody may know them."""
        asked = getattr(self.rules, "asked", None)
        return asked(self.game_state) if asked and self.status == "running" else self.prompts

    @property
    def prompts(self) -> Mapping[Seat, Prompt]:
        return self.played_by.prompts(self.game_state) if self.status == "running" else {}


def unopened(table: TableId, shelf: RulesShelf) -> TableState:
    """Return what is true of a table before its first event."""
    return TableState(table=table, shelf=shelf)
