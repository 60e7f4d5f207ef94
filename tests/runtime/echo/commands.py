"""What may be wished for in the game of echoes."""

from __future__ import annotations

from events.messages import SeatCommand


class Echo(SeatCommand, frozen=True, kw_only=True):
    """Say something."""

    text: str = ""


class Balk(SeatCommand, frozen=True, kw_only=True):
    """Be refused."""


class Crash(SeatCommand, frozen=True, kw_only=True):
    """Raise what no rules may raise."""


class Kill(SeatCommand, frozen=True, kw_only=True):
    """End the process that decides this."""


class Ponder(SeatCommand, frozen=True, kw_only=True):
    """Think for so many seconds."""

    seconds: float


class Finish(SeatCommand, frozen=True, kw_only=True):
    """End the game."""


COMMANDS = Echo | Balk | Crash | Kill | Ponder | Finish
