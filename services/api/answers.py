"""How the doors tell what became of a command."""

from __future__ import annotations

import uuid
from typing import Any, Final, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from events.codec import to_json
from events.log.answers import answer_of
from events.log.records import Answer
from services.api.asking import Anyone, Table
from services.api.bodies import Body
from services.api.caching import mark
from services.api.doorkeeper import ARBITER
from services.api.doors import TheDoors
from services.api.late import LATE
from services.api.problems import Problem
from services.api.refusals import ETAG, LOCATION, RETRY_AFTER, refuses
from services.api.sending import Sent

router = APIRouter(prefix="/v1/tables", tags=["commands"])


class Accepted(Body):
    """
    A command was accepted.

    ``first`` and ``last`` are the table's versions after the first and the last event it caused.
    """

    status: Literal["accepted"]
    command_id: str
    table: str
    version: int
    first: int
    last: int


class Refusal(Body):
    """
    A command was refused at ``version``, and why; ``details`` are those of the problem that was answered.

    Whoever sees the table late is told no version.
    """

    status: Literal["refused"]
    command_id: str
    table: str
    version: int | None = None
    code: str
    details: dict[str, Any]


class Pending(BaseModel):
    """No answer yet: ask at ``href``, or send again with the same Idempotency-Key; nothing happens twice."""

    model_config = ConfigDict(extra="allow")

    status: str
    command_id: str
    table: str
    href: str


SENT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": Accepted, "description": "Accepted, and the views show it", "headers": ETAG},
    202: {
        "model": Pending,
        "description": "Received; the answer takes longer",
        "headers": {**LOCATION, **RETRY_AFTER},
    },
}


def respond(sent: Sent, *, made: bool = False, **more: object) -> Response:
    """
    Return what became of a command; ``made`` for something new under a name of its own.

    The ETag is that of the view in which its sender sees what it did.
    """
    if sent.answer is None:
        href = f"/v1/tables/{sent.table}/commands/{sent.command_id}"
        body = {"status": "pending", "command_id": str(sent.command_id), "table": sent.table, "href": href, **more}
        return Response(to_json(body), 202, {"Location": href, "Retry-After": "1"}, "application/json")
    headers = {"ETag": mark(sent.viewpoint, sent.answer.version)}
    if made:
        headers["Location"] = f"/v1/tables/{sent.table}/view"
    body = {**accepted(sent.command_id, sent.answer), **more}
    return Response(to_json(body), 201 if made else 200, headers, "application/json")


def accepted(command_id: uuid.UUID, answer: Answer) -> dict[str, object]:
    """Return the answer to an accepted command."""
    return {
        "status": "accepted",
        "command_id": str(command_id),
        "table": answer.table,
        "version": answer.version,
        "first": answer.first,
        "last": answer.version,
    }


@router.get(
    "/{table}/commands/{command_id}",
    response_model=Accepted | Refusal,
    openapi_extra=refuses("unknown_command", "not_allowed"),
)
async def look_up_command(table: Table, command_id: uuid.UUID, caller: Anyone, doors: TheDoors) -> Response:
    """
    Return the answer to a command of the caller's own; to an arbiter, and to no other key, that to anybody's.

    ``unknown_command`` when there is none: it is somebody else's, or was not answered yet, or never received, and may
    be sent again with the same Idempotency-Key.
    """
    actor = await doors.keeper.actor(caller, table, command_id=command_id)
    entry = await doors.store.answered(doors.store.partition(table), table, command_id.bytes)
    if entry is None or (entry.command.actor != actor and caller.role != ARBITER):
        raise Problem("unknown_command")
    answer = answer_of(table, entry)
    if answer.code is None:
        body = accepted(command_id, answer)
    else:
        body = _refusal(command_id, answer, answer.code, behind=await doors.keeper.is_behind(caller, table))
    return Response(to_json(body), media_type="application/json")


def _refusal(command_id: uuid.UUID, answer: Answer, code: str, *, behind: bool) -> dict[str, object]:
    """Return the answer to a refused command; who is ``behind`` is not told how the table was then."""
    body = {"status": "refused", "command_id": str(command_id), "table": answer.table}
    if behind:
        return {**body, "code": LATE.get(code, code), "details": answer.details}
    return {**body, "version": answer.version, "code": code, "details": answer.details}
