"""Who sits where: seats are given by the platform, to its players, to bots, or to whoever holds an invitation."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Response
from pydantic import Field

from events.games import game_of
from events.messages import Seat
from events.tables.commands import LeaveSeat, TakeSeat
from events.tables.vocabulary import BOT_PREFIX, Player
from services.api import late
from services.api.answers import SENT, Accepted, respond
from services.api.asking import Anyone, Joining, Table
from services.api.bodies import BOT, Body, CommandId, typed
from services.api.caching import unkept
from services.api.credentials import Caller
from services.api.doorkeeper import INVITED, PLATFORM
from services.api.doors import TheDoors
from services.api.numbers import AS_IN_JSON
from services.api.openapi import takes
from services.api.passes import NO_PASS, SeatPass, end_invitations
from services.api.problems import Problem, malformed
from services.api.refusals import refuses
from services.api.texts import PlayerId
from services.api.tokens import GuestClaim, InviteClaim
from services.bots.choosing import kinds

router = APIRouter(prefix="/v1/tables/{table}/seats", tags=["seats"])

SeatNumber = Annotated[int, Path(ge=0, le=63), AS_IN_JSON]


class TakeSeatBody(Body):
    """
    Who sits down: a player by the platform's own opaque id, or a bot by its kind.

    An invitation and a guest's token name the player themselves.
    `salt` is 32 random bytes of the player's own, in hexadecimal.
    """

    player: PlayerId | None = None
    bot: str | None = Field(None, min_length=1, max_length=32, pattern=BOT)
    salt: str = Field("", pattern=r"^([0-9a-f]{64})?$")


class SeatGiven(Accepted):
    """
    The seat was taken; its token, where no bot took it, lets the player play and see what the seat sees.

    It ends at `until`, in seconds since 1970.
    Sent again after tokens of the seat were ended there is none: the platform can make one.
    """

    seat: int
    player: str
    token: str | None
    until: int | None


GIVEN: Final[dict[int | str, dict[str, Any]]] = {**SENT, 200: {**SENT[200], "model": SeatGiven, "description": "Taken"}}


@router.post(
    "/{seat}", responses=GIVEN, openapi_extra={**takes(TakeSeatBody), **refuses("unknown_seat", "unknown_bot")}
)
async def take_seat(
    table: Table,
    seat: SeatNumber,
    caller: Joining,
    body: Annotated[TakeSeatBody, Depends(typed(TakeSeatBody))],
    command_id: CommandId,
    doors: TheDoors,
) -> Response:
    """Sit a player or a bot down, and return the seat's token."""
    actor = await doors.keeper.actor(caller, table)
    if isinstance(caller.claim, InviteClaim) and caller.claim.seat not in (None, seat):
        raise Problem("not_your_seat", details={"seat": caller.claim.seat})
    player = _player(caller, table, body)
    await doors.keeper.require_guest_may_sit(caller, table)
    if body.bot is not None:
        await doors.keeper.require_guest_sits(caller, table)
    command = TakeSeat(seat=Seat(seat), player=Player(player), salt=bytes.fromhex(body.salt))
    given = await SeatPass.before(doors, table, seat, command_id)
    sent = await late.send(doors, caller, command, table=table, actor=actor, command_id=command_id)
    if sent.answer is None:
        return respond(sent, seat=seat, player=player)
    passed = NO_PASS if body.bot else await given.given(actor.platform, player)
    return unkept(respond(sent, seat=seat, player=player, token=passed["token"], until=passed["until"]))


def require_kind(game: str, bot: str, *, path: str) -> None:
    """Refuse a kind of bot that does not play the game."""
    if bot not in kinds(game):
        raise Problem("unknown_bot", path=path, details={"bots": list(kinds(game))})


def _player(caller: Caller, table: str, body: TakeSeatBody) -> str:
    """Return who is to sit down, if the caller may say so."""
    if body.bot is not None:
        if body.player is not None or body.salt:
            raise malformed("$.bot", "a bot has no name and no salt", "invalid_value")
        if caller.role == INVITED:
            raise Problem("not_allowed", path="$.bot", details={"role": "platform"})
        require_kind(game_of(table) or "", body.bot, path="$.bot")
        return BOT_PREFIX + body.bot
    if isinstance(caller.claim, InviteClaim | GuestClaim):
        if body.player not in (None, caller.claim.player):
            raise Problem("not_allowed", path="$.player", details={"role": "platform"})
        return caller.claim.player
    if body.player is None:
        raise malformed("$.player", "a player or a bot", "missing_field")
    if body.player.startswith(BOT_PREFIX):
        raise malformed("$.player", "names of bots are the service's own", "invalid_value")
    return body.player


@router.delete("/{seat}", responses=SENT, openapi_extra=refuses("unknown_seat", "not_allowed"))
async def leave_seat(
    table: Table, seat: SeatNumber, caller: Anyone, command_id: CommandId, doors: TheDoors
) -> Response:
    """Free a seat again, while play has not begun; of whom the platform sends away the invitations end."""
    actor = await doors.keeper.actor(caller, table, command_id=command_id)
    if actor.role != PLATFORM and actor.seat != seat:
        raise Problem("not_your_seat")
    if actor.role == PLATFORM:
        await end_invitations(doors, table, seat, command_id)
    command = LeaveSeat(seat=Seat(seat))
    return respond(await late.send(doors, caller, command, table=table, actor=actor, command_id=command_id))
