"""Tokens for people: of a seat, for spectators, to invite; made by the platform, and ended by it."""

from __future__ import annotations

import time
import uuid
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import Field

from events.codec import to_json
from events.tables.vocabulary import BOT_PREFIX
from services.api.asking import Anyone, Platform, Table
from services.api.bodies import SENT_AGAIN, Body, CommandId, typed_or_nothing
from services.api.credentials import INVITATIONS, SPECTATORS
from services.api.doorkeeper import PLATFORM
from services.api.doors import Doors, TheDoors
from services.api.openapi import takes
from services.api.problems import Problem, malformed
from services.api.texts import PlayerId
from services.api.tokens import GUEST_PREFIX, LONGEST_LIFE_S, PLAY, InviteClaim, SeatClaim, WatchClaim

router = APIRouter(prefix="/v1/tables/{table}", tags=["tokens"])

SeatNumber = Annotated[int, Path(ge=0, le=63)]


class TokenBody(Body):
    """How long a token holds, in seconds; as long as the operator has set by default."""

    valid_s: int | None = Field(None, ge=1, le=LONGEST_LIFE_S)


class SeatTokenBody(TokenBody):
    """`scope` is `play`, or `watch` for one who sees what the seat sees and sends nothing."""

    scope: str = Field(PLAY, pattern="^(play|watch)$")


class InvitationBody(TokenBody):
    """The only seat that is meant, if one is; who is invited, by the platform's own id, or somebody unknown to it."""

    seat: int | None = Field(None, ge=0, le=63)
    player: PlayerId | None = None


class SeatToken(Body):
    """A token of a seat; `until` is in seconds since 1970."""

    table: str
    seat: int
    scope: str
    token: str
    until: int


class SpectatorToken(Body):
    """A token for spectators; `until` is in seconds since 1970."""

    table: str
    token: str
    until: int


class Invitation(Body):
    """Whoever holds the token may sit down as the player, once; `until` is in seconds since 1970."""

    table: str
    seat: int | None
    player: str
    token: str
    until: int


@router.post(
    "/seats/{seat}/token",
    response_model=SeatToken,
    openapi_extra=takes(SeatTokenBody, required=False),
    dependencies=SENT_AGAIN,
)
async def make_seat_token(
    table: Table,
    seat: SeatNumber,
    caller: Platform,
    body: Annotated[SeatTokenBody, Depends(typed_or_nothing(SeatTokenBody))],
    doors: TheDoors,
) -> Response:
    """Return a new token for the player who sits there; nothing changes at the table."""
    await doors.keeper.actor(caller, table)
    player = (await doors.keeper.place(table, seat)).player
    if player is None or player.startswith(BOT_PREFIX):
        raise Problem("seat_free", details={"seat": seat})
    until = _until(body, doors.settings.seat_token_s)
    claim = SeatClaim(table, seat, caller.platform, player, until, body.scope)
    token = await doors.credentials.token(claim)
    return _told({"table": table, "seat": seat, "scope": body.scope, "token": token, "until": until})


@router.delete("/seats/{seat}/token", status_code=HTTPStatus.NO_CONTENT)
async def revoke_seat_tokens(table: Table, seat: SeatNumber, caller: Anyone, doors: TheDoors) -> Response:
    """End all tokens of a seat within seconds, whether the platform wants it or the player; a new one can be made."""
    actor = await doors.keeper.actor(caller, table)
    if actor.role != PLATFORM and actor.seat != seat:
        raise Problem("not_your_seat")
    await doors.keeper.place(table, seat)
    await doors.credentials.revoke(table, str(seat))
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post(
    "/spectators",
    response_model=SpectatorToken,
    openapi_extra=takes(TokenBody, required=False),
    dependencies=SENT_AGAIN,
)
async def make_spectator_token(
    table: Table, caller: Platform, body: Annotated[TokenBody, Depends(typed_or_nothing(TokenBody))], doors: TheDoors
) -> Response:
    """Return a token that lets its holder watch, also a private table."""
    await doors.keeper.actor(caller, table)
    until = _until(body, doors.settings.seat_token_s)
    token = await doors.credentials.token(WatchClaim(table, caller.platform, until))
    return _told({"table": table, "token": token, "until": until})


@router.delete("/spectators", status_code=HTTPStatus.NO_CONTENT)
async def revoke_spectator_tokens(table: Table, caller: Platform, doors: TheDoors) -> Response:
    """End all spectators' tokens within seconds; of a public table anybody sees the same without one."""
    await doors.keeper.actor(caller, table)
    await doors.credentials.revoke(table, SPECTATORS)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post("/invitations", response_model=Invitation, openapi_extra=takes(InvitationBody, required=False))
async def invite(
    table: Table,
    caller: Platform,
    body: Annotated[InvitationBody, Depends(typed_or_nothing(InvitationBody))],
    command_id: CommandId,
    doors: TheDoors,
) -> Response:
    """Return a token that lets its holder sit down at a free seat; sent again with the same key, as the same player."""
    await doors.keeper.actor(caller, table)
    if body.seat is not None:
        await doors.keeper.place(table, body.seat)
    if (body.player or "").startswith(BOT_PREFIX):
        raise malformed("$.player", "names of bots are the service's own", "invalid_value")
    invited = (caller.platform, table, command_id.bytes, body.seat, body.valid_s)
    player = body.player or GUEST_PREFIX + await doors.credentials.stranger(*invited)
    until = _until(body, doors.settings.invitation_s)
    token = await doors.credentials.token(InviteClaim(table, body.seat, caller.platform, player, until))
    return _told({"table": table, "seat": body.seat, "player": player, "token": token, "until": until})


@router.delete("/invitations", status_code=HTTPStatus.NO_CONTENT)
async def revoke_invitations(table: Table, caller: Platform, doors: TheDoors) -> Response:
    """End all invitations within seconds; who sits already stays."""
    await doors.keeper.actor(caller, table)
    await doors.credentials.revoke(table, INVITATIONS)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def seat_token(doors: Doors, platform: str, table: str, seat: int, player: str) -> str:
    """Return a token with which a player plays at a seat."""
    claim = _seat_claim(doors, platform, table, seat, player)
    return await doors.credentials.token(claim)


class SeatPass:
    """
    The token of a seat that is being taken, of the generation that stood before it was.

    So a request that is sent again brings back no token that has been ended since. Clocks do not have to agree.
    """

    def __init__(self, doors: Doors, table: str, seat: int, *, generation: int, repeated: bool) -> None:
        self._doors = doors
        self._table = table
        self._seat = seat
        self._generation = generation
        self._repeated = repeated

    @classmethod
    async def before(cls, doors: Doors, table: str, seat: int, command_id: uuid.UUID) -> SeatPass:
        """Return it as things stand before the command is sent, maybe for the second time."""
        generation = await doors.credentials.generation(table, str(seat))
        place = doors.store.partition(table)
        repeated = generation > 0 and await doors.store.answered(place, table, command_id.bytes) is not None
        return cls(doors, table, seat, generation=generation, repeated=repeated)

    async def token(self, platform: str, player: str) -> str | None:
        """Return the token; none where tokens of the seat were ended and the seat may have been taken before."""
        if self._repeated:
            return None
        claim = _seat_claim(self._doors, platform, self._table, self._seat, player)
        return await self._doors.credentials.token(claim, generation=self._generation)


def _seat_claim(doors: Doors, platform: str, table: str, seat: int, player: str) -> SeatClaim:
    return SeatClaim(table, seat, platform, player, int(time.time()) + doors.settings.seat_token_s)


def _until(body: TokenBody, longest_s: int) -> int:
    return int(time.time()) + min(body.valid_s or longest_s, longest_s)


def _told(body: dict[str, object]) -> Response:
    return Response(to_json(body), media_type="application/json", headers={"Cache-Control": "no-store"})
