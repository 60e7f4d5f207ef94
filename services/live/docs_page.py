"""The page that describes the live door, drawn as that of the other doors is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from services.api.docs_page import HEADERS, as_json, page, shape, table
from services.live.asyncapi import CLOSINGS, describe

router = APIRouter(include_in_schema=False)


@router.get("/docs/live", response_class=HTMLResponse)
def docs() -> HTMLResponse:
    """Return the page."""
    described = describe()
    (channel,) = described["channels"].values()
    operations, components = described["operations"].values(), described["components"]
    answered = {_name(each["messages"][0]): each["reply"]["messages"] for each in operations if "reply" in each}
    messages = [_message(name, each, answered.get(name, ())) for name, each in components["messages"].items()]
    closings = [(str(each["code"]), each.get("reason", ""), escape(each["meaning"])) for each in channel[CLOSINGS]]
    body = (
        '<p>For programs: <a href="/asyncapi.json">asyncapi.json</a>. The other doors: <a href="/docs">paths</a>.</p>'
        f"<h2><code>{escape(channel['address'])}</code></h2>"
        f"<h2>Messages</h2>{''.join(messages)}"
        f"<h2>Close codes</h2>{table(('code', 'reason', ''), closings)}"
        "<h2>Shapes</h2>" + "".join(shape(name, each) for name, each in sorted(components["schemas"].items()))
    )
    return HTMLResponse(page(described["info"], body), headers=HEADERS)


def _message(name: str, message: dict[str, Any], answers: Sequence[dict[str, str]]) -> str:
    links = ", ".join(f'<a href="#message.{_name(each)}"><code>{_name(each)}</code></a>' for each in answers)
    return (
        f'<details id="message.{escape(name)}"><summary><code>{escape(name)}</code> '
        f"{escape(message['summary'])}</summary>"
        f"{f'<p>Answered by {links}.</p>' if links else ''}{as_json(message['payload'])}</details>"
    )


def _name(reference: dict[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]
