"""Lifts stored event bodies of old schema versions to today's, one version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
Upcasters: TypeAlias = Mapping[tuple[str, int], Callable[[Body], Body]]
"""From (kind, schema version) to the function that makes the body of the next version."""


class UnknownKindError(Exception):
    """An event was written by a newer program: read it with that program, never guess what it meant."""

    def __init__(self, kind: str, schema: int) -> None:
        super().__init__(f"event {kind!r} of schema version {schema} is not known here")
        self.kind = kind
        self.schema = schema


def upcast(body: Body, *, kind: str, schema: int, current: int, upcasters: Upcasters) -> Body:
    """
    Return the body as schema version ``current`` would have stored it.

    Raises ``UnknownKindError`` when the body is newer than this program, or a step between is missing.
    """
    if schema > current:
        raise UnknownKindError(kind, schema)
    for version in range(schema, current):
        step = upcasters.get((kind, version))
        if step is None:
            raise UnknownKindError(kind, version)
        body = step(body)
    return body
