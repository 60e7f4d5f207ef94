"""Words of a table's life."""

from __future__ import annotations

from typing import NewType

import msgspec

from events.messages import Seat

Player = NewType("Player", str)
"""A platform's own opaque id of a person; never a name."""

OptionValue = bool | int | str
"""What a table option may be set to."""

BOT_PREFIX = "bot:"
"""Players of this prefix are bots of the service: ``bot:greedy``."""


class Actor(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """
    Who sent a command, as the door that took it in has proved.

    Args:
        role: ``platform``, ``seat``, ``bots`` (the service's own bots), ``arbiter``, ``invited`` (holds an
            invitation to the table) or ``guest`` (plays on this machine without a platform of its own).
        platform: the platform that the token belongs to.
        seat: the seat it plays for; roles ``seat`` and ``bots`` name one with every move.
    """

    role: str
    platform: str
    seat: Seat | None = None
