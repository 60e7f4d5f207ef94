"""Paths to what is wrong in a message: they name members that our own shapes have, never what a sender made up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

UNKNOWN: Final = "[...]"
"""Stands in a path for a member that none of our shapes has: its name may be anything, a key that was pasted there."""

Names = Collection[str]
"""Members that the shape of a message has, at any depth; those alone are named in a path into it."""


def names_in(schema: Any) -> frozenset[str]:  # noqa: ANN401  a JSON value
    """Return the members that a JSON schema names, at any depth."""
    return frozenset(_names_in(schema))


def _names_in(schema: Any) -> Iterator[str]:  # noqa: ANN401  a JSON value
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties
        schema = list(schema.values())
    if isinstance(schema, list):
        for each in schema:
            yield from _names_in(each)


def below(path: str, key: str, known: Names) -> str:
    """Return the path to a member of what a path leads to."""
    return f"{path}.{key}" if key in known else path + UNKNOWN


def path_of(places: Sequence[str | int], known: Names) -> str:
    """Return the path through places as pydantic names them, up to the first that is none of a shape's members."""
    path = "$"
    for place in places:
        if isinstance(place, str) and place not in known:
            break
        path += f"[{place}]" if isinstance(place, int) else f".{place}"
    return path
