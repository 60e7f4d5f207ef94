"""Whether the doors are open, for whoever watches over them."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from services.api.bodies import Body
from services.api.doors import TheDoors
from services.api.problems import Problem

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Return that the process is alive."""
    return {"status": "alive"}


class Readiness(Body):
    """
    What the doors can do.

    ``listening`` says whether what is pushed is heard, ``set_aside`` how many commands wait for an operator,
    ``damaged`` which keys were written over.
    """

    status: Literal["ready", "degraded"]
    listening: bool
    set_aside: int
    takes_commands: bool
    damaged: list[str]


@router.get("/readyz", response_model=Readiness)
async def readyz(doors: TheDoors) -> dict[str, object]:
    """
    Return that the store can be used; a problem otherwise.

    Commands that the rules could not survive make it ``degraded``, as do keys that were written over, and a store that
    refused the last command, and no less ready: no other process of the doors would do better, but an operator should
    look.
    """
    await doors.store.ping()
    if not doors.store.partitions:
        raise Problem("store_away")
    found = await doors.surveyor.survey()
    takes_commands = doors.store.takes_commands
    return {
        "status": "ready" if takes_commands and not found.set_aside and not found.damaged else "degraded",
        "listening": doors.wakes.listening,
        "set_aside": found.set_aside,
        "takes_commands": takes_commands,
        "damaged": found.damaged,
    }
