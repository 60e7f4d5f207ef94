"""How a table was opened: whose it is, and who may know of it. Nothing of that ever changes."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET

from events.codec import MalformedError, Unpacker
from events.commit import Received
from events.tables.commands import LeaveSeat, OpenTable
from projections.tables.behind import PARTS


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the first command of a table said.

    Args:
        private: whether only those know of it who were let in.
        is_rematch: whether the same seats played at another table before.
        secret_until: milliseconds since 1970 until which it is as a private one: that there is a rematch tells that
            the table before is over, which its spectators may not know yet.
    """

    platform: str
    private: bool
    is_rematch: bool
    spectator_delay: int
    secret_until: int

    def is_hidden(self, now_ms: int) -> bool:
        """Whether those who see public tables alone may not know of it now."""
        return self.private or now_ms < self.secret_until


_read: Final = Unpacker[OpenTable](OpenTable)
_read_leave: Final = Unpacker[LeaveSeat](LeaveSeat)


def opening(command: Received) -> Opening:
    """Return what a command says that opened a table."""
    opened = _read(command.body)
    delay = 0 if opened.spectator_delay is UNSET else opened.spectator_delay
    return Opening(
        platform=command.actor.platform,
        private=opened.private is True,
        is_rematch=bool(opened.parent),
        spectator_delay=delay,
        secret_until=secret_until(command.at, delay) if opened.parent else 0,
    )


def is_leave(command: Received) -> bool:
    """Whether a command is to free a seat."""
    try:
        _read_leave(command.body)
    except MalformedError:
        return False
    return True


def secret_until(opened_at: int, delay: int) -> int:
    """Return until when nobody may know of a rematch who sees what its players did before only so much later."""
    return opened_at + (delay + delay // PARTS + 1) * 1000 if delay else 0
