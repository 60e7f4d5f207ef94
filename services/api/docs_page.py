"""The page that describes the doors: drawn here, without any asset from elsewhere and without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from services.api.shapes import REF

router = APIRouter(include_in_schema=False)

HEADERS: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}
STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px }
details { border-bottom: 1px solid #8886; padding: .4rem 0 }
summary { cursor: pointer }
.method { display: inline-block; min-width: 4.5em; font-weight: 600 }
table { border-collapse: collapse } td, th { padding: .1rem 1rem .1rem 0; vertical-align: top; text-align: left }
"""

REFERENCE: Final = rf"&quot;{REF}([\w.-]+)&quot;"
LINK: Final = r'<a href="#\1">\1</a>'


@router.get("/docs", response_class=HTMLResponse)
def docs(request: Request) -> HTMLResponse:
    """Return the page."""
    schema = request.app.openapi()
    operations = [
        _operation(method, path, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    shapes = [shape(name, each) for name, each in sorted(schema["components"]["schemas"].items())]
    body = (
        '<p>For programs: <a href="/openapi.json">openapi.json</a>. '
        'The socket at <code>/v1/live</code>: <a href="/docs/live">its messages</a>.</p>'
        f"<h2>Paths</h2>{''.join(operations)}<h2>Shapes</h2>{''.join(shapes)}"
    )
    return HTMLResponse(page(schema["info"], body), headers=HEADERS)


def page(about: dict[str, Any], body: str) -> str:
    """Return a whole page; what it is about is plain, its body is HTML."""
    title = escape(about["title"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
        f"<h1>{title}</h1><p>{escape(about.get('description', ''))}</p>{body}</html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(each['name'])}</code><td>{escape(each['in'])}</tr>"
        for each in operation.get("parameters", ())
    )
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return (
        f'<details><summary><span class="method">{escape(method.upper())}</span> <code>{escape(path)}</code> '
        f"{escape(operation.get('summary', ''))}</summary>"
        f"<p>{escape(operation.get('description', ''))}</p><table>{rows}</table>"
        + (f"<p>Body</p>{as_json(body)}" if body else "")
        + "</details>"
    )


def shape(name: str, schema: dict[str, Any]) -> str:
    """Return what is shown of a shape."""
    return f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary>{as_json(schema)}</details>'


def as_json(value: object) -> str:
    """Return a value as it is shown, with links to the shapes that it refers to."""
    text = escape(json.dumps(value, indent=2))
    return f"<pre>{re.sub(REFERENCE, LINK, text)}</pre>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML; nothing where there is no row."""
    drawn = "".join(f"<tr>{''.join(f'<td>{each}' for each in row)}</tr>" for row in rows)
    names = "".join(f"<th>{escape(each)}" for each in head)
    return f"<table><tr>{names}</tr>{drawn}</table>" if drawn else ""
