"""Reads a request's query as strictly as a body: nothing that the address does not take, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fastapi import Request
from fastapi.dependencies.models import Dependant
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from services.api.problems import malformed
from services.api.strict_json import BROKEN


def _require_word(text: str) -> str:
    if text not in ("true", "false"):
        raise PydanticCustomError("bool_parsing", "`true` or `false`, as JSON writes it")
    return text


TRUE_OR_FALSE: Final = BeforeValidator(_require_word)
"""Behind what a parameter that says yes or no is: the two words of JSON, and no other spelling of them."""


async def strict_query(request: Request) -> None:
    """
    Raise a problem for a parameter that the address does not take, or that stands there twice.

    As in bodies, a name that nobody knows is not repeated: the path leads to the whole query.
    """
    names = [name for name, _ in request.query_params.multi_items()]
    if names and not set(_named(request.scope["route"].dependant)).issuperset(names):
        raise malformed("query", "a parameter that is not there", "unknown_field")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise malformed(f"query.{twice}", "the same parameter twice", "duplicate_key", status=BROKEN)


def _named(dependant: Dependant) -> Iterator[str]:
    """Give the names of all that a route, and what it depends on, reads from the query."""
    yield from (each.alias for each in dependant.query_params)
    for each in dependant.dependencies:
        yield from _named(each)
