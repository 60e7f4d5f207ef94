"""The description of the doors: what FastAPI knows, and every command of every game."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from events.codec import to_json
from services.api.shapes import (
    COMMAND,
    REF,
    Schemas,
    all_command_schemas,
    answer_schemas,
    joined,
    step_schemas,
    view_schemas,
)
from services.documented import in_words

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


_bodies: Final[dict[str, type[BaseModel]]] = {}
"""Every body that a door reads, by the name of its shape."""


def takes(model: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    """Return the part of a description that says which body is read."""
    _bodies[model.__name__] = model
    schema = {"$ref": REF + model.__name__}
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}


def _body_schemas() -> Schemas:
    """Return the schemas of all bodies, and of their parts."""
    found: Schemas = {}
    for name, model in _bodies.items():
        schema = model.model_json_schema(ref_template=REF + "{model}")
        found = joined(found, schema.pop("$defs", {}), {name: schema})
    return found


def answers(name: str) -> dict[int | str, dict[str, Any]]:
    """Return the part of a description that says of which shape a good answer is."""
    return {200: {"description": "As asked", "content": {"application/json": {"schema": {"$ref": REF + name}}}}}


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
    schema: dict[str, Any] = in_words(
        get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    )
    components = schema.setdefault("components", {})
    components["securitySchemes"] = SECURITY
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = PROBLEM
    components["schemas"] = joined(
        schemas, in_words(_body_schemas()), all_command_schemas(), step_schemas(), view_schemas(), answer_schemas()
    )
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
