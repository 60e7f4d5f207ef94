"""Reads what comes with a request: bodies, the key that makes sending twice harmless, the version last seen."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Final, TypeVar

import msgspec
from fastapi import Depends, Header, Query, Request
from pydantic import BaseModel, ConfigDict, ValidationError

from events.codec import MalformedError, command_from_json, command_unpacker
from events.games import commands_module
from events.messages import Command, members
from events.tables.commands import COMMANDS
from services.api.caching import VERSION, version_in
from services.api.headers import the_one
from services.api.numbers import AS_IN_JSON
from services.api.paths import names_in, path_of
from services.api.problems import Problem, malformed, unfit
from services.api.strict_json import read_json
from services.api.strict_msgpack import require_strict

LIMIT: Final = 65_536
"""Bytes a body may have."""

DRAINED: Final = 8 * 1_048_576
"""Bytes of a body too large that are read and thrown away, so that its sender hears the answer."""

BOT: Final = r"^[a-z][a-z0-9_-]*$"
"""What a kind of bot may be called."""

JSON: Final = "application/json"
MSGPACK: Final = ("application/msgpack", "application/x-msgpack", "application/vnd.msgpack")

Model = TypeVar("Model", bound=BaseModel)


class Body(BaseModel):
    """The base of everything a person may type: nothing extra, nothing converted in silence."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


async def read_body(request: Request) -> bytes:
    """Return the whole body; one that is announced to be too large is not waited for, and no such one is kept."""
    if int(request.headers.get("content-length", 0)) > LIMIT:  # the parser has looked that it is a number
        raise Problem("too_large", details={"limit": LIMIT})
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= LIMIT:
            chunks.append(chunk)
        elif size > DRAINED:
            break
    if size > LIMIT:
        raise Problem("too_large", details={"limit": LIMIT})
    return b"".join(chunks)


def typed(model: type[Model]) -> Callable[[Request], Awaitable[Model]]:
    """Return a reader of JSON bodies of one shape."""

    async def read(request: Request) -> Model:
        return _typed(model, request, await read_body(request))

    return read


def typed_or_nothing(model: type[Model]) -> Callable[[Request], Awaitable[Model]]:
    """As ``typed``; no body at all stands for an object without members."""

    async def read(request: Request) -> Model:
        body = await read_body(request)
        return _typed(model, request, body) if body else model()

    return read


def _typed(model: type[Model], request: Request, body: bytes) -> Model:
    _require_type(request, JSON)
    read_json(body, member_names(model))
    return read_model(model, body)


@cache
def member_names(model: type[BaseModel]) -> frozenset[str]:
    """Return the members of a shape, at any depth."""
    return names_in(model.model_json_schema())


@cache
def command_names(*games: str) -> frozenset[str]:
    """Return the members that commands of games have, at any depth; those of table life among them."""
    kinds = [kind for game in games for kind in members(commands_module(game).COMMANDS)]
    return names_in(msgspec.json.schema_components([*members(COMMANDS), *kinds])[1])


def read_model(model: type[Model], body: bytes) -> Model:
    """
    Return what a body says that is strict JSON; a problem when it has another shape.

    The path to a member that is too many leads to the object that holds it, as it does for commands.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as fault:
        first = fault.errors(include_input=False, include_url=False, include_context=False)[0]
        places = first["loc"][:-1] if first["type"] == "extra_forbidden" else first["loc"]
        raise unfit(path_of(places, member_names(model)), first) from None


async def read_command(request: Request, game: str) -> Command:
    """Return the command of a game in a request's body, JSON or MessagePack."""
    body = await read_body(request)
    kind = _require_type(request, JSON, *MSGPACK)
    try:
        if kind == JSON:
            read_json(body, command_names(game))
            return command_from_json(game, body)
        require_strict(body)
        return command_unpacker(game)(body)
    except MalformedError as fault:
        raise malformed(fault.path, fault.problem, fault.reason) from None


def _require_type(request: Request, *allowed: str) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in allowed:
        raise Problem("unsupported_media_type", path="header.Content-Type", details={"allowed": list(allowed)})
    return kind


async def _command_id(
    request: Request,
    idempotency_key: Annotated[str | None, Header(json_schema_extra={"format": "uuid"})] = None,
) -> uuid.UUID:
    the_one(request, "Idempotency-Key")
    if idempotency_key is None:
        return uuid.uuid4()
    try:
        return uuid.UUID(idempotency_key.strip().strip('"'))
    except ValueError:
        raise malformed("header.Idempotency-Key", "not a UUID", "invalid_value", status=400) from None


async def _expected_version(
    request: Request,
    if_match: Annotated[str | None, Header(json_schema_extra={"pattern": f"^([*]|{VERSION})$"})] = None,
    expected_version: Annotated[int | None, Query(ge=0, lt=2**53), AS_IN_JSON] = None,
) -> int | None:
    the_one(request, "If-Match")
    if if_match is None or if_match.strip() == "*":
        return expected_version
    version = version_in(if_match)
    if version is None:
        raise malformed("header.If-Match", "not a version", "invalid_value", status=400)
    if expected_version not in (None, version):
        raise malformed("header.If-Match", "another version than expected_version", "invalid_value", status=400)
    return version


CommandId = Annotated[uuid.UUID, Depends(_command_id)]
SENT_AGAIN: Final = (Depends(_command_id),)
"""Of what stores nothing, and so may be sent again by itself: the key has to be one all the same."""

ExpectedVersion = Annotated[int | None, Depends(_expected_version)]
