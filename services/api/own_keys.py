"""What a platform may know of its own keys; they are made, replaced and ended on the command line alone."""

from __future__ import annotations

import time
from typing import Literal

from fastapi import APIRouter, Response

from events.codec import to_json
from services.api.asking import Platform
from services.api.bodies import Body
from services.api.doors import TheDoors

router = APIRouter(prefix="/v1/keys", tags=["tokens"])


class Key(Body):
    """
    A key by its name, its first part; `made` and `until` are in seconds since 1970, 0 for unknown and for never.

    It is good while its `state` is `live`.
    """

    name: str
    role: str
    label: str
    made: int
    until: int
    state: Literal["live", "expired", "revoked"]


class Keys(Body):
    """All keys of the caller's platform."""

    keys: list[Key]


@router.get("", response_model=Keys)
async def list_keys(caller: Platform, doors: TheDoors) -> Response:
    """Return the keys of the caller's platform, never their secret parts."""
    now = time.time()
    found = [
        {
            "name": name,
            "role": each.role,
            "label": each.label,
            "made": each.made,
            "until": each.until,
            "state": each.state(now=now),
        }
        for name, each in sorted((await doors.store.keys()).items())
        if each.platform == caller.platform
    ]
    return Response(to_json({"keys": found}), media_type="application/json")
