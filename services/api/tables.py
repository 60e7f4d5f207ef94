"""Opening, listing, starting and cancelling tables."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Response
from msgspec import UNSET
from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from events.codec import to_json
from events.games import GAMES
from events.messages import Seat
from events.tables.commands import CancelTable, OpenTable, StartTable
from events.tables.vocabulary import Actor, OptionValue
from projections.lobby.lobby import STATUSES, LobbyRow
from services.api import late
from services.api.answers import SENT, Accepted, respond
from services.api.asking import Anybody, Ending, Host, Table
from services.api.bodies import BOT, Body, CommandId, typed
from services.api.credentials import VISITOR, Caller
from services.api.cursors import LONGEST, cursor_of, read_cursor
from services.api.doorkeeper import ARBITER, GUEST, PLATFORM
from services.api.doors import Doors, TheDoors
from services.api.lobby import MOST, Wish, page
from services.api.numbers import AS_IN_JSON
from services.api.openapi import takes
from services.api.problems import Problem
from services.api.queries import TRUE_OR_FALSE
from services.api.refusals import ETAG, LOCATION, refuses
from services.api.seats import require_kind
from services.api.shapes import flat_schema, option_schema
from services.api.tokens import opening_key, table_of

PAGE: Final = 50

router = APIRouter(prefix="/v1/tables", tags=["tables"])


class BotSeat(Body):
    """A seat that a bot of the service takes at once."""

    seat: int = Field(ge=0, le=63)
    bot: str = Field(min_length=1, max_length=32, pattern=BOT)


def _plain(value: object) -> OptionValue:
    if isinstance(value, bool | int | str):
        return value
    raise PydanticCustomError("option_type", "true or false, a whole number or a text")


Option = Annotated[OptionValue, PlainValidator(_plain)]
"""What an option may be set to; which games have which, and what fits there, the rules say."""


def _options_of_games(schema: dict[str, Any]) -> None:
    del schema["additionalProperties"]
    schema["anyOf"] = [{**option_schema(game), "title": game} for game in GAMES]


class OpenTableBody(Body):
    """
    A new table.

    Args:
        options: those of its game; one that is not named keeps its default.
        private: not in the public lobby, and spectators need a token.
        spectator_delay: seconds that spectators are behind, and a quarter of it at most besides.
        ready: play begins as soon as all sit and every player is ready.
    """

    game: str = Field(json_schema_extra={"enum": list(GAMES)})
    seats: int = Field(ge=1, le=64)
    options: dict[str, Option] = Field(default_factory=dict, json_schema_extra=_options_of_games)
    bots: list[BotSeat] = Field(default_factory=list, max_length=64)
    private: bool = False
    spectator_delay: int = Field(0, ge=0, le=3_600)
    ready: bool = False


class TablesPage(Body):
    """One page of the lobby, newest first; ``next`` asks for the one behind it."""

    tables: list[Annotated[dict[str, Any], WithJsonSchema(flat_schema(LobbyRow))]]
    next: str | None


@router.post(
    "",
    status_code=201,
    response_model=Accepted,
    responses={201: {"headers": {**ETAG, **LOCATION}}, 202: SENT[202]},
    openapi_extra={**takes(OpenTableBody), **refuses("unknown_game", "unknown_bot", "seats_out_of_range")},
)
async def open_table(
    caller: Host,
    body: Annotated[OpenTableBody, Depends(typed(OpenTableBody))],
    command_id: CommandId,
    doors: TheDoors,
) -> Response:
    """Open a table of the caller's platform; sent again with the same key it is opened once."""
    if body.private and caller.role == GUEST:
        raise Problem("not_allowed", path="$.private", details={"role": PLATFORM})
    _require_game(body.game, "$.game")
    for number, each in enumerate(body.bots):
        require_kind(body.game, each.bot, path=f"$.bots[{number}].bot")
    table = await _claimed(doors, caller, command_id, body.game)
    command = OpenTable(
        game=body.game,
        seats=body.seats,
        options=body.options,
        bots=tuple((Seat(each.seat), each.bot) for each in body.bots),
        private=body.private or UNSET,
        spectator_delay=body.spectator_delay or UNSET,
        ready=body.ready or UNSET,
    )
    actor = Actor(caller.role, caller.platform)
    return respond(await doors.sender.send(command, table=table, actor=actor, command_id=command_id), made=True)


def _require_game(game: str, path: str) -> None:
    if game not in GAMES:
        raise Problem("unknown_game", path=path, details={"games": list(GAMES)})


async def _claimed(doors: Doors, caller: Caller, command_id: uuid.UUID, game: str) -> str:
    """
    Return the name of the table that a key opens; ``command_id_reused`` when that is one of another game.

    That it is asked for the same table is for the rules to see. A table that is there goes before any claim, so that
    whoever was told of it is told so for ever. Tables of other games lie elsewhere: while a cluster's node is away it
    keeps from us what it opened before the claims that are left, which must stop nobody with a key of their own.
    """
    tables = {each: table_of(caller.platform, command_id.bytes, each) for each in GAMES}
    table = tables[game]
    held = await doors.store.held(list(tables.values()))
    if table not in held:
        key = opening_key(caller.platform, command_id.bytes)
        if held or await doors.store.claim(key, table) != table:
            raise Problem("command_id_reused", path="$.game")
    return table


@router.post("/{table}/start", responses=SENT)
async def start_table(table: Table, caller: Host, command_id: CommandId, doors: TheDoors) -> Response:
    """Begin play; all seats must be taken, and a guest must sit at one of them."""
    actor = await doors.keeper.actor(caller, table)
    await doors.keeper.require_guest_sits(caller, table)
    return respond(await late.send(doors, caller, StartTable(), table=table, actor=actor, command_id=command_id))


@router.post("/{table}/cancel", responses=SENT)
async def cancel_table(table: Table, caller: Ending, command_id: CommandId, doors: TheDoors) -> Response:
    """End a table without an outcome, whether play has begun or not; a guest only where nobody else sits, before it."""
    actor = await doors.keeper.actor(caller, table)
    await doors.keeper.require_guest_sits(caller, table, alone=True)
    return respond(await late.send(doors, caller, CancelTable(), table=table, actor=actor, command_id=command_id))


async def _wish(
    caller: Anybody,
    *,
    game: Annotated[str | None, Query(json_schema_extra={"enum": list(GAMES)})] = None,
    status: Annotated[str | None, Query(pattern=f"^({'|'.join(STATUSES)})$")] = None,
    own: Annotated[bool, Query(), TRUE_OR_FALSE] = False,
) -> Wish:
    if own and caller is VISITOR:
        raise Problem("no_token")
    if own and caller.role not in (PLATFORM, ARBITER):
        raise Problem("not_allowed", details={"role": PLATFORM})
    if game is not None:
        _require_game(game, "query.game")
    return Wish(games=GAMES if game is None else (game,), status=status, platform=caller.platform if own else None)


@router.get("", response_model=TablesPage, openapi_extra=refuses("unknown_game", "no_token", "not_allowed"))
async def list_tables(
    doors: TheDoors,
    caller: Anybody,
    wish: Annotated[Wish, Depends(_wish)],
    limit: Annotated[int, Query(ge=1, le=MOST), AS_IN_JSON] = PAGE,
    cursor: Annotated[str | None, Query(max_length=LONGEST)] = None,
) -> Response:
    """
    Return the lobby, newest first; private tables to their own platform alone, and to the service's bots.

    With `own` a platform, or its arbiter, reads the tables of its platform alone, private ones among them.
    Where spectators are behind, so is the row.
    """
    signing = doors.credentials.signing
    after = None if cursor is None else read_cursor(cursor, (await signing()).by_name.values())
    found, behind = await page(doors, caller, wish, limit=limit, after=after)
    body = {"tables": found, "next": behind and cursor_of(behind, (await signing()).newest)}
    return Response(to_json(body), media_type="application/json")
