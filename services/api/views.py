"""What a viewpoint sees now, may do now, and was told before."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Query, Response

from events.codec import to_json
from services.api.asking import Anybody, Anyone, AskedSeat, Table
from services.api.caching import mark
from services.api.damage import StoreDamagedError, whole
from services.api.doorkeeper import Look
from services.api.doors import Doors, TheDoors
from services.api.etags import Known
from services.api.numbers import AS_IN_JSON
from services.api.openapi import answers
from services.api.problems import Problem
from services.api.refusals import ETAG, refuses
from services.api.sending import now_ms
from services.api.shapes import HISTORY, LEGAL, VIEW
from services.api.story import History, Legal, as_told, joined

PAGE: Final = 100
MOST: Final = 500

AtLeast = Annotated[int, Query(ge=0, lt=2**53), AS_IN_JSON]

router = APIRouter(prefix="/v1/tables/{table}", tags=["views"])


HELD: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "The view is the one that is known", "headers": ETAG}
}


@router.get("/view", responses={**answers(VIEW, ETAG), **HELD}, openapi_extra=refuses("unknown_seat"))
async def view(
    table: Table,
    caller: Anybody,
    doors: TheDoors,
    known: Known,
    seat: AskedSeat = None,
    at_least: AtLeast = 0,
) -> Response:
    """
    Return the table as the caller's seat sees it; the spectator's view for a platform, and for anybody if it is public.

    ``at_least`` waits for a version. The ETag is of viewpoint and version, and is good as ``If-None-Match`` here and as
    ``If-Match`` of a command; the version by itself is a member of the view. An arbiter may name any seat.
    """
    looks = await doors.keeper.look(caller, table, seat)
    viewed = await doors.sender.view(table, looks.viewpoint, at_least=at_least, behind=looks.behind_ms > 0)
    version = await _version(doors, table, looks) if viewed is None else viewed[0]
    headers = {"ETag": mark(looks.viewpoint, version)}
    if headers["ETag"] in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if viewed is None:
        raise Problem("not_yet", details={"version": version})
    return Response(viewed[1], headers=headers, media_type="application/json")


@router.get("/legal", responses={**answers(LEGAL, ETAG), **HELD}, openapi_extra=refuses("unknown_seat"))
async def legal(
    table: Table, caller: Anyone, doors: TheDoors, known: Known, seat: AskedSeat = None, at_least: AtLeast = 0
) -> Response:
    """Return the commands that the caller's seat may send now; its ETag is that of the view."""
    looks = await doors.keeper.look(caller, table, seat)
    viewed = await doors.sender.view(table, looks.viewpoint, at_least=at_least, behind=looks.behind_ms > 0)
    version = await _version(doors, table, looks) if viewed is None else viewed[0]
    headers = {"ETag": mark(looks.viewpoint, version)}
    if headers["ETag"] in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if viewed is None:
        raise Problem("not_yet", details={"version": version})
    with whole(f"view of {table}"):
        found = msgspec.json.decode(viewed[1], type=Legal)
    return Response(to_json(found), headers=headers, media_type="application/json")


@router.get("/history", responses=answers(HISTORY, {}), openapi_extra=refuses("unknown_seat"))
async def history(
    table: Table,
    caller: Anybody,
    doors: TheDoors,
    seat: AskedSeat = None,
    after: Annotated[int, Query(alias="from", ge=0, lt=2**53), AS_IN_JSON] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST), AS_IN_JSON] = PAGE,
) -> Response:
    """Return what the caller's seat was told of every step behind a version; of a public table anybody may ask."""
    looks = await doors.keeper.look(caller, table, seat)
    shown = await _version(doors, table, looks) if looks.behind_ms else 0
    found = await doors.store.chapters(table, after=after, count=limit + 1)
    chapters = joined(found, after=after)
    if found and not chapters:
        raise StoreDamagedError(f"story of {table}")
    is_whole = len(chapters) == len(found)
    if looks.behind_ms:
        old = now_ms() - looks.behind_ms
        chapters = [each for each in chapters if each.last <= shown or each.at <= old]
    page = [as_told(each, looks.viewpoint) for each in chapters[:limit]]
    more = len(chapters) > limit or not is_whole
    told = History(table=table, chapters=page, next=page[-1].last if page and more else None)
    return Response(to_json(told), media_type="application/json")


async def _version(doors: Doors, table: str, looks: Look) -> int:
    viewed = await doors.store.view(table, None, as_of=now_ms() if looks.behind_ms else None)
    return 0 if viewed is None else viewed[0]
