"""One row for each table, in the order in which they were opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from events.codec import to_json
from events.log.rebuilds import FIRST
from events.log.store import HashPut, RankPut, ViewWrite
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
        version: the table's version when the row last changed; the row changes with status and seats only.
    """

    table: str
    game: str
    platform: str
    status: str
    seats: int
    free: tuple[int, ...]
    bots: tuple[int, ...]
    version: int


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
    )


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
        rows = {
            step.table: to_json(row(step.after))
            for step in steps
            if (step.before.status, step.before.places) != (step.after.status, step.after.places)
        }
        return [*writes, HashPut(home.key(TABLES), rows)] if rows else writes

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return (TABLES, OPENED)
