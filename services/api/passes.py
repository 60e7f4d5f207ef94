"""Tokens for people: of a seat, for spectators, to invite; made by the platform, and ended by it."""

from __future__ import annotations

import secrets
import time
import uuid
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import Field

from events.codec import to_json
from events.tables.vocabulary import BOT_PREFIX
from services.api.asking import Anyone, Platform, Table
from services.api.bodies import SENT_AGAIN, Body, CommandId, typed_or_nothing
from services.api.caching import unkept
from services.api.credentials import INVITATIONS, SPECTATORS, invitations_of
from services.api.doorkeeper import PLATFORM
from services.api.doors import Doors, TheDoors
from services.api.numbers import AS_IN_JSON
from services.api.openapi import takes
from services.api.problems import Problem, malformed
from services.api.refusals import refuses
from services.api.texts import PlayerId
from services.api.tokens import GUEST_PREFIX, LONGEST_LIFE_S, PLAY, Claim, InviteClaim, SeatClaim, WatchClaim

router = APIRouter(prefix="/v1/tables/{table}", tags=["tokens"])

SeatNumber = Annotated[int, Path(ge=0, le=63), AS_IN_JSON]

NONCE_BYTES: Final = 8


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


NO_PASS: Final[dict[str, object]] = {"token": None, "until": None}
"""What stands in place of a ``Pass`` where no token is given."""


class Pass(Body):
    """A token; it ends at `until`, in seconds since 1970."""

    token: str
    until: int


class SeatToken(Pass):
    """A token of a seat; it ends at `until`, in seconds since 1970."""

    table: str
    seat: int
    scope: str


class SpectatorToken(Pass):
    """A token for spectators; it ends at `until`, in seconds since 1970."""

    table: str


class Invitation(Pass):
    """Lets its holder sit down as the player; it ends at `until`, in seconds since 1970, or when they are sent away."""

    table: str
    seat: int | None
    player: str


@router.post(
    "/seats/{seat}/token",
    response_model=SeatToken,
    openapi_extra={**takes(SeatTokenBody, required=False), **refuses("unknown_seat", "seat_free", "not_yet")},
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
    return told({"table": table, "seat": seat, "scope": body.scope, **await pass_of(doors, claim)})


@router.delete(
    "/seats/{seat}/token",
    status_code=HTTPStatus.NO_CONTENT,
    openapi_extra=refuses("unknown_seat", "not_allowed"),
)
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
    """Return a token of its holder's own that lets them watch, also a private table."""
    await doors.keeper.actor(caller, table)
    until = _until(body, doors.settings.seat_token_s)
    claim = WatchClaim(table, caller.platform, until, nonce=secrets.token_bytes(NONCE_BYTES))
    return told({"table": table, **await pass_of(doors, claim)})


@router.delete("/spectators", status_code=HTTPStatus.NO_CONTENT)
async def revoke_spectator_tokens(table: Table, caller: Platform, doors: TheDoors) -> Response:
    """End all spectators' tokens within seconds; of a public table anybody sees the same without one."""
    await doors.keeper.actor(caller, table)
    await doors.credentials.revoke(table, SPECTATORS)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post(
    "/invitations",
    response_model=Invitation,
    openapi_extra={**takes(InvitationBody, required=False), **refuses("unknown_seat", "not_yet")},
)
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
    claim = InviteClaim(table, body.seat, caller.platform, player, until)
    return told({"table": table, "seat": body.seat, "player": player, **await pass_of(doors, claim)})


@router.delete("/invitations", status_code=HTTPStatus.NO_CONTENT)
async def revoke_invitations(
    table: Table, caller: Platform, doors: TheDoors, player: Annotated[PlayerId | None, Query()] = None
) -> Response:
    """End all invitations, or those of one player, within seconds; who sits already stays."""
    await doors.keeper.actor(caller, table)
    await doors.credentials.revoke(table, _invitations(player))
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def end_invitations(doors: Doors, table: str, seat: int, command_id: uuid.UUID) -> None:
    """End the invitations of who sits at a seat about to be freed; of nobody who came since, if it is sent again."""
    if await doors.store.answered(doors.store.partition(table), table, command_id.bytes) is not None:
        return
    with suppress(Problem):  # what is wrong with the seat is for the rules to say
        player = (await doors.keeper.place(table, seat)).player
        if player is not None and not player.startswith(BOT_PREFIX):
            await doors.credentials.revoke(table, _invitations(player))


def _invitations(player: str | None) -> str:
    return INVITATIONS if player is None else invitations_of(player)


async def pass_of(doors: Doors, claim: Claim, *, generation: int | None = None) -> dict[str, object]:
    """Return what every answer with a token tells of it, as ``Pass`` says; generations as in ``Credentials.token``."""
    return {"token": await doors.credentials.token(claim, generation=generation), "until": claim.until}


def told(body: dict[str, object], status: int = HTTPStatus.OK, **headers: str) -> Response:
    """Return an answer with tokens in it."""
    return unkept(Response(to_json(body), status, headers, "application/json"))


async def seat_pass(doors: Doors, platform: str, table: str, seat: int, player: str) -> dict[str, object]:
    """Return the ``pass_of`` a player who plays at a seat."""
    return await pass_of(doors, _seat_claim(doors, platform, table, seat, player))


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

    async def given(self, platform: str, player: str) -> dict[str, object]:
        """Return the ``pass_of`` it; none where tokens of the seat were ended and it may have been taken before."""
        if self._repeated:
            return NO_PASS
        claim = _seat_claim(self._doors, platform, self._table, self._seat, player)
        return await pass_of(self._doors, claim, generation=self._generation)


def _seat_claim(doors: Doors, platform: str, table: str, seat: int, player: str) -> SeatClaim:
    return SeatClaim(table, seat, platform, player, int(time.time()) + doors.settings.seat_token_s)


def _until(body: TokenBody, longest_s: int) -> int:
    return int(time.time()) + min(body.valid_s or longest_s, longest_s)
