"""Looks back: a table as it was at an earlier version, read from the store itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from events.codec import to_json
from events.games import game_of
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import partition_of
from projections.disputes.replay import view_at
from projections.doors import picture_of
from projections.tables.games import SHELF
from projections.tables.view import TableView
from services.cli.local import store_url
from services.cli.reader import ToldError

LAST: Final = 2**53
"""A version that no table reaches: as a table is now."""


def past_view(data: Path, table: str, *, seat: int | None, version: int) -> bytes:
    """Return the view in JSON as a seat or the spectator saw it at a version."""
    return to_json(_view(data, table, seat=seat, version=version))


def past_picture(data: Path, table: str, *, seat: int | None, version: int) -> str:
    """Return the board in SVG as a seat or the spectator saw it at a version."""
    view = _view(data, table, seat=seat, version=version)
    draw = picture_of(view.game)
    if draw is None:
        raise ToldError(f"Nobody has drawn {view.game} yet; leave --svg out.")
    if view.board is None:
        raise ToldError(f"Play had not begun at {table}.")
    return draw(view.board)


def _view(data: Path, table: str, *, seat: int | None, version: int) -> TableView:
    game = game_of(table)
    if game is None:
        raise ToldError(f"No game of this program is played at {table}.")
    try:
        log = RedisLog(store_url(data), games=[game])
    except (StoreAwayError, StoreUnusableError) as fault:
        raise ToldError(f"The store cannot be read: {str(fault).rstrip('.')}.") from None
    try:
        partition = partition_of(table, len(log.partitions(game)))
        entries = log.history(partition, table, upto=version)
    finally:
        log.close()
    view = view_at(SHELF, table, entries, viewpoint=None if seat is None else Seat(seat), version=version)
    if view is None:
        raise ToldError(f"{table} was not open at version {version}.")
    if seat is not None and seat >= len(view.seats):
        raise ToldError(f"There are seats 0 to {len(view.seats) - 1} at {table}.")
    return view
