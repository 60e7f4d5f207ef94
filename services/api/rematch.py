"""The same seats once more: a new table, tied to the one that is over."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Response
from msgspec import UNSET

from events.messages import Command, Seat
from events.tables.commands import LinkRematch, OpenTable, TakeSeat
from events.tables.vocabulary import BOT_PREFIX, Actor, Player
from services.api.answers import SENT, respond
from services.api.asking import Platform, Table
from services.api.bodies import SENT_AGAIN, Body
from services.api.damage import whole
from services.api.doors import Doors, TheDoors
from services.api.passes import Pass, seat_pass, told
from services.api.problems import Problem
from services.api.refusals import LOCATION
from services.api.sending import Sent
from services.api.tokens import own_id, table_of

router = APIRouter(prefix="/v1/tables/{table}", tags=["tables"])


class RematchSeat(Pass):
    """A player's seat at the new table; its token ends at `until`, in seconds since 1970."""

    seat: int
    player: str


class Rematch(Body):
    """The new table, with a token for each player; play begins there as at any table."""

    status: str
    table: str
    parent: str
    seats: list[RematchSeat]


class _Seat(msgspec.Struct):
    seat: int
    player: str | None


class _Played(msgspec.Struct):
    """The part of a view that a rematch takes over."""

    game: str
    status: str
    seats: list[_Seat]
    options: dict[str, bool | int | str]
    private: bool = False
    spectator_delay: int = 0
    ready: bool = False
    rematch: str | None = None

    def opening(self, table: str) -> OpenTable:
        """Return what opens the same table again."""
        return OpenTable(
            game=self.game,
            seats=len(self.seats),
            options=self.options,
            bots=tuple(
                (Seat(each.seat), each.player.removeprefix(BOT_PREFIX))
                for each in self.seats
                if (each.player or "").startswith(BOT_PREFIX) and each.player is not None
            ),
            private=self.private or UNSET,
            spectator_delay=self.spectator_delay or UNSET,
            ready=self.ready or UNSET,
            parent=table,
        )

    @property
    def players(self) -> Mapping[int, str]:
        """The people by their seats."""
        return {
            each.seat: each.player
            for each in self.seats
            if each.player is not None and not each.player.startswith(BOT_PREFIX)
        }


RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    201: {"headers": LOCATION},
    202: {**SENT[202], "description": "Received; send it again until all of it is done"},
}


@router.post("/rematch", status_code=201, response_model=Rematch, responses=RESPONSES, dependencies=SENT_AGAIN)
async def open_rematch(table: Table, caller: Platform, doors: TheDoors) -> Response:
    """
    Open a table of the same game, options, players and bots; sent again it is the same one.

    The view of the table that is over names it as `rematch`.
    """
    actor = await doors.keeper.actor(caller, table)
    viewed = await doors.store.view(table, None)
    if viewed is None:
        raise Problem("not_yet")
    with whole(f"view of {table}"):
        played = msgspec.json.decode(viewed[1], type=_Played)
    if played.status != "over":
        raise Problem("table_not_over")
    new = played.rematch
    if new is None:
        new, sent = await _play_again(doors, played, table, actor)
        if sent.answer is None:
            return respond(sent)
    seats = [
        {"seat": seat, "player": player, **await seat_pass(doors, caller.platform, new, seat, player)}
        for seat, player in played.players.items()
    ]
    body: dict[str, object] = {"status": "accepted", "table": new, "parent": table, "seats": seats}
    return told(body, HTTPStatus.CREATED, Location=f"/v1/tables/{new}/view")


async def _play_again(doors: Doors, played: _Played, table: str, actor: Actor) -> tuple[str, Sent]:
    """Open the new table, seat its players and link it; return its name, and the last step that was sent."""
    signing = (await doors.credentials.signing()).newest

    def id_of(step: str) -> uuid.UUID:
        """The same whenever the step is sent, and known to nobody who might send something else with it."""
        return own_id(f"rematch {table} {step}", signing)

    new = table_of(actor.platform, id_of("table").bytes, played.game)
    steps: list[tuple[str, str, Command]] = [
        (new, "open", played.opening(table)),
        *(
            (new, f"seat {seat}", TakeSeat(seat=Seat(seat), player=Player(player)))
            for seat, player in played.players.items()
        ),
        (table, "link", LinkRematch(table=new)),
    ]
    for where, step, command in steps:
        sent = await doors.sender.send(command, table=where, actor=actor, command_id=id_of(step))
        if sent.answer is None:
            break
    return new, sent
