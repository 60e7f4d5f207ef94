"""What a request says of itself: who asks, and at which table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Path, Query, Request
from fastapi.dependencies.models import Dependant

from events.games import game_of
from services.api.credentials import VISITOR, Caller
from services.api.doorkeeper import ARBITER, GUEST, INVITED, PLATFORM, PLAYS, SEAT, TABLE_NAME, Doorkeeper
from services.api.headers import the_one
from services.api.numbers import AS_IN_JSON
from services.api.problems import Problem


async def _table(table: Annotated[str, Path(json_schema_extra={"maxLength": 64})]) -> str:
    if not TABLE_NAME.fullmatch(table) or game_of(table) is None:
        raise Problem("unknown_table")
    return table


async def _caller(request: Request) -> Caller:
    keeper: Doorkeeper = request.app.state.doors.keeper
    caller = await keeper.caller(the_one(request, "Authorization"))
    request.state.caller = caller
    return caller


async def _anybody(request: Request) -> Caller:
    return VISITOR if "authorization" not in request.headers else await _caller(request)


class Who(NamedTuple):
    """
    Who may ask at a door.

    Args:
        roles: that their tokens must have; none for any.
        visitors: whether those without a token may, too.
    """

    roles: Sequence[str] = ()
    visitors: bool = False

    @property
    def may_be_of_one_table(self) -> bool:
        """Whether some of them may have a token that is for one table alone."""
        return not self.roles or not {SEAT, INVITED}.isdisjoint(self.roles)


_readers: Final[dict[object, Who]] = {_caller: Who(), _anybody: Who(visitors=True)}
"""Everything that finds out who asks."""


def who_may(dependant: Dependant) -> Who | None:
    """Return who may ask at a door that depends on this; ``None`` where nobody is asked who they are."""
    found = [_readers[each.call] for each in dependant.dependencies if each.call in _readers]
    return found[0] if found else None


def _of_roles(*roles: str) -> Callable[[Request], Awaitable[Caller]]:
    """Return a reader of callers that have one of some roles; the first is the one that others are told of."""

    async def read(request: Request) -> Caller:
        caller = await _caller(request)
        if caller.role not in roles:
            raise Problem("not_allowed", details={"role": roles[0]})
        return caller

    _readers[read] = Who(roles)
    return read


Table = Annotated[str, Depends(_table)]
Anybody = Annotated[Caller, Depends(_anybody)]
"""Whoever asks, with a token or without."""

Anyone = Annotated[Caller, Depends(_caller)]
"""Whoever has a key or a token."""

Platform = Annotated[Caller, Depends(_of_roles(PLATFORM))]
Host = Annotated[Caller, Depends(_of_roles(PLATFORM, GUEST))]
Joining = Annotated[Caller, Depends(_of_roles(PLATFORM, GUEST, INVITED))]
Playing = Annotated[Caller, Depends(_of_roles(*PLAYS))]
Ending = Annotated[Caller, Depends(_of_roles(PLATFORM, ARBITER, GUEST))]
AskedSeat = Annotated[int | None, Query(alias="seat", ge=0, le=63), AS_IN_JSON]
