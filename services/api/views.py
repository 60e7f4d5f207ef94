"""What a viewpoint sees now, may do now, and was told before."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel, ConfigDict

from events.codec import to_json
from services.api.asking import Anybody, Anyone, AskedSeat, Table
from services.api.bodies import Body
from services.api.doorkeeper import Look
from services.api.doors import Doors, TheDoors
from services.api.problems import Problem
from services.api.sending import now_ms

PAGE: Final = 100
MOST: Final = 500

AtLeast = Annotated[int, Query(ge=0, lt=2**53)]
IfNoneMatch = Annotated[str | None, Header(max_length=64)]

router = APIRouter(prefix="/v1/tables/{table}", tags=["views"])


class _Legal(msgspec.Struct):
    version: int
    legal: msgspec.Raw


class View(BaseModel):
    """A table as one viewpoint sees it; the members of `board`, `prompt` and `legal` are the game's own."""

    model_config = ConfigDict(extra="allow")

    table: str
    game: str
    version: int
    status: Literal["open", "running", "over"]
    viewpoint: int | None
    seats: list[dict[str, Any]]
    options: dict[str, Any]
    commitment: str
    secret: str | None
    asked: list[dict[str, Any]]
    prompt: dict[str, Any] | None
    legal: list[dict[str, Any]]
    offers: list[str]
    outcome: dict[str, Any] | None
    board: dict[str, Any] | None


class Legal(Body):
    """The commands that the seat may send now."""

    table: str
    version: int
    legal: list[dict[str, Any]]


class Chapter(Body):
    """What one command caused, as the viewpoint was told it; ``at`` is in milliseconds since 1970."""

    first: int
    last: int
    at: int
    seat: int | None
    steps: list[dict[str, Any]]


class History(Body):
    """What a viewpoint was told behind a version, oldest first; ``next`` is the ``from`` of what follows."""

    table: str
    chapters: list[Chapter]
    next: int | None


@router.get("/view", response_model=View, responses={304: {"description": "The version is the one that is known"}})
async def view(
    table: Table,
    caller: Anybody,
    doors: TheDoors,
    seat: AskedSeat = None,
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """
    Return the table as the caller's seat sees it; the spectator's view for a platform, and for anybody if it is public.

    The ETag is the version; ``at_least`` waits for one. An arbiter may name any seat.
    """
    looks = await doors.keeper.look(caller, table, seat)
    viewed = await doors.sender.view(table, looks.viewpoint, at_least=at_least, behind=looks.behind_ms > 0)
    known = (if_none_match or "").strip().removeprefix("W/")
    if viewed is None:
        version = await _version(doors, table, looks)
        if known == f'"{version}"':
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": known})
        raise Problem("not_yet", details={"version": version})
    etag = f'"{viewed[0]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if known == etag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(viewed[1], headers=headers, media_type="application/json")


@router.get("/legal", response_model=Legal)
async def legal(
    table: Table, caller: Anyone, doors: TheDoors, seat: AskedSeat = None, at_least: AtLeast = 0
) -> Response:
    """Return the commands that the caller's seat may send now."""
    looks = await doors.keeper.look(caller, table, seat)
    viewed = await doors.sender.view(table, looks.viewpoint, at_least=at_least, behind=looks.behind_ms > 0)
    if viewed is None:
        raise Problem("not_yet", details={"version": await _version(doors, table, looks)})
    found = msgspec.json.decode(viewed[1], type=_Legal)
    body = to_json({"table": table, "version": found.version, "legal": found.legal})
    return Response(body, headers={"ETag": f'"{found.version}"'}, media_type="application/json")


@router.get("/history", response_model=History)
async def history(
    table: Table,
    caller: Anybody,
    doors: TheDoors,
    seat: AskedSeat = None,
    after: Annotated[int, Query(alias="from", ge=0, lt=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = PAGE,
) -> Response:
    """Return what the caller's seat was told of every step behind a version; of a public table anybody may ask."""
    looks = await doors.keeper.look(caller, table, seat)
    chapters = await doors.store.chapters(table, after=after, count=limit + 1)
    if looks.behind_ms:
        chapters = [each for each in chapters if each.at <= now_ms() - looks.behind_ms]
    page = [
        {
            "first": each.first,
            "last": each.last,
            "at": each.at,
            "seat": each.seat,
            "steps": msgspec.Raw(each.told(looks.viewpoint)),
        }
        for each in chapters[:limit]
    ]
    behind = chapters[limit - 1].last if len(chapters) > limit else None
    return Response(to_json({"table": table, "chapters": page, "next": behind}), media_type="application/json")


async def _version(doors: Doors, table: str, looks: Look) -> int:
    viewed = await doors.store.view(table, None, as_of=now_ms() if looks.behind_ms else None)
    return 0 if viewed is None else viewed[0]
