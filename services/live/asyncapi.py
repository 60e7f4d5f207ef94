"""The description of the live door (AsyncAPI 3), made from the types of its messages."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Response

from events.codec import to_json
from events.messages import kind_of
from services.api.shapes import (
    COMMAND,
    REF,
    STEP,
    STEPS,
    TOLD,
    VIEW,
    all_command_schemas,
    joined,
    list_of,
    step_schemas,
    view_schemas,
)
from services.documented import in_words
from services.live.closing import Closing
from services.live.news import ALL, View
from services.live.wishes import WISHES

PATH: Final = "/v1/live"

ABOUT: Final = (
    "Many tables over one socket. The first message is a token; then follow tables, send commands, and hear every "
    "step in order as it happens. Messages are JSON in text frames. What a client says begins with its verb, what the "
    "service says has a `kind`. `re` is the number of the client's message that is answered, counted from 1."
)

router = APIRouter(include_in_schema=False)


@router.get("/asyncapi.json")
def asyncapi() -> Response:
    """Return the description."""
    return Response(_written(), media_type="application/json")


@cache
def _written() -> bytes:
    return to_json(describe())


@cache
def describe() -> dict[str, Any]:
    """Return the description as plain values, made once; nobody changes them."""
    said = {name: _message(name, model.__doc__) for name, model in _wishes().items()}
    heard = {kind_of(news.__name__): _message(news.__name__, news.__doc__) for news in ALL}
    shown = joined(all_command_schemas(), step_schemas(), view_schemas())
    channel = "#/channels/live"
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Fidchell live", "version": version("fidchell"), "description": ABOUT},
        "defaultContentType": "application/json",
        "channels": {
            "live": {
                "address": PATH,
                "description": f"A WebSocket. It is closed with one of these codes: {_closings()}.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*said, *heard)},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "say": {
                "action": "receive",
                "summary": "What a client may say",
                "channel": {"$ref": channel},
                "messages": [{"$ref": f"{channel}/messages/{name}"} for name in said],
            },
            "hear": {
                "action": "send",
                "summary": "What the service says",
                "channel": {"$ref": channel},
                "messages": [{"$ref": f"{channel}/messages/{name}"} for name in heard],
            },
        },
        "components": {
            "messages": {**said, **heard},
            "schemas": _of_draft_7(joined(_wish_schemas(), _news_schemas(), shown)),
        },
    }


def _wishes() -> dict[str, Any]:
    return {f"say_{verb}": model for verb, model in WISHES.items()}


def _message(name: str, about: str | None) -> dict[str, Any]:
    told: str = in_words({"description": about or name})["description"]
    return {
        "name": name,
        "summary": told.splitlines()[0],
        "contentType": "application/json",
        "payload": {"$ref": REF + name},
    }


def _wish_schemas() -> dict[str, Any]:
    schemas: dict[str, Any] = in_words(
        {name: model.model_json_schema(by_alias=True) for name, model in _wishes().items()}
    )
    schemas["say_send"]["properties"]["send"] = {"$ref": REF + COMMAND}
    return schemas


def _news_schemas() -> dict[str, Any]:
    _, found = msgspec.json.schema_components(ALL, ref_template=f"{REF}{{name}}")
    schemas: dict[str, Any] = in_words(found)
    schemas[TOLD]["properties"]["steps"] |= list_of(*(f"{game}.{STEP}" for game in STEPS))
    schemas[View.__name__]["properties"]["view"] |= {"$ref": REF + VIEW}
    return schemas


def _closings() -> str:
    return ", ".join(f"{each.value} ({each.reason})" for each in Closing)


def _of_draft_7(schema: Any) -> Any:  # noqa: ANN401  a JSON value
    """
    Return a schema in the words of the JSON Schema that AsyncAPI is made with.

    It has others for tuples, and none for what tells the members of a union apart.
    """
    if isinstance(schema, list):
        return [_of_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    new = {name: _of_draft_7(each) for name, each in schema.items() if name != "discriminator"}
    if "prefixItems" in new:
        new["additionalItems"], new["items"] = new.get("items", True), new.pop("prefixItems")
    return new
