"""The door through which seats play."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from events.games import game_of
from events.messages import Command, SeatCommand
from events.tables.commands import TakeSeat
from events.tables.vocabulary import Actor
from services.api.answers import SENT, respond
from services.api.asking import Playing, Table
from services.api.bodies import CommandId, ExpectedVersion, read_command
from services.api.credentials import Caller
from services.api.doorkeeper import PLATFORM
from services.api.doors import Doors, TheDoors
from services.api.openapi import COMMANDS_BODY
from services.api.problems import Problem
from services.api.refusals import refuses

router = APIRouter(prefix="/v1/tables", tags=["commands"])


@router.post("/{table}/commands", responses=SENT, openapi_extra={**COMMANDS_BODY, **refuses("unknown_seat")})
async def send_command(
    request: Request,
    table: Table,
    caller: Playing,
    command_id: CommandId,
    expected_version: ExpectedVersion,
    doors: TheDoors,
) -> Response:
    """
    Send a seat's command, in JSON or MessagePack, and return the answer once the seat's view shows it.

    With an expected version (``If-Match`` or the query) a command that answers an older question is stale.
    """
    actor = await doors.keeper.actor(caller, table, command_id=command_id)
    command = await read_command(request, game_of(table) or "")
    actor = await acting(doors, caller, actor, table=table, command=command)
    sent = await doors.sender.send(
        command, table=table, actor=actor, command_id=command_id, expected_version=expected_version
    )
    return respond(sent)


async def acting(doors: Doors, caller: Caller, actor: Actor, *, table: str, command: Command) -> Actor:
    """Return in the name of which seat a caller's command is sent; a problem when it is not theirs to send."""
    command = _for_a_seat(command)
    if actor.seat is None:
        looks = await doors.keeper.look(caller, table, command.seat)
        actor = Actor(actor.role, actor.platform, looks.viewpoint)
    if actor.seat != command.seat:
        raise Problem("not_your_seat", path="$.seat")
    return actor


def _for_a_seat(command: Command) -> SeatCommand:
    """Opening, seating and starting are the platform's."""
    if not isinstance(command, SeatCommand) or isinstance(command, TakeSeat):
        raise Problem("not_allowed", path="$.kind", details={"role": PLATFORM})
    return command
