"""What the service says over a socket; each message has a ``kind``."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from events.codec import to_json
from events.messages import kind_of
from services.api.story import Told


class News(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=kind_of):
    """
    The base of all messages.

    Args:
        now: the server's clock when the message was made, in milliseconds since 1970.
    """

    now: int


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a socket may do.

    Args:
        follows: how many follows a socket may have.
        messages_per_s: how many messages of a sender are read in a second; more have to wait.
        commands_at_once: how many commands may be on their way; more have to wait.
        message_bytes: size of a message, above which the socket is closed.
        command_bytes: size of a command.
    """

    follows: int
    messages_per_s: int
    commands_at_once: int
    message_bytes: int
    command_bytes: int


class Welcome(News, frozen=True, kw_only=True):
    """
    Answers a token.

    Args:
        re: number of the message that is answered, counted from 1 on each socket.
        ping_s: how often the server pings; whoever does not answer in as many seconds is gone.
    """

    re: int
    role: str
    ping_s: float
    limits: Limits


class Following(News, frozen=True, kw_only=True):
    """
    Answers a follow; what follows is behind ``after``.

    Args:
        seat: from where the table is seen, ``null`` for a spectator.
        after: version behind which steps are sent.
        version: the newest version there is to see.
    """

    re: int
    table: str
    seat: int | None
    after: int
    version: int


class Steps(News, frozen=True, kw_only=True):
    """
    What was told of some commits that follow each other.

    Args:
        chapters: as ``GET /v1/tables/{table}/history`` gives them.
        last: version after the last; ``from`` of a follow that goes on behind it.
    """

    table: str
    seat: int | None
    last: int
    chapters: list[Told]


class View(News, frozen=True, kw_only=True):
    """
    The table as a viewpoint sees it; its steps up to this version were sent before.

    Args:
        view: as ``GET /v1/tables/{table}/view`` gives it.
    """

    table: str
    seat: int | None
    version: int
    view: msgspec.Raw


class Unfollowed(News, frozen=True, kw_only=True):
    """
    A follow has ended: nothing more comes of it.

    Args:
        re: number of the message that asked for it, when one did.
        code: why, when nobody asked for it.
    """

    table: str
    seat: int | None
    re: int | None = None
    code: str | None = None
    details: Mapping[str, Any] = {}


class Accepted(News, frozen=True, kw_only=True):
    """A command was accepted: versions of its table after the first and the last event it caused."""

    re: int
    id: str
    table: str
    first: int
    last: int


class Refused(News, frozen=True, kw_only=True):
    """A command was refused, by the rules or before; codes, details and path as over HTTP."""

    re: int
    id: str
    table: str
    code: str
    details: Mapping[str, Any]
    path: str | None = None


class Pending(News, frozen=True, kw_only=True):
    """No answer to a command came in time: send it again with the same id; nothing happens twice."""

    re: int
    id: str
    table: str


class Failed(News, frozen=True, kw_only=True):
    """A message did nothing; codes, details and path as over HTTP."""

    re: int
    code: str
    details: Mapping[str, Any]
    path: str | None = None


class Pong(News, frozen=True, kw_only=True):
    """Answers a ping with its number."""

    re: int
    ping: int


ALL: Final = (Welcome, Following, Steps, View, Unfollowed, Accepted, Refused, Pending, Failed, Pong)
"""Every message there is."""


ANSWERS: Final[Mapping[str, tuple[type[News], ...]]] = {
    "token": (Welcome, Failed),
    "follow": (Following, Failed),
    "unfollow": (Unfollowed, Failed),
    "send": (Accepted, Refused, Pending, Failed),
    "ping": (Pong, Failed),
}
"""What a client's message may be answered with, by its verb."""

UNASKED: Final = (Steps, View, Unfollowed)
"""What a client hears of what it follows, without asking each time."""


def now_ms() -> int:
    """Return the server's clock."""
    return time.time_ns() // 1_000_000


def written(news: News) -> str:
    """Return a message as it is sent."""
    return to_json(news).decode()
