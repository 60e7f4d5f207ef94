"""Playing without a platform of one's own, where the operator lets guests in."""

from __future__ import annotations

import time
from http import HTTPStatus

from fastapi import APIRouter, Response

from services.api.bodies import CommandId
from services.api.doors import TheDoors
from services.api.passes import Pass, pass_of, told
from services.api.problems import Problem
from services.api.refusals import refuses
from services.api.tokens import GUEST_PREFIX, GuestClaim

router = APIRouter(prefix="/v1/guests", tags=["tokens"])


class Guest(Pass):
    """May open public tables, sit down at them as `player`, and start them, until `until`, in seconds since 1970."""

    player: str
    platform: str


@router.post("", status_code=201, response_model=Guest, openapi_extra=refuses("no_guests"))
async def come_in(command_id: CommandId, doors: TheDoors) -> Response:
    """
    Return a guest's token, without a key; `no_guests` where the operator lets none in.

    Sent again with the same Idempotency-Key it is of the same guest, so that one is as secret as the token.
    """
    platform = doors.settings.guests
    if not platform:
        raise Problem("no_guests")
    player = GUEST_PREFIX + await doors.credentials.stranger(platform, command_id.bytes)
    claim = GuestClaim(platform, player, int(time.time()) + doors.settings.guest_token_s)
    return told({"player": player, "platform": platform, **await pass_of(doors, claim)}, HTTPStatus.CREATED)
