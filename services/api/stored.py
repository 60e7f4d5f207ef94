"""Reads what is kept of keys, platforms and tables; what cannot be read takes nothing from the rest."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import structlog

from events.codec import MalformedError
from services.api.cursors import Place
from services.api.keys import KeyRecord, read_record
from services.api.platforms import PlatformRecord, read_platform

LATEST: Final = 2**53
"""No table is opened at so many milliseconds since 1970."""

log = structlog.get_logger()


def record_of(name: str, body: bytes) -> KeyRecord | None:
    """Return what is kept of a key; nobody can show that they hold one whose record cannot be read."""
    try:
        return read_record(body)
    except MalformedError:
        log.warning("key_unreadable", name=name)
        return None


def platform_of(name: str, body: bytes) -> PlatformRecord | None:
    """Return what is set for a platform; one that cannot be read takes nothing from the others."""
    try:
        return read_platform(body)
    except MalformedError:
        log.warning("platform_unreadable", platform=name)
        return None


class _Known(msgspec.Struct):
    """What the doors go by in a row."""

    table: str
    game: str
    platform: str
    status: str
    private: bool = False
    spectator_delay: int = 0


def row_of(table: str, body: bytes) -> dict[str, Any] | None:
    """Return a table's row of the lobby."""
    try:
        known = _read_known(body)
        if known.table == table:
            return _read_row(body)
    except msgspec.MsgspecError:
        pass
    log.warning("lobby_row_unreadable", table=table)
    return None


_read_known: Final = msgspec.json.Decoder(_Known).decode
_read_row: Final = msgspec.json.Decoder(dict[str, Any]).decode
require_json: Final = msgspec.json.Decoder(msgspec.Raw).decode


def place_of(table: bytes, score: bytes) -> Place:
    """Return where a table stands in the lobby, of a sorted set's member and score."""
    return Place(_moment_of(score), table.decode(errors="replace"))


def place_of_own(member: bytes) -> Place:
    """Return where a table stands in the lobby, of a member of a list by platform."""
    _, _, rest = member.partition(b":")
    moment, _, table = rest.partition(b":")
    return place_of(table, moment if moment.isdigit() else b"nan")


def place_of_member(member: bytes) -> Place | None:
    """Return where a table stands in the lobby, of a member of one of those that left a status."""
    moment, _, table = member.partition(b":")
    try:
        return place_of(table, moment)
    except ValueError:
        log.warning("lobby_row_unreadable", table=member.decode(errors="replace"))
        return None


def _moment_of(score: bytes) -> int:
    """Return when a table was opened; a score that is no time stands at an end of all."""
    at = float(score)
    return int(min(max(at, 0.0), LATEST - 1)) if at == at else 0  # noqa: PLR0124  not a number
