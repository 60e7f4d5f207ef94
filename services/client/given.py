"""
What a caller gives to the client: what could never be meant is refused before anything is sent.

By ``TypeError`` for a value of another type and ``ValueError`` for another value; neither repeats it, as it may be a
token in the wrong place.
"""

from __future__ import annotations

import operator
import uuid
from collections.abc import Mapping
from typing import Final, SupportsIndex, TypeVar
from urllib.parse import quote

from events.codec import to_json

K = TypeVar("K")
V = TypeVar("V")

HALF: Final = "holds half a character (a lone surrogate), which cannot be sent"


def text_of(given: object, *, called: str) -> str:
    """Return a text that can be sent."""
    if not isinstance(given, str):
        raise TypeError(f"{called} is a text, not {type(given).__name__}")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{called} {HALF}") from None
    return given


def path_of_table(table: str) -> str:
    """Return the address of a table; a name leads to no other."""
    name = text_of(table, called="a table's name")
    if name in {"", ".", ".."} or "/" in name:
        raise ValueError("a table's name is one part of an address, without a slash")
    return f"/v1/tables/{quote(name, safe='')}"


def path_of_seat(table: str, seat: SupportsIndex) -> str:
    """Return the address of a seat."""
    try:
        return f"{path_of_table(table)}/seats/{operator.index(seat)}"
    except TypeError:
        raise TypeError(f"a seat is a whole number, not {type(seat).__name__}") from None


def path_of_command(table: str, command_id: uuid.UUID | str) -> str:
    """Return the address of what became of a command."""
    if isinstance(command_id, str):
        try:
            command_id = uuid.UUID(command_id)
        except ValueError:
            raise ValueError("the id of a command is a UUID") from None
    if not isinstance(command_id, uuid.UUID):
        raise TypeError(f"the id of a command is a UUID, not {type(command_id).__name__}")
    return f"{path_of_table(table)}/commands/{command_id}"


def mapping_of(given: Mapping[K, V], *, called: str) -> Mapping[K, V]:
    """Return what has names and values."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{called} are a mapping, not {type(given).__name__}")
    return given


def json_body(value: object) -> bytes:
    """Return a value as a request's body."""
    try:
        return to_json(value)
    except UnicodeEncodeError:
        raise ValueError(f"a text {HALF}") from None


def named(**params: object) -> dict[str, str]:
    """Return the query parameters that have a value."""
    return {name: text_of(str(value), called=name) for name, value in params.items() if value is not None}
