"""Finds out who asks, and what they may do at which table."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Final, TypeVar
from uuid import UUID

import msgspec

from events.commit import Commit
from events.messages import SPECTATOR, Seat, Viewpoint
from events.tables.vocabulary import Actor
from services.api.credentials import BELIEVED_S, LONGEST_TOKEN, VISITOR, Caller, Credentials
from services.api.damage import whole
from services.api.keys import BOTS, EVERY_PLATFORM
from services.api.openings import Opening, is_leave
from services.api.problems import Problem
from services.api.sending import now_ms
from services.api.store import ApiStore
from services.api.tokens import PLAY, GuestClaim, InviteClaim, SeatClaim, WatchClaim

__all__ = ["ARBITER", "BOTS", "GUEST", "INVITED", "LONGEST_TOKEN", "PLATFORM", "SEAT", "TABLE_NAME", "Caller"]

KEPT_TABLES: Final = 10_000
TABLE_NAME: Final = re.compile(r"[a-z]+-[a-z0-9]{1,40}")
T = TypeVar("T")

PLATFORM: Final = "platform"
ARBITER: Final = "arbiter"
SEAT: Final = "seat"
INVITED: Final = "invited"
GUEST: Final = "guest"
STRANGERS: Final = ("visitor", GUEST)
"""Roles that know public tables alone."""

PLAYS: Final = (SEAT, BOTS)
"""Roles that send commands."""

AT_ONCE: Final = (ARBITER, BOTS)
"""Roles that are never behind as spectators."""


class Place(msgspec.Struct):
    """Who sits at a seat, as the spectator sees it."""

    seat: int
    player: str | None
    bot: bool


class Seating(msgspec.Struct):
    """The part of a view that says who sits where, and who may look."""

    status: str
    seats: list[Place]


class Look(msgspec.Struct, frozen=True):
    """
    From where a caller looks at a table.

    Args:
        behind_ms: how old what they see has to be, in milliseconds; 0 for whoever sees it as it is.
    """

    viewpoint: Viewpoint
    behind_ms: int = 0


class Doorkeeper:
    """Knows keys, tokens, and whose each table is."""

    def __init__(self, store: ApiStore, credentials: Credentials) -> None:
        self._store = store
        self._credentials = credentials
        self._openings: OrderedDict[str, Opening] = OrderedDict()
        self._seats: OrderedDict[str, Seating] = OrderedDict()
        self._read_seats = msgspec.json.Decoder(Seating)

    async def caller(self, header: str | None, *, believed_s: float = BELIEVED_S) -> Caller:
        """Return who a request's ``Authorization`` header proves its sender to be, as ``Credentials`` says."""
        return await self._credentials.caller(header, believed_s=believed_s)

    async def holder(self, token: str, *, believed_s: float = BELIEVED_S) -> Caller:
        """Return who a token proves its holder to be, as ``Credentials`` says."""
        return await self._credentials.holder(token, believed_s=believed_s)

    async def opening_of(self, table: str) -> Opening | None:
        """Return how the table was opened, if it ever was."""
        opening = self._openings.get(table)
        if opening is None and (opening := await self._store.opening_of(table)) is not None:
            _keep(self._openings, table, opening)
        return opening

    async def actor(self, caller: Caller, table: str, *, command_id: UUID | None = None) -> Actor:
        """
        Return the caller as a table's rules know them; a problem for those who only look.

        Who has left their seat with the very command that is meant may ask what became of it.
        """
        platform = await self._require_table(caller, table)
        match caller.claim:
            case SeatClaim() as claim:
                actor = Actor(SEAT, platform, Seat(claim.seat))
                if not (await self._sits(claim) or await self._has_left(actor, table, command_id)):
                    raise Problem("not_your_seat")
                if claim.scope != PLAY:
                    raise Problem("not_allowed", details={"role": SEAT, "scope": PLAY})
                return actor
            case WatchClaim():
                raise Problem("not_allowed", details={"role": SEAT})
            case _:
                return Actor(caller.role, platform)

    async def look(self, caller: Caller, table: str, seat: int | None) -> Look:
        """Return from where a caller looks at a table; ``seat`` is what was asked for, if anything."""
        caller = await self._known_as(caller, table)
        await self._require_table(caller, table)
        if isinstance(caller.claim, SeatClaim):
            if seat not in (None, caller.claim.seat):
                raise Problem("not_your_seat")
            if not await self._sits(caller.claim):
                raise Problem("not_your_seat")
            return Look(Seat(caller.claim.seat))
        if seat is not None:
            return Look(await self._seat_seen(caller, table, seat))
        opening = await self.opening_of(table)
        delay = 0 if opening is None or caller.role in AT_ONCE else opening.spectator_delay
        return Look(SPECTATOR, behind_ms=delay * 1000)

    async def is_behind(self, caller: Caller, table: str) -> bool:
        """Whether the caller sees late what happens at a table."""
        caller = await self._known_as(caller, table)
        opening = await self.opening_of(table)
        return caller.role not in (SEAT, *AT_ONCE) and opening is not None and opening.spectator_delay > 0

    async def require_guest_sits(self, caller: Caller, table: str, *, alone: bool = False) -> None:
        """A guest says what becomes of a table only where they sit at it, and ends it only where nobody else does."""
        if not isinstance(caller.claim, GuestClaim):
            return
        seats = (await self._seats_of(table)).seats
        players = {each.player for each in seats if not each.bot} - {None}
        if caller.claim.player not in players or (alone and len(players) > 1):
            raise Problem("not_allowed", details={"role": PLATFORM})

    async def require_guest_may_sit(self, caller: Caller, table: str) -> None:
        """The seats of a rematch are for those who sat there before: its platform gives them, a guest takes none."""
        opening = await self.opening_of(table)
        if caller.role == GUEST and opening is not None and opening.is_rematch:
            raise Problem("not_invited")

    async def place(self, table: str, seat: int) -> Place:
        """Return who sits at a seat now; a problem when there is no such seat."""
        seats = (await self._seats_of(table)).seats
        if not 0 <= seat < len(seats):
            raise Problem("unknown_seat", details={"seats": len(seats)})
        return seats[seat]

    async def _seat_seen(self, caller: Caller, table: str, seat: int) -> Seat:
        """An arbiter sees every seat, bots those that are theirs."""
        place = await self.place(table, seat)
        if caller.role == BOTS and not place.bot:
            self._seats.pop(table, None)  # its player may have conceded since
            place = await self.place(table, seat)
        if caller.role != ARBITER and (caller.role != BOTS or not place.bot):
            raise Problem("not_your_seat")
        return Seat(seat)

    async def _known_as(self, caller: Caller, table: str) -> Caller:
        """Return who a caller is to a table: elsewhere a key and a guest see what anybody sees of a public one."""
        if not isinstance(caller.claim, GuestClaim | None):
            return caller
        opening = await self.opening_of(table)
        if opening is None or opening.is_hidden(now_ms()):
            return caller
        return caller if caller.platform in (EVERY_PLATFORM, opening.platform) else VISITOR

    async def _require_table(self, caller: Caller, table: str) -> str:
        """
        Return whose the table is, if the caller may know it at all: the gate of every door.

        To whom a table does not show itself, it is in every answer as if it were not there.
        """
        if not caller.may_be_at(table):
            raise Problem("not_your_seat")
        if isinstance(caller.claim, SeatClaim | WatchClaim | InviteClaim):
            return caller.platform
        opening = await self.opening_of(table)
        if opening is None or not _is_shown(opening, caller):
            raise Problem("no_token" if caller.role == VISITOR.role else "unknown_table")
        return opening.platform

    async def _sits(self, claim: SeatClaim) -> bool:
        """A token ends when somebody else sits in its seat, so that nobody keeps a look into another's hand."""
        return (await self._seats_of(claim.table)).seats[claim.seat].player == claim.player

    async def _has_left(self, actor: Actor, table: str, command_id: UUID | None) -> bool:
        """Whether this is the command with which somebody left a seat."""
        if command_id is None:
            return False
        entry = await self._store.answered(self._store.partition(table), table, command_id.bytes)
        return isinstance(entry, Commit) and entry.command.actor == actor and is_leave(entry.command)

    async def _seats_of(self, table: str) -> Seating:
        """Return who sits where; seats no longer change hands once play has begun, so then it is kept."""
        kept = self._seats.get(table)
        if kept is not None:
            return kept
        viewed = await self._store.view(table, None)
        if viewed is None:
            raise Problem("unknown_table" if await self.opening_of(table) is None else "not_yet")
        with whole(f"view of {table}"):
            seats = self._read_seats.decode(viewed[1])
        if seats.status != "open":
            _keep(self._seats, table, seats)
        return seats


def _is_shown(opening: Opening, caller: Caller) -> bool:
    """Whether a table shows itself to a caller who has no token of its own."""
    if caller.role in STRANGERS and opening.is_hidden(now_ms()):
        return False
    return caller.role == VISITOR.role or caller.platform in (EVERY_PLATFORM, opening.platform)


def _keep(kept: OrderedDict[str, T], table: str, value: T) -> None:
    kept[table] = value
    while len(kept) > KEPT_TABLES:
        kept.popitem(last=False)
