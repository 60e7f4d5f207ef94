"""One row for each table, in the order in which they were opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from events.codec import to_json
from events.log.rebuilds import FIRST
from events.log.records import HashPut, RankPut, ViewWrite
from events.streams import numbered, view_of_all
from projections.kit.projection import Home, Step
from workers.tables.state import TableState

LOBBY: Final = "lobby"
TABLES: Final = "tables"
"""Name of the hash: table to its row in JSON."""
OPENED: Final = "order"
"""Name of the sorted set: table by the milliseconds since 1970 at which it was opened."""
ROWS: Final = view_of_all(numbered(LOBBY, FIRST), TABLES)
"""The rows as they are kept at first; after a rebuild the store says which version is live."""
ORDER: Final = view_of_all(numbered(LOBBY, FIRST), OPENED)
"""As ``ROWS``, the order."""


class LobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the lobby shows of a table.

    Args:
        free: seats that nobody has taken.
        bots: seats that a bot plays, conceded ones among them.
        version: the table's version when the row last changed; the row changes with status, seats and rematch only.
        private: set where the table is for those who know of it; doors list it for its own platform alone.
        spectator_delay: seconds by which spectators are behind; doors show these what they may know of the row.
        parent: the table of which it is the rematch.
        cancelled: the role that ended it without an outcome; ``rematch`` the table at which its seats play on.

    What is not set is not there.
    """

    table: str
    game: str
    platform: str
    status: str
    seats: int
    free: tuple[int, ...]
    bots: tuple[int, ...]
    version: int
    private: bool | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    parent: str | UnsetType = UNSET
    cancelled: str | UnsetType = UNSET
    rematch: str | UnsetType = UNSET


def row(state: TableState) -> LobbyRow:
    """Return the lobby's row of a table."""
    return LobbyRow(
        table=state.table,
        game=state.game,
        platform=state.platform,
        status=state.status,
        seats=len(state.places),
        free=tuple(seat for seat, place in enumerate(state.places) if place.player is None),
        bots=tuple(seat for seat, place in enumerate(state.places) if place.played_by_bot),
        version=state.version,
        private=state.private or UNSET,
        spectator_delay=state.spectator_delay or UNSET,
        parent=state.parent or UNSET,
        cancelled=state.cancelled or UNSET,
        rematch=state.rematch or UNSET,
    )


def _shown(state: TableState) -> tuple[object, ...]:
    """Return what a row tells, but for what never changes."""
    return state.status, state.places, state.rematch


class Lobby:
    """Keeps the rows, over all games and partitions."""

    name = LOBBY
    across = True

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        writes: list[ViewWrite] = [
            RankPut(home.key(OPENED), step.commit.command.at, step.table)
            for step in steps
            if step.before.status == "unopened"
        ]
        rows = {step.table: to_json(row(step.after)) for step in steps if _shown(step.before) != _shown(step.after)}
        return [*writes, HashPut(home.key(TABLES), rows)] if rows else writes

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return (TABLES, OPENED)
