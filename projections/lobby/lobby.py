"""One row for each table, in the order in which they were opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from events.codec import to_json
from events.log.store import HashPut, RankPut, ViewWrite
from events.streams import Partition, view_of_all
from projections.kit.projection import Step
from workers.tables.state import TableState

LOBBY: Final = "lobby@1"
ROWS: Final = view_of_all(LOBBY, "tables")
"""Hash: table to its row in JSON."""
ORDER: Final = view_of_all(LOBBY, "order")
"""Sorted set: table by the milliseconds since 1970 at which it was opened."""


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

    def writes(self, partition: Partition, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        writes: list[ViewWrite] = [
            RankPut(ORDER, step.commit.command.at, step.table) for step in steps if step.before.status == "unopened"
        ]
        rows = {
            step.table: to_json(row(step.after))
            for step in steps
            if (step.before.status, step.before.places) != (step.after.status, step.after.places)
        }
        return [*writes, HashPut(ROWS, rows)] if rows else writes

    def unreadable(self, partition: Partition, table: str) -> Sequence[ViewWrite]:
        return []
