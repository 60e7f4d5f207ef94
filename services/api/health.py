"""Whether the doors are open, for whoever watches over them."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter

from events.streams import META
from services.api.bodies import Body
from services.api.doors import Doors, TheDoors
from services.api.line import PASSING
from services.api.problems import Problem
from services.api.store import ApiStore
from services.api.survey import OF_ALL, Survey

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Return that the process is alive."""
    return {"status": "alive"}


class Readiness(Body):
    """
    What the doors can do.

    ``listening`` says whether what is pushed is heard, ``set_aside`` how many commands wait for an operator,
    ``damaged`` which keys were written over. ``away`` names what lies on nodes of a cluster that do not answer:
    partitions of a game, such as ``nains.03``, ``all`` for what they share, and ``fid:meta``.
    """

    status: Literal["ready", "degraded"]
    listening: bool
    set_aside: int
    takes_commands: bool
    damaged: list[str]
    away: list[str]


@router.get("/readyz", response_model=Readiness)
async def readyz(doors: TheDoors) -> dict[str, object]:
    """
    Return that the store can be used; a problem otherwise.

    Commands that the rules could not survive make it ``degraded``, as do keys that were written over, a store that
    refused the last command, and nodes of a cluster that do not answer, and no less ready: no other process of the
    doors would do better, but an operator should look.
    """
    meta_is_away, found = await asyncio.gather(_meta_is_away(doors.store), doors.surveyor.survey())
    if not _serves_any(doors, found):
        raise Problem("store_away")
    takes_commands = doors.store.takes_commands
    away = [*([META] if meta_is_away else ()), *found.away]
    is_well = takes_commands and not (found.set_aside or found.damaged or away)
    return {
        "status": "ready" if is_well else "degraded",
        "listening": doors.wakes.listening,
        "set_aside": found.set_aside,
        "takes_commands": takes_commands,
        "damaged": found.damaged,
        "away": away,
    }


async def _meta_is_away(store: ApiStore) -> bool:
    """Whether nobody tells if the store is the one that was opened, though parts of it may answer."""
    try:
        await store.ping()
    except PASSING:
        if not store.is_cluster:
            raise
        return True
    return False


def _serves_any(doors: Doors, found: Survey) -> bool:
    """Whether the tables of any partition can be shown and played: who has a token needs no more than its node."""
    knows_callers = OF_ALL not in found.away or doors.credentials.knows_signing
    return knows_callers and any(each.tag not in found.away for each in doors.store.partitions)
