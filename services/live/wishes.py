"""What a client says over a socket; each message begins with its verb."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, cast

from pydantic import BaseModel, Field

from events.games import GAMES
from services.api.bodies import Body, command_names, member_names, read_model
from services.api.doorkeeper import LONGEST_TOKEN
from services.api.problems import Problem, malformed
from services.api.strict_json import read_json
from services.live.access import BAD_TOKEN

LARGEST: Final = 69_632
"""Bytes of a message: a command of the size that the doors take, and what goes around it."""

Version = Annotated[int, Field(ge=0, lt=2**53)]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST_TOKEN)]


class Token(Body):
    """Says who speaks: the first message; later it takes the place of the token before."""

    token: Secret


class Follow(Body):
    """
    Asks for every step of a table behind a version, and for its views.

    Args:
        follow: the table.
        seat: from where to look; by default a seat's token looks from its seat, any other as a spectator.
        after: version behind which steps are wanted (``from``); by default those to come.
        seen: version of the newest view that the client holds; only a newer one is sent.
        views: false for steps alone.
        token: whose follow it is; by default the socket's.
    """

    follow: str
    seat: SeatNumber | None = None
    after: Version | None = Field(default=None, alias="from")
    seen: Version = 0
    views: bool = True
    token: Secret | None = None


class Unfollow(Body):
    """Ends the follows of a table; with a seat, that seat's alone."""

    unfollow: str
    seat: SeatNumber | None = None


class Send(Body):
    """
    Sends a seat's command.

    Args:
        send: the command, as the doors take it.
        id: of the command (a UUID); sent again with the same one it does nothing twice.
        expected_version: the version that the sender saw; a command that answers an older question is stale.
        token: in whose name; by default that of the follow of its table and seat, else the socket's.
    """

    send: dict[str, Any]
    table: str
    id: uuid.UUID
    expected_version: Version | None = None
    token: Secret | None = None


class Ping(Body):
    """Asks for a sign of life; the number comes back."""

    ping: Version


Wish = Token | Follow | Unfollow | Send | Ping
WISHES: Final[dict[str, type[BaseModel]]] = {
    "token": Token,
    "follow": Follow,
    "unfollow": Unfollow,
    "send": Send,
    "ping": Ping,
}
"""Each message by its verb; ``token`` stands in others, too, and is a verb only where there is no other."""

NAMES: Final = command_names(*GAMES).union(*map(member_names, WISHES.values()))
"""Members that messages and the commands in them have."""


PLACES: Final = {
    "unknown_table": ("follow", "table"),
    "not_your_seat": ("seat", "token"),
    "unknown_seat": ("seat",),
    **dict.fromkeys([*BAD_TOKEN, "rate_limited"], ("token",)),
}
"""Members in which the fault may lie of problems that know no place; it is the first of them that a message has."""


@contextmanager
def placing(wish: Wish) -> Iterator[None]:
    """Give a problem of the block the path to the member of a message where its fault lies, if it lies in one."""
    try:
        yield
    except Problem as problem:
        if problem.path is None:
            members = PLACES.get(problem.code, ())
            problem.path = next((f"$.{name}" for name in members if getattr(wish, name, None) is not None), None)
        raise


def read_wish(text: str) -> Wish:
    """Return what a message says; a problem with the path to the fault when it cannot be read."""
    body = text.encode("utf-8", "surrogatepass")
    value = read_json(body, NAMES)
    if not isinstance(value, dict):
        raise malformed("$", "not an object", "wrong_type")
    verb = next((verb for verb in reversed(WISHES) if verb in value), None)
    if verb is None:
        raise malformed("$", f"none of {', '.join(WISHES)}", "unknown_kind")
    return cast("Wish", read_model(WISHES[verb], body))


def read_first(text: str) -> Token:
    """Return a first message."""
    wish = read_wish(text)
    if not isinstance(wish, Token):
        raise Problem("no_token", path="$.token")
    return wish
