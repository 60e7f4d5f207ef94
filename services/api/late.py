"""What those are told of a table who may only know how it was a while ago."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from events.messages import Command
from events.tables.vocabulary import Actor
from services.api.credentials import Caller
from services.api.damage import StoreDamagedError, whole
from services.api.doorkeeper import AT_ONCE, Place
from services.api.doors import Doors
from services.api.line import PASSING
from services.api.problems import Problem
from services.api.sending import Sent, now_ms

Row = Mapping[str, Any]
"""A row of the lobby, read from its JSON."""

LATE: Final = {"table_over": "table_started"}
"""Codes that tell how a table is now, and what is told in place of them."""


class _Seen(msgspec.Struct):
    """The part of a spectator's view that a row tells."""

    status: str
    version: int
    seats: list[Place]
    cancelled: str | None = None
    rematch: str | None = None


_read_seen: Final = msgspec.json.Decoder(_Seen)


async def rows(doors: Doors, caller: Caller, found: Sequence[Row]) -> list[Row]:
    """
    Return rows of the lobby as the caller may know them.

    One is missing while its table cannot be drawn, or in a cluster while its node is away.
    """
    told = await asyncio.gather(*(_row(doors, caller, each) for each in found))
    return [each for each in told if each is not None]


async def _row(doors: Doors, caller: Caller, row: Row) -> Row | None:
    """Nobody is behind before play begins, and a seat's token is for its own table's view."""
    at_once = caller.role in AT_ONCE and caller.may_know(row["platform"])
    if "spectator_delay" not in row or row["status"] == "open" or at_once:
        return row
    try:
        viewed = await doors.store.view(row["table"], None, as_of=now_ms())
        if viewed is None:
            return None
        with whole(f"view of {row['table']}"):
            seen = _read_seen.decode(viewed[1])
    except (Problem, StoreDamagedError):
        return None
    except PASSING:
        if not doors.store.is_cluster:
            raise
        return None
    kept = {name: value for name, value in row.items() if name not in ("cancelled", "rematch")}
    ended = {name: value for name, value in (("cancelled", seen.cancelled), ("rematch", seen.rematch)) if value}
    return {
        **kept,
        "status": seen.status,
        "version": seen.version,
        "free": [each.seat for each in seen.seats if each.player is None],
        "bots": [each.seat for each in seen.seats if each.bot],
        **ended,
    }


async def send(
    doors: Doors, caller: Caller, command: Command, *, table: str, actor: Actor, command_id: uuid.UUID
) -> Sent:
    """Send a command; a no tells whoever is behind no more than that play has begun."""
    try:
        return await doors.sender.send(command, table=table, actor=actor, command_id=command_id)
    except Problem as fault:
        if fault.code in LATE and await doors.keeper.is_behind(caller, table):
            raise Problem(LATE[fault.code]) from None
        raise
