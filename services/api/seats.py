"""Who sits where: seats are given by the platform, which hands its player the seat's token."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Response
from pydantic import Field

from events.codec import to_json
from events.messages import Seat
from events.tables.commands import LeaveSeat, TakeSeat
from events.tables.vocabulary import BOT_PREFIX, Player
from services.api.answers import SENT, Accepted, respond
from services.api.bodies import Body, CommandId, typed
from services.api.doorkeeper import Anyone, Caller, Platform, Table
from services.api.doors import Doors, TheDoors
from services.api.openapi import takes
from services.api.problems import Problem, malformed
from services.api.tokens import SeatClaim, seat_token

router = APIRouter(prefix="/v1/tables/{table}/seats", tags=["seats"])

SeatNumber = Annotated[int, Path(ge=0, le=63)]


class TakeSeatBody(Body):
    """Who sits down: the platform's own opaque id; ``salt`` is 32 random bytes of the player's own, in hexadecimal."""

    player: str = Field(min_length=1, max_length=64)
    salt: str = Field("", pattern=r"^([0-9a-f]{64})?$")


class SeatGiven(Accepted):
    """The seat was taken; its token lets the player play and see what the seat sees."""

    seat: int
    token: str


GIVEN: Final[dict[int | str, dict[str, Any]]] = {**SENT, 200: {"model": SeatGiven, "description": "Taken"}}


@router.post("/{seat}", responses=GIVEN, openapi_extra=takes(TakeSeatBody))
async def take_seat(
    table: Table,
    seat: SeatNumber,
    caller: Platform,
    body: Annotated[TakeSeatBody, Depends(typed(TakeSeatBody))],
    command_id: CommandId,
    doors: TheDoors,
) -> Response:
    """Sit a player down, and return the seat's token."""
    if body.player.startswith(BOT_PREFIX):
        raise malformed("$.player", "names of bots are the service's own", "invalid_value")
    actor = await doors.keeper.actor(caller, table)
    command = TakeSeat(seat=Seat(seat), player=Player(body.player), salt=bytes.fromhex(body.salt))
    sent = await doors.sender.send(command, table=table, actor=actor, command_id=command_id)
    if sent.answer is None:
        return respond(sent, seat=seat)
    return respond(sent, seat=seat, token=await _token(doors, caller, table, seat, body.player))


@router.delete("/{seat}", responses=SENT)
async def leave_seat(
    table: Table, seat: SeatNumber, caller: Anyone, command_id: CommandId, doors: TheDoors
) -> Response:
    """Free a seat again, while play has not begun."""
    actor = await doors.keeper.actor(caller, table)
    if actor.seat not in (None, seat):
        raise Problem("not_your_seat")
    command = LeaveSeat(seat=Seat(seat))
    return respond(await doors.sender.send(command, table=table, actor=actor, command_id=command_id))


@router.post("/{seat}/token")
async def renew_token(table: Table, seat: SeatNumber, caller: Platform, doors: TheDoors) -> Response:
    """Return a new token for the player who sits there; nothing changes at the table."""
    await doors.keeper.actor(caller, table)
    player = await doors.keeper.player_at(table, seat)
    if player is None or player.startswith(BOT_PREFIX):
        raise Problem("seat_free", details={"seat": seat})
    token = await _token(doors, caller, table, seat, player)
    return Response(to_json({"table": table, "seat": seat, "token": token}), media_type="application/json")


async def _token(doors: Doors, caller: Caller, table: str, seat: int, player: str) -> str:
    until = int(time.time()) + doors.settings.seat_token_s
    claim = SeatClaim(table, seat, caller.platform, player, until)
    return seat_token(claim, await doors.keeper.signing())
