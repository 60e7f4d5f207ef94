"""The description of the doors: what FastAPI knows, and every command of every game."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from events.codec import to_json
from services.api.shapes import COMMAND, REF, all_command_schemas, answer_schemas, joined, step_schemas, view_schemas

PATH: Final = "/openapi.json"
SECURITY: Final = {"token": {"type": "http", "scheme": "bearer"}}

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


def answers(name: str) -> dict[int | str, dict[str, Any]]:
    """Return the part of a description that says of which shape a good answer is."""
    return {200: {"description": "As asked", "content": {"application/json": {"schema": {"$ref": REF + name}}}}}


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
        "content": {kind: {"schema": {"$ref": REF + COMMAND}} for kind in ("application/json", "application/msgpack")},
    }
}


def install(app: FastAPI) -> None:
    """Let the application describe itself with all shapes of all games, as soon as somebody asks."""

    @cache
    def of_all() -> dict[str, Any]:
        return _describe(app)

    @cache
    def written() -> bytes:
        return to_json(of_all())

    def openapi() -> Response:
        """Return the description, away from the event loop: the first time it takes a while."""
        return Response(written(), media_type="application/json")

    # FastAPI's own way to extend its description
    app.openapi = of_all  # type: ignore[method-assign]
    app.get(PATH, include_in_schema=False)(openapi)


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
    components["schemas"] = joined(schemas, all_command_schemas(), step_schemas(), view_schemas(), answer_schemas())
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
