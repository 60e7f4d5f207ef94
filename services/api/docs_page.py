"""The page that describes the doors: drawn here, without any asset from elsewhere and without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from services.api.shapes import REF

router = APIRouter(include_in_schema=False)

PATH: Final = "/docs"
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


@router.get("/")
def home() -> RedirectResponse:
    """Lead whoever opens the bare address to the page."""
    return RedirectResponse(PATH)


@router.get(PATH, response_class=HTMLResponse)
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
    parameters = map(_parameter, operation.get("parameters", ()))
    body = operation.get("requestBody", {})
    bodies = [(f"<code>{escape(kind)}</code>", _type(each["schema"])) for kind, each in body.get("content", {}).items()]
    answers = [_answer(status, each) for status, each in operation["responses"].items()]
    return (
        f'<details id="{escape(operation["operationId"])}"><summary><span class="method">{escape(method.upper())}'
        f"</span> <code>{escape(path)}</code> {escape(operation.get('summary', ''))}</summary>"
        f"<p>{escape(operation.get('description', ''))}</p><p>Asked {escape(_who(operation))}.</p>"
        f"{table(('parameter', 'in', '', 'type', 'if missing', ''), parameters)}"
        f"{table(('body', '' if body.get('required') else 'may be missing'), bodies)}"
        f"{table(('answer', '', 'shape', 'headers', 'codes'), answers)}</details>"
    )


def _who(operation: dict[str, Any]) -> str:
    """Return in words how one has to prove who asks."""
    ways = operation.get("security", [])
    roles = [role for way in ways for role in way.get("token", ())]
    if not ways:
        return "without a token"
    if {} in ways:
        return "with or without a token"
    return f"with a token of: {', '.join(roles)}" if roles else "with a token"


def _parameter(parameter: dict[str, Any]) -> Sequence[str]:
    schema = parameter["schema"]
    default = f"<code>{escape(json.dumps(schema['default']))}</code>" if "default" in schema else ""
    return (
        f"<code>{escape(parameter['name'])}</code>",
        parameter["in"],
        "must" if parameter["required"] else "may",
        _type(schema),
        default,
        escape(parameter.get("description", "")),
    )


def _answer(status: str, answer: dict[str, Any]) -> Sequence[str]:
    """Return a row; headers that do not always come have a mark."""
    headers = (f"{escape(name)}{'' if each['required'] else '?'}" for name, each in answer["headers"].items())
    schemas = [each["schema"] for each in answer.get("content", {}).values()]
    codes = (code for each in schemas for code in _codes(each))
    return status, escape(answer["description"]), ", ".join(map(_type, schemas)), ", ".join(headers), ", ".join(codes)


def _codes(schema: dict[str, Any]) -> Iterator[str]:
    for part in schema.get("allOf", ()):
        code = part.get("properties", {}).get("code")
        if code is not None:
            named = (f"<code>{escape(each)}</code>" for each in code.get("enum", ()))
            yield from named if "enum" in code else ["those of tables and games"]


def _type(schema: dict[str, Any]) -> str:
    """Return a schema in few words, with links to shapes."""
    if "$ref" in schema:
        return re.sub(f"^{REF}(.*)$", LINK, schema["$ref"])
    parts = [each for word in ("anyOf", "oneOf", "allOf") for each in schema.get(word, ())]
    if parts:
        return " or ".join(_type(each) for each in parts if "$ref" in each or "type" in each)
    words = [str(schema.get("type", ""))]
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None:
        words.append(f"from {least} on" if most is None else f"{least} to {most}")
    if "maxLength" in schema:
        words.append(f"at most {schema['maxLength']} characters")
    if "enum" in schema:
        words.append(" or ".join(map(str, schema["enum"])))
    words += [str(schema[name]) for name in ("format", "pattern") if name in schema]
    return escape(", ".join(words))


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
