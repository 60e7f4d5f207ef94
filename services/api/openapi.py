"""The description of the doors: what FastAPI knows, and every command of every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel

from events.codec import to_json
from services.api.asking import Who, who_may
from services.api.refusals import (
    ALWAYS,
    EVERYWHERE,
    PROBLEM,
    REFUSES,
    RULES,
    WITH_BODY,
    WITH_SEAT,
    WITH_STORE,
    WITH_TABLE,
    WITH_TOKEN,
    refusals,
)
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

NO_STORE: Final = "/v1/games"
"""What is told from the program alone."""

READY: Final = "/readyz"
"""What answers with a problem while the store cannot be used."""

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


def answers(name: str, headers: Mapping[str, Any]) -> dict[int | str, dict[str, Any]]:
    """Return the part of a description that says of which shape a good answer is, and with which headers it comes."""
    shown = {"application/json": {"schema": {"$ref": REF + name}}}
    return {200: {"description": "As asked", "headers": dict(headers), "content": shown}}


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


def operation_id(route: APIRoute) -> str:
    """Return what a door is called in the description: as its function, for ever."""
    return route.name


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
    for route in iter_route_contexts(app.routes):
        methods = schema["paths"].get(route.path_format, {})
        for method in (route.methods or set()) & {each.upper() for each in methods}:
            _complete(methods[method.lower()], str(route.path_format), who_may(route.dependant))
    return schema


def _complete(operation: dict[str, Any], path: str, who: Who | None) -> None:
    """Add who may ask, what is read as it really comes, and all that may be answered."""
    own = operation.pop(REFUSES, [])
    for parameter in operation.get("parameters", ()):
        parameter["schema"] = _given(parameter["schema"])
    answers = operation["responses"]
    answers.pop("422", None)
    codes = [*own, *(WITH_STORE if path == READY else ())]
    if path.startswith("/v1"):
        operation["security"] = _security(who)
        codes += _common(operation, path, who)
    answers |= refusals(codes)
    for answer in answers.values():
        answer["headers"] = {**answer.get("headers", {}), **ALWAYS}


def _given(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter that is there; what is not there is null to the program alone."""
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    rest = {name: each for name, each in schema.items() if name not in ("anyOf", "title")}
    return {**rest, **kinds[0]} if len(kinds) == 1 else rest


def _security(who: Who | None) -> list[dict[str, list[str]]]:
    """Return in which ways one may ask: without a token, with any, or with one of a role."""
    if who is None:
        return []
    nobody: list[dict[str, list[str]]] = [{}] if who.visitors else []
    return nobody + ([{"token": [role]} for role in who.roles] or [{"token": []}])


def _common(operation: dict[str, Any], path: str, who: Who | None) -> Iterator[str]:
    """Give the codes that follow from what an operation is."""
    yield from EVERYWHERE
    if path != NO_STORE:
        yield from WITH_STORE
    if who is not None:
        yield from WITH_TOKEN
        yield from ("not_allowed",) if who.roles else ()
    if "{table}" in path:
        yield from WITH_TABLE
        yield from WITH_SEAT if who is not None and who.may_be_of_one_table else ()
    if "requestBody" in operation:
        yield from WITH_BODY
    if "202" in operation["responses"]:
        yield RULES
