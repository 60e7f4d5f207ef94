"""The description of the live door (AsyncAPI 3), made from the types of its messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from services.live.closing import UNDER_US, Closing
from services.live.news import ALL, ANSWERS, UNASKED, News, View
from services.live.wishes import WISHES

PATH: Final = "/v1/live"
CHANNEL: Final = "#/channels/live"
CLOSINGS: Final = "x-close-codes"
"""Part of the channel that AsyncAPI has no word for: the codes that a socket is closed with."""

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
    closings = _closings()
    shown = joined(all_command_schemas(), step_schemas(), view_schemas())
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Fidchell live", "version": version("fidchell"), "description": ABOUT},
        "defaultContentType": "application/json",
        "servers": {"here": _server("ws"), "behind_tls": _server("wss")},
        "channels": {
            "live": {
                "address": PATH,
                "description": "\n".join(["A WebSocket. It is closed with one of these codes:\n", *_lines(closings)]),
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*said, *heard)},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
                CLOSINGS: closings,
            }
        },
        "operations": {
            **{f"say_{verb}": _saying(verb) for verb in WISHES},
            "hear": {
                "action": "send",
                "summary": "What the service says of what is followed",
                "channel": {"$ref": CHANNEL},
                "messages": _named(*UNASKED),
            },
        },
        "components": {
            "messages": {**said, **heard},
            "schemas": _of_draft_7(joined(_wish_schemas(), _news_schemas(), shown)),
        },
    }


def _server(protocol: str) -> dict[str, Any]:
    about = "Where the doors stand; the default is that of `fidchell api`."
    return {
        "host": "{host}",
        "protocol": protocol,
        "variables": {"host": {"default": "127.0.0.1:8000", "description": about}},
    }


def _saying(verb: str) -> dict[str, Any]:
    return {
        "action": "receive",
        "summary": _summary(WISHES[verb].__doc__),
        "channel": {"$ref": CHANNEL},
        "messages": [{"$ref": f"{CHANNEL}/messages/say_{verb}"}],
        "reply": {"channel": {"$ref": CHANNEL}, "messages": _named(*ANSWERS[verb])},
    }


def _named(*news: type[News]) -> list[dict[str, str]]:
    return [{"$ref": f"{CHANNEL}/messages/{kind_of(each.__name__)}"} for each in news]


def _wishes() -> dict[str, Any]:
    return {f"say_{verb}": model for verb, model in WISHES.items()}


def _message(name: str, about: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "summary": _summary(about),
        "contentType": "application/json",
        "payload": {"$ref": REF + name},
    }


def _summary(about: str | None) -> str:
    told: str = in_words({"description": about or ""})["description"]
    return told.partition("\n")[0]


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


def _closings() -> list[dict[str, Any]]:
    """Return every code that a socket is closed with, what stands beside it in the frame, and its meaning."""
    own = ({"code": each.value, "reason": each.reason, "meaning": each.meaning} for each in Closing)
    return [*({"code": code, "meaning": meaning} for code, meaning in UNDER_US.items()), *own]


def _lines(closings: Sequence[dict[str, Any]]) -> Iterator[str]:
    for each in closings:
        reason = f" (`{each['reason']}`)" if "reason" in each else ""
        yield f"* {each['code']}{reason}: {each['meaning']}"


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
