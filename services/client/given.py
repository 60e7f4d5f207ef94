"""
What a caller gives to the client: what could never be meant is refused before anything is sent.

By ``TypeError`` for a value of another type and ``ValueError`` for another value; neither repeats it, as it may be a
token in the wrong place. What is returned is a plain value of Python, which can be sent.
"""

from __future__ import annotations

import math
import operator
import uuid
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Final, SupportsIndex, TypeVar
from urllib.parse import quote

from events.codec import to_json
from events.messages import Command

T = TypeVar("T")

HALF: Final = "holds half a character (a lone surrogate), which cannot be sent"
MOST: Final = 2**63 - 1
"""The largest number that every part of the service can read."""
SALTS: Final = frozenset({0, 32})
"""How many bytes a salt may have."""


def require_text(given: object, *, called: str) -> str:
    """Return a text, which somebody else looks at more closely."""
    if not isinstance(given, str):
        raise TypeError(f"{called} is a text, not {type(given).__name__}")
    return given


def text_of(given: object, *, called: str) -> str:
    """Return a text that can be sent."""
    text = require_text(given, called=called)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{called} {HALF}") from None
    return text


def whole_of(given: object, *, called: str) -> int:
    """Return a whole number, 0 or more; a truth is none, though Python counts with them."""
    number = _index(given)
    if number is None:
        raise TypeError(f"{called} is a whole number, not {type(given).__name__}")
    if not 0 <= number <= MOST:
        raise ValueError(f"{called} is a whole number, 0 or more, of at most 63 bits")
    return number


def seat_of(given: object) -> int:
    """Return a seat's number."""
    return whole_of(given, called="a seat")


def truth_of(given: object, *, called: str) -> bool:
    """Return a yes or no."""
    if not isinstance(given, bool):
        raise TypeError(f"{called} is True or False, not {type(given).__name__}")
    return given


def perhaps(check: Callable[..., T], given: object, *, called: str) -> T | None:
    """Return what may be left out, checked where it is not."""
    return None if given is None else check(given, called=called)


def id_of(given: object) -> uuid.UUID:
    """Return the id of a command, which may come as a text."""
    if isinstance(given, str):
        try:
            return uuid.UUID(given)
        except ValueError:
            raise ValueError("the id of a command is a UUID") from None
    if not isinstance(given, uuid.UUID):
        raise TypeError(f"the id of a command is a UUID, not {type(given).__name__}")
    return given


def id_or_new(given: object) -> uuid.UUID:
    """Return the id that was given to a command, or one that is new."""
    return uuid.uuid4() if given is None else id_of(given)


def salt_of(given: object) -> str:
    """Return a salt as it is sent."""
    if not isinstance(given, bytes):
        raise TypeError(f"a salt is bytes, not {type(given).__name__}")
    if len(given) not in SALTS:
        raise ValueError("a salt has 32 bytes, or none")
    return given.hex()


def command_of(given: object) -> Command | dict[str, Any]:
    """Return a command, which is one of a game's messages or what ``legal`` lists."""
    if isinstance(given, Command):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"a command is a message of a game or a mapping, not {type(given).__name__}")
    command = {text_of(name, called="a field of a command"): value for name, value in given.items()}
    if "kind" not in command:
        raise ValueError("a command has a kind")
    text_of(command["kind"], called="the kind of a command")
    return command


def options_of(given: object) -> dict[str, bool | int | str]:
    """Return the options of a game."""
    return {text_of(name, called="the name of an option"): _option(value) for name, value in _pairs(given, "options")}


def bots_of(given: object) -> list[dict[str, int | str]]:
    """Return which seats bots take, as it is sent."""
    return [
        {"seat": whole_of(seat, called="the seat of a bot"), "bot": text_of(bot, called="the name of a bot")}
        for seat, bot in _pairs(given, "bots")
    ]


def patience_of(given: object) -> float:
    """Return how many seconds somebody is patient for: 0 or more, for ever among them."""
    seconds = _seconds(given, called="patience_s")
    if not seconds >= 0:
        raise ValueError("patience_s is a number of seconds, 0 or more")
    return seconds


def timeout_of(given: object) -> float:
    """Return how many seconds one request may take: more than none, and not for ever."""
    seconds = _seconds(given, called="timeout_s")
    if not 0 < seconds < math.inf:
        raise ValueError("timeout_s is a number of seconds above 0, and not for ever")
    return seconds


def path_of_table(table: str) -> str:
    """Return the address of a table; a name leads to no other."""
    name = text_of(table, called="a table's name")
    if name in {"", ".", ".."} or "/" in name:
        raise ValueError("a table's name is one part of an address: neither empty, nor with a slash")
    return f"/v1/tables/{quote(name, safe='')}"


def path_of_seat(table: str, seat: SupportsIndex) -> str:
    """Return the address of a seat."""
    return f"{path_of_table(table)}/seats/{seat_of(seat)}"


def path_of_command(table: str, command_id: uuid.UUID | str) -> str:
    """Return the address of what became of a command."""
    return f"{path_of_table(table)}/commands/{id_of(command_id)}"


def json_body(value: object) -> bytes:
    """Return a value as a request's body."""
    try:
        return to_json(value)
    except UnicodeEncodeError:
        raise ValueError(f"a text {HALF}") from None
    except RecursionError:
        raise ValueError("what is nested without an end cannot be sent") from None


def named(**params: str | int | None) -> dict[str, str]:
    """Return the query parameters that have a value."""
    return {name: str(value) for name, value in params.items() if value is not None}


def _pairs(given: object, called: str) -> list[tuple[object, object]]:
    if not isinstance(given, Mapping):
        raise TypeError(f"{called} are a mapping, not {type(given).__name__}")
    return list(given.items())


def _option(given: object) -> bool | int | str:
    if isinstance(given, bool):
        return given
    if isinstance(given, str):
        return text_of(given, called="an option")
    number = _index(given)
    if number is None:
        raise TypeError(f"an option is True or False, a whole number or a text, not {type(given).__name__}")
    return number


def _index(given: object) -> int | None:
    """Return a whole number of any library as one of Python's; ``None`` for anything else, and for a truth."""
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        return None
    try:
        return operator.index(given)
    except TypeError:
        return None


def _seconds(given: object, *, called: str) -> float:
    if isinstance(given, bool) or not isinstance(given, Real):
        raise TypeError(f"{called} is a number of seconds, not {type(given).__name__}")
    try:
        return float(given)
    except OverflowError:
        raise ValueError(f"{called} is a number of seconds, and that is beyond all bounds") from None
