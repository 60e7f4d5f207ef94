"""Finds out who asks, and what they may do at which table."""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from http import HTTPStatus
from typing import Annotated, Final, TypeVar

import msgspec
from fastapi import Depends, Path, Query, Request

from events.games import game_of
from events.messages import Seat, Viewpoint
from events.tables.vocabulary import Actor
from services.api.problems import Problem
from services.api.store import ApiStore
from services.api.tokens import (
    EVERY_PLATFORM,
    KEY_PREFIX,
    SEAT_PREFIX,
    SIGNING_BYTES,
    SeatClaim,
    name_of,
    read_seat_token,
    require_key,
)

LONGEST_TOKEN: Final = 512
KEPT_TABLES: Final = 10_000
TABLE_NAME: Final = re.compile(r"[a-z]+-[a-z0-9]{1,40}")
T = TypeVar("T")

BOTS: Final = "bots"
PLATFORM: Final = "platform"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """
    Who asks, as their token proves.

    Args:
        role: ``platform``, ``seat`` or ``bots``.
        platform: whose token it is; ``*`` for the service's own bots.
        claim: what a seat token says.
    """

    role: str
    platform: str
    claim: SeatClaim | None = None


class _Seat(msgspec.Struct):
    seat: int
    player: str | None
    bot: bool


class _Seats(msgspec.Struct):
    """The part of a view that says who sits where."""

    status: str
    seats: list[_Seat]


class Doorkeeper:
    """Knows keys, tokens, and whose each table is."""

    def __init__(self, store: ApiStore, *, signing: bytes | None) -> None:
        self._store = store
        self._signing = signing
        self._platforms: OrderedDict[str, str] = OrderedDict()
        self._seats: OrderedDict[str, _Seats] = OrderedDict()
        self._read_seats = msgspec.json.Decoder(_Seats)

    async def signing(self) -> bytes:
        """Return the key that signs seat tokens, from the store when the operator gave none."""
        if self._signing is None:
            self._signing = await self._store.signing_key(secrets.token_bytes(SIGNING_BYTES))
        return self._signing

    async def caller(self, header: str | None) -> Caller:
        """Return who a request's ``Authorization`` header proves its sender to be."""
        scheme, _, token = (header or "").partition(" ")
        token = token.strip()
        if not token:
            raise Problem("no_token")
        if scheme.lower() != "bearer" or len(token) > LONGEST_TOKEN or not token.isascii():
            raise Problem("wrong_token")
        if token.startswith(KEY_PREFIX):
            record = require_key(token, await self._store.key(name_of(token)))
            return Caller(role=record.role, platform=record.platform)
        if token.startswith(SEAT_PREFIX):
            claim = read_seat_token(token, await self.signing(), now=time.time())
            return Caller(role="seat", platform=claim.platform, claim=claim)
        raise Problem("wrong_token")

    async def platform_of(self, table: str) -> str:
        """Return whose the table is; a problem when there is none."""
        platform = self._platforms.get(table)
        if platform is None:
            platform = await self._store.platform_of(table)
            if platform is None:
                raise Problem("unknown_table")
            _keep(self._platforms, table, platform)
        return platform

    async def actor(self, caller: Caller, table: str) -> Actor:
        """Return the caller as a table's rules know them."""
        platform = await self._require_table(caller, table)
        if caller.claim is None:
            return Actor(caller.role, platform)
        await self._require_sitting(caller.claim)
        return Actor("seat", platform, Seat(caller.claim.seat))

    async def viewpoint(self, caller: Caller, table: str, seat: int | None) -> Viewpoint:
        """Return from where a caller looks at a table; ``seat`` is what was asked for, if anything."""
        await self._require_table(caller, table)
        if caller.claim is not None:
            if seat not in (None, caller.claim.seat):
                raise Problem("not_your_seat")
            await self._require_sitting(caller.claim)
            return Seat(caller.claim.seat)
        if seat is None:
            return None
        place = await self._place(table, seat)
        if caller.role == BOTS and not place.bot:
            self._seats.pop(table, None)  # its player may have conceded since
            place = await self._place(table, seat)
        if caller.role != BOTS or not place.bot:
            raise Problem("not_your_seat")
        return Seat(seat)

    async def player_at(self, table: str, seat: int) -> str | None:
        """Return who sits at a seat now."""
        return (await self._place(table, seat)).player

    async def _place(self, table: str, seat: int) -> _Seat:
        seats = (await self._seats_of(table)).seats
        if not 0 <= seat < len(seats):
            raise Problem("unknown_seat", details={"seats": len(seats)})
        return seats[seat]

    async def _require_table(self, caller: Caller, table: str) -> str:
        """Return whose the table is, if the caller may know it at all."""
        if caller.claim is not None:
            if caller.claim.table != table:
                raise Problem("not_your_seat")
            return caller.platform
        platform = await self.platform_of(table)
        if caller.platform not in (EVERY_PLATFORM, platform):
            raise Problem("unknown_table")
        return platform

    async def _require_sitting(self, claim: SeatClaim) -> None:
        """A token ends when somebody else sits in its seat, so that nobody keeps a look into another's hand."""
        seats = (await self._seats_of(claim.table)).seats
        if seats[claim.seat].player != claim.player:
            raise Problem("not_your_seat")

    async def _seats_of(self, table: str) -> _Seats:
        """Return who sits where; seats no longer change hands once play has begun, so then it is kept."""
        kept = self._seats.get(table)
        if kept is not None:
            return kept
        viewed = await self._store.view(table, None)
        if viewed is None:
            raise Problem("unknown_table" if await self._store.platform_of(table) is None else "not_yet")
        seats = self._read_seats.decode(viewed[1])
        if seats.status != "open":
            _keep(self._seats, table, seats)
        return seats


async def _table(table: Annotated[str, Path(max_length=64)]) -> str:
    if not TABLE_NAME.fullmatch(table) or game_of(table) is None:
        raise Problem("unknown_table")
    return table


async def _caller(request: Request) -> Caller:
    keeper: Doorkeeper = request.app.state.doors.keeper
    return await keeper.caller(request.headers.get("authorization"))


async def _platform(request: Request) -> Caller:
    caller = await _caller(request)
    if caller.role != PLATFORM:
        raise Problem("not_allowed", status=HTTPStatus.FORBIDDEN, details={"role": PLATFORM})
    return caller


Table = Annotated[str, Depends(_table)]
Anyone = Annotated[Caller, Depends(_caller)]
Platform = Annotated[Caller, Depends(_platform)]
AskedSeat = Annotated[int | None, Query(alias="seat", ge=0, le=63)]


def _keep(kept: OrderedDict[str, T], table: str, value: T) -> None:
    kept[table] = value
    while len(kept) > KEPT_TABLES:
        kept.popitem(last=False)
