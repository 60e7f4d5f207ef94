"""What the service answers, as values; fields that a newer service adds are passed over."""

from __future__ import annotations

from typing import Any

import msgspec

from events.messages import Outcome

Wish = dict[str, Any]
"""A command as ``legal`` lists it; it can be sent as it is."""


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """
    A command happened.

    Args:
        command_id: the command's id, a UUID.
        first: the table's version after the first event it caused; ``last`` after the last.
    """

    command_id: str
    table: str
    first: int
    last: int


class Bearer(msgspec.Struct, frozen=True, kw_only=True):
    """Something with a token, which is left out when it is printed."""

    token: str

    def __repr__(self) -> str:
        told = [f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name != "token"]
        return f"{type(self).__name__}({', '.join(told)})"


class SeatToken(Bearer, frozen=True, kw_only=True):
    """A seat's token: whoever holds it plays that seat, or sees what it sees."""

    table: str
    seat: int


class SeatGiven(SeatToken, frozen=True, kw_only=True):
    """A seat was taken, which happened at version ``last``."""

    command_id: str
    first: int
    last: int


class Invitation(Bearer, frozen=True, kw_only=True):
    """Whoever holds it may sit down as ``player`` once, at ``seat`` if there is one; until seconds since 1970."""

    table: str
    seat: int | None
    player: str
    until: int


class SpectatorToken(Bearer, frozen=True, kw_only=True):
    """Whoever holds it may watch a table, a private one as well; until seconds since 1970."""

    table: str
    until: int


class Guest(Bearer, frozen=True, kw_only=True):
    """Somebody without a platform of their own, who sits down as ``player``; until seconds since 1970."""

    player: str
    platform: str
    until: int


class RematchSeat(Bearer, frozen=True, kw_only=True):
    """A player's seat at a rematch."""

    seat: int
    player: str


class Rematch(msgspec.Struct, frozen=True, kw_only=True):
    """A new table with the seats of ``parent``, each player with a token; play begins there as at any table."""

    table: str
    parent: str
    seats: tuple[RematchSeat, ...]


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """
    A key of a platform, by its name, which is its first part.

    Args:
        role: ``platform`` or ``arbiter``.
        made: seconds since 1970, 0 for unknown; ``until`` when it ends, 0 for never.
    """

    name: str
    role: str
    label: str
    made: int
    until: int


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    """All keys of a platform."""

    keys: tuple[Key, ...]


class SeatRange(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest and the most seats of a table."""

    least: int
    most: int


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game that tables can be opened of.

    Args:
        game: its word.
        rules: number of its rules; ``catalogue`` of its components.
        options: JSON schema of its options.
        commands: reference into ``schemas`` for each kind of command.
    """

    game: str
    seats: SeatRange
    rules: int
    catalogue: int
    options: dict[str, Any]
    commands: dict[str, str]
    schemas: dict[str, Any]


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """Every game of a service."""

    games: tuple[Game, ...]


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a process of the service is whose store can be used.

    Args:
        status: ``ready``, or ``degraded`` where an operator should look.
        listening: whether it hears what happens at once; else it looks now and again.
        set_aside: commands that the rules could not survive.
        takes_commands: false for a while after the store refused one.
        damaged: keys of the store that were written over.
    """

    status: str
    listening: bool
    set_aside: int
    takes_commands: bool
    damaged: tuple[str, ...] = ()


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as the lobby lists it.

    Args:
        status: ``open``, ``running`` or ``over``.
        seats: how many; ``free``: those that nobody took; ``bots``: those that a bot plays.
        version: the table's version when status or seats last changed.
        private: whether it is for those who know of it; ``spectator_delay``: seconds by which spectators are behind.
        cancelled: the role that ended it without an outcome, if one did.
        rematch: the table at which the same seats play on; ``parent``: the one they come from.
    """

    table: str
    game: str
    platform: str
    status: str
    seats: int
    free: tuple[int, ...]
    bots: tuple[int, ...]
    version: int
    private: bool = False
    spectator_delay: int = 0
    cancelled: str | None = None
    rematch: str | None = None
    parent: str | None = None


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at a seat, if anybody, and whether a bot plays there."""

    seat: int
    player: str | None
    bot: bool
    conceded: bool


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A seat with an open question, and the question's kind."""

    seat: int
    kind: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as one viewpoint sees it.

    Args:
        status: ``open``, ``running`` or ``over``.
        viewpoint: the seat that looks, or ``None`` for a spectator.
        commitment: SHA-256 of the secret behind all chance, in hexadecimal; ``secret`` once it is revealed.
        asked: every open question; ``prompt``: the viewpoint's own, in full.
        legal: exactly the game's commands that the viewpoint's seat may send now.
        offers: kinds of the table's own commands that the seat may send now.
        outcome: the ranking once the table is over.
        board: the game's own view once play began.
        standing: windows at which the seat always passes.
        cancelled: the role that ended the table without an outcome, if one did.
        private, ready, spectator_delay: the terms under which it was opened.
        rematch: the table at which the same seats play on; ``parent``: the one they come from.
        document: the whole view as it came, with what a newer service adds.
    """

    table: str
    game: str
    version: int
    status: str
    viewpoint: int | None
    options: dict[str, bool | int | str]
    seats: tuple[SeatView, ...]
    commitment: str
    secret: str | None
    asked: tuple[Asked, ...]
    prompt: dict[str, Any] | None
    legal: list[Wish]
    offers: tuple[str, ...]
    outcome: Outcome | None
    board: dict[str, Any] | None
    standing: tuple[str, ...] = ()
    cancelled: str | None = None
    private: bool = False
    ready: bool = False
    spectator_delay: int = 0
    rematch: str | None = None
    parent: str | None = None
    document: dict[str, Any] = {}


def view_of(body: bytes | msgspec.Raw) -> TableView:
    """Return a view from its JSON; ``msgspec.DecodeError`` when it is none."""
    document = msgspec.json.decode(body)
    return msgspec.structs.replace(msgspec.convert(document, TableView), document=document)


class Legal(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that a seat may send at a version."""

    table: str
    version: int
    legal: list[Wish]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one command caused, as the viewpoint was told it.

    Args:
        first: version after its first event; ``last`` after its last.
        at: milliseconds since 1970.
        seat: whose command it was, if it was a seat's.
        steps: each with its ``kind``.
    """

    first: int
    last: int
    at: int
    seat: int | None
    steps: list[dict[str, Any]]


class HistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some chapters, oldest first; ``next`` is the version behind which the next page begins, if there is one."""

    table: str
    chapters: list[Chapter]
    next: int | None


class TablesPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows of the lobby, newest first; ``next`` is the cursor of the page behind it, if there is one."""

    tables: list[TableRow]
    next: str | None
