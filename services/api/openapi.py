"""The description of the doors: what FastAPI knows, and every command of every game."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from events.games import GAMES, commands_module
from events.messages import Command, SeatCommand, members
from events.tables.commands import TableCommand, TakeSeat
from services.documented import in_words

REF: Final = "#/components/schemas/"
SECURITY: Final = {"token": {"type": "http", "scheme": "bearer"}}
ALL_COMMANDS: Final = "Command"

PUBLIC: Final = (("/v1/games", "get"), ("/v1/guests", "post"))
"""What nobody needs a token for."""

OPEN: Final = (("/v1/tables", "get"), ("/v1/tables/{table}/view", "get"), ("/v1/tables/{table}/history", "get"))
"""What anybody may ask, and is told more with a token."""

READY: Final = "/readyz"
"""What answers with a problem while the store cannot be used."""

PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A problem document (RFC 9457): `code` is stable, `path` leads to the fault.",
    "required": ["type", "title", "status", "code", "details"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "details": {"type": "object"},
        "path": {"type": "string"},
    },
}


def takes(model: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    """Return the part of a description that says which body is read."""
    schema = model.model_json_schema()
    parts = {f"#/$defs/{name}": part for name, part in schema.pop("$defs", {}).items()}
    schema = _filled_in(schema, parts)
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}


def described(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of a flat value that the rooms behind the doors define."""
    return dict(msgspec.json.schema(kind)["$defs"][kind.__name__])


def _filled_in(value: Any, parts: dict[str, Any]) -> Any:  # noqa: ANN401  a JSON value
    """Return a schema with its parts in the places that refer to them."""
    if isinstance(value, dict):
        named = parts.get(str(value.get("$ref")))
        return named or {key: _filled_in(each, parts) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled_in(each, parts) for each in value]
    return value


COMMANDS_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"$ref": REF + ALL_COMMANDS}} for kind in ("application/json", "application/msgpack")
        },
    }
}


@cache
def command_schemas(game: str) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each command a seat of the game may send, by its kind; and what they refer to."""
    _, components = msgspec.json.schema_components(_seat_commands(game), ref_template=f"{REF}{game}.{{name}}")
    return {f"{game}.{name}": in_words(schema) for name, schema in components.items()}


def commands_of(game: str) -> dict[str, str]:
    """Return the reference to the schema of each command of a game, by its kind."""
    return {str(each.__struct_config__.tag): f"{REF}{game}.{each.__name__}" for each in _seat_commands(game)}


def _seat_commands(game: str) -> tuple[type[Command], ...]:
    """Return every command a seat may send: the game's, and those of table life that are a seat's own."""
    life = (each for each in members(TableCommand) if issubclass(each, SeatCommand) and each is not TakeSeat)
    return (*members(commands_module(game).COMMANDS), *life)


def install(app: FastAPI) -> None:
    """Let the application describe itself with all commands and problems."""

    def of_all() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _describe(app)
        return app.openapi_schema

    # FastAPI's own way to extend its description
    app.openapi = of_all  # type: ignore[method-assign]


def _security(path: str, method: str) -> list[dict[str, list[str]]]:
    if (path, method) in PUBLIC:
        return []
    return [{}, {"token": []}] if (path, method) in OPEN else [{"token": []}]


def _describe(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    components = schema.setdefault("components", {})
    components["securitySchemes"] = SECURITY
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = PROBLEM
    for game in GAMES:
        schemas.update(command_schemas(game))
        schemas[f"{game}.{ALL_COMMANDS}"] = {
            "oneOf": [{"$ref": ref} for ref in commands_of(game).values()],
            "discriminator": {"propertyName": "kind", "mapping": commands_of(game)},
        }
    schemas[ALL_COMMANDS] = {"anyOf": [{"$ref": f"{REF}{game}.{ALL_COMMANDS}"} for game in GAMES]}
    problem = {
        "description": "No, and why",
        "content": {"application/problem+json": {"schema": {"$ref": REF + "Problem"}}},
    }
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            operation["responses"].pop("422", None)
            if path.startswith("/v1"):
                operation["responses"]["default"] = problem
                operation["security"] = _security(path, method)
    schema["paths"][READY]["get"]["responses"]["503"] = problem
    return schema
