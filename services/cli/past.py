"""Looks back: a table as it was at an earlier version, read from the store itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from events.codec import to_json
from events.commit import Commit, read_entry
from events.games import game_of
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.process import store_trouble
from events.streams import partition_of
from projections.disputes.replay import view_at
from projections.doors import picture_of
from projections.tables.games import SHELF
from projections.tables.view import TableView
from services.api.damage import whole
from services.cli.local import store_url
from services.cli.reader import ToldError, unknown


def past_view(data: Path, table: str, *, seat: int | None, version: int | None) -> bytes:
    """Return the view in JSON as a seat or the spectator saw it at a version; as it is now without."""
    return to_json(_view(data, table, seat=seat, version=version))


def in_order(view: Mapping[str, object]) -> dict[str, object]:
    """Return what the service shows in the order in which a past view is: its store keeps the parts apart."""
    return {name: view[name] for name in TableView.__struct_fields__ if name in view} | dict(view)


def past_picture(data: Path, table: str, *, seat: int | None, version: int | None) -> str:
    """Return the board in SVG as a seat or the spectator saw it at a version; as it is now without."""
    view = _view(data, table, seat=seat, version=version)
    draw = picture_of(view.game)
    if draw is None:
        raise ToldError(f"Nobody has drawn {view.game} yet; leave --svg out.")
    if view.board is None:
        raise ToldError(f"Play had not begun at {table}.")
    return draw(view.board)


def _view(data: Path, table: str, *, seat: int | None, version: int | None) -> TableView:
    game = game_of(table)
    if game is None:
        raise unknown(table)
    try:
        entries = _history(data, table, game)
        with whole(f"the history of {table}"):
            last = next((entry.last for entry in map(read_entry, reversed(entries)) if isinstance(entry, Commit)), 0)
            if version is not None and version > last > 0:
                raise ToldError(f"{table} has versions 1 to {last}.")
            at = last if version is None else version
            view = view_at(SHELF, table, entries, viewpoint=None if seat is None else Seat(seat), version=at)
    except (StoreAwayError, StoreUnusableError) as fault:
        raise ToldError(store_trouble(fault)) from None
    if view is None:
        raise ToldError(f"{table} was not open at version {version}.") if last else unknown(table)
    if seat is not None and seat >= len(view.seats):
        raise ToldError(f"There are seats 0 to {len(view.seats) - 1} at {table}.")
    return view


def _history(data: Path, table: str, game: str) -> Sequence[bytes]:
    log = RedisLog(store_url(data), games=[game])
    try:
        partition = partition_of(table, len(log.partitions(game)))
        with whole(partition.truth(table)):
            return log.history(partition, table)
    finally:
        log.close()
