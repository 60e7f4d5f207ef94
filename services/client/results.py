"""What the service answers, as values; fields that a newer service adds are passed over."""

from __future__ import annotations

from typing import Any

import msgspec


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
    """Something with a token, which is left out when it is printed; it ends at ``until``, seconds since 1970."""

    token: str
    until: int

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
    """Whoever holds it may sit down as ``player`` once, at ``seat`` if there is one."""

    table: str
    seat: int | None
    player: str


class SpectatorToken(Bearer, frozen=True, kw_only=True):
    """Whoever holds it may watch a table, a private one as well."""

    table: str


class Guest(Bearer, frozen=True, kw_only=True):
    """Somebody without a platform of their own, who sits down as ``player``."""

    player: str
    platform: str


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
        state: ``live``, ``expired`` or ``revoked``.
    """

    name: str
    role: str
    label: str
    made: int
    until: int
    state: str


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
        away: what lies on nodes of a cluster that do not answer.
    """

    status: str
    listening: bool
    set_aside: int
    takes_commands: bool
    damaged: tuple[str, ...] = ()
    away: tuple[str, ...] = ()


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


class TablesPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows of the lobby, newest first; ``next`` is the cursor of the page behind it, if there is one."""

    tables: list[TableRow]
    next: str | None
