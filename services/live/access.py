"""Who speaks over a socket, and from where they look: asked again and again, at little cost."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from events.games import game_of
from services.api.doorkeeper import TABLE_NAME, Caller, Doorkeeper, Look
from services.api.problems import STATUS, Problem

BAD_TOKEN: Final = {code for code, status in STATUS.items() if status == HTTPStatus.UNAUTHORIZED} - {"no_token"}
"""What is wrong with a token that was shown."""

FRESH_S: Final = 1.0
"""How long what a token proves is remembered."""

BELIEVED_S: Final = 1.0
"""How long ago the store may have been asked for that: with the pause between two checks it makes 5 seconds."""

KEPT: Final = 10_000
"""Tokens that are remembered."""


class Access:
    """
    Asks the doorkeeper, and remembers for a moment what each token proves.

    Args:
        fresh_s: how long that is believed.
        clock: seconds, as the event loop counts them.
    """

    def __init__(self, keeper: Doorkeeper, *, fresh_s: float, clock: Callable[[], float]) -> None:
        self._keeper = keeper
        self._fresh_s = fresh_s
        self._clock = clock
        self._callers: OrderedDict[str, tuple[float, Caller]] = OrderedDict()

    def __len__(self) -> int:
        """Return how many tokens are remembered."""
        return len(self._callers)

    def knows(self, token: str) -> bool:
        """Whether a token is one that was good a moment ago."""
        known = self._callers.get(token)
        return known is not None and known[0] > self._clock()

    async def caller(self, token: str) -> Caller:
        """Return who a token proves its holder to be; a problem when it proves nothing."""
        known = self._callers.get(token)
        if known is not None and known[0] > self._clock():
            return known[1]
        self._callers.pop(token, None)
        caller = await self._keeper.holder(token, believed_s=BELIEVED_S)
        self._callers[token] = (self._clock() + self._fresh_s, caller)
        self._callers.move_to_end(token)
        while len(self._callers) > KEPT:
            self._callers.popitem(last=False)
        return caller

    def let_go(self) -> None:
        """Forget what is no longer believed."""
        now = self._clock()
        while self._callers and next(iter(self._callers.values()))[0] <= now:
            self._callers.popitem(last=False)

    async def look(self, token: str, table: str, seat: int | None) -> Look:
        """Return from where a token's holder sees a table; ``seat`` is what was asked for."""
        require_table(table)
        return await self._keeper.look(await self.caller(token), table, seat)


def require_table(table: str) -> None:
    """Raise a problem for a name that no table can have."""
    if not TABLE_NAME.fullmatch(table) or game_of(table) is None:
        raise Problem("unknown_table")


def require_its_table(caller: Caller, table: str, *, path: str) -> None:
    """Raise a problem for a table that a caller's token is not for; ``path`` leads to where the message names it."""
    require_table(table)
    if not caller.may_be_at(table):
        raise Problem("not_your_seat", path=path)


def named(table: str) -> str:
    """Return a table's name as it may be repeated; what no table is called may be a token in the wrong place."""
    return table if TABLE_NAME.fullmatch(table) else ""
