"""The page that describes the live door, drawn as that of the other doors is."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from services.api.docs_page import HEADERS, as_json, page, shape
from services.live.asyncapi import describe

router = APIRouter(include_in_schema=False)


@router.get("/docs/live", response_class=HTMLResponse)
def docs() -> HTMLResponse:
    """Return the page."""
    described = describe()
    (channel,) = described["channels"].values()
    components = described["components"]
    body = (
        '<p>For programs: <a href="/asyncapi.json">asyncapi.json</a>. The other doors: <a href="/docs">paths</a>.</p>'
        f"<h2><code>{escape(channel['address'])}</code></h2><p>{escape(channel['description'])}</p>"
        + "".join(_operation(each, components["messages"]) for each in described["operations"].values())
        + "<h2>Shapes</h2>"
        + "".join(shape(name, each) for name, each in sorted(components["schemas"].items()))
    )
    return HTMLResponse(page(described["info"], body), headers=HEADERS)


def _operation(operation: dict[str, Any], messages: dict[str, Any]) -> str:
    names = (each["$ref"].rpartition("/")[2] for each in operation["messages"])
    return f"<h2>{escape(operation['summary'])}</h2>{''.join(_message(name, messages[name]) for name in names)}"


def _message(name: str, message: dict[str, Any]) -> str:
    return (
        f"<details><summary><code>{escape(name)}</code> {escape(message['summary'])}</summary>"
        f"{as_json(message['payload'])}</details>"
    )
