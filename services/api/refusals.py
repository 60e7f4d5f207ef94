"""Says of each operation by which codes it may be refused: of every status, with the headers that come along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from services.api.problems import MEDIA_TYPE, RETRY_AFTER_S, STATUS
from services.api.server_time import SERVER_TIME
from services.api.shapes import REF
from services.api.strict_json import BROKEN

REFUSES: Final = "x-refuses"
"""Where a door says by which codes of its own it refuses; the description tells them with their statuses."""

RULES: Final = "..."
"""Stands for the codes of the rules, which a game brings along; all are answered with 409."""

ON_THE_LINE: Final = ("malformed", "request_too_slow", "head_too_large", "too_many_connections")
"""What is said before any door is asked; what is ``malformed`` there is broken."""

EVERYWHERE: Final = ("malformed", "rate_limited")
WITH_STORE: Final = tuple(code for code, status in STATUS.items() if status == HTTPStatus.SERVICE_UNAVAILABLE)
WITH_TOKEN: Final = tuple(code for code, status in STATUS.items() if status == HTTPStatus.UNAUTHORIZED)
WITH_TABLE: Final = ("unknown_table", "not_found")
WITH_SEAT: Final = ("not_your_seat", "not_yet")
"""Of a table, to whoever may hold a token that is for one table, or one seat, alone."""

WITH_BODY: Final = ("too_large", "unsupported_media_type")

PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A problem document (RFC 9457): `code` is stable, `path` leads to the fault.",
    "required": ["type", "title", "status", "code", "details"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
        "details": {"type": "object"},
        "path": {"type": "string"},
    },
}


def refuses(*codes: str) -> dict[str, Any]:
    """Return the part of a door's description that says by which codes of its own it refuses."""
    return {REFUSES: list(codes)}


def header(about: str, *, pattern: str | None = None, required: bool = True) -> dict[str, Any]:
    """Return the description of a header of an answer."""
    schema = {"type": "string"} if pattern is None else {"type": "string", "pattern": pattern}
    return {"description": about, "required": required, "schema": schema}


ETAG: Final = {"ETag": header("The mark of what is shown, for `If-None-Match` and `If-Match`.", pattern='^"[^"]+"$')}
LOCATION: Final = {"Location": header("Where it can be seen.", pattern="^/v1/")}
RETRY: Final = "Seconds after which to come back."
DIGITS: Final = "^[0-9]+$"
RETRY_AFTER: Final = {"Retry-After": header(RETRY, pattern=DIGITS)}

ALWAYS: Final = {
    SERVER_TIME: header("The server's clock, in milliseconds since 1970.", pattern=DIGITS),
    "Vary": header("Headers of the request on which the answer depends.", required=False),
    "Cache-Control": header("Who may keep the answer.", required=False),
}
"""Headers of every answer; those that are not required come where they say something."""


def refusals(codes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the answers, by their status, that refuse with these codes, or before any door is asked."""
    of_doors = {(status, code) for code in codes for status in _statuses_of(code)}
    of_the_line = {(_statuses_of(code)[0], code) for code in ON_THE_LINE}
    by_status: dict[int, list[str]] = {}
    for status, code in sorted(of_doors | of_the_line):
        by_status.setdefault(status, []).append(code)
    return {str(status): _refusal(status, found) for status, found in by_status.items()}


def _statuses_of(code: str) -> tuple[int, ...]:
    status = STATUS.get(code, int(HTTPStatus.CONFLICT))
    return (BROKEN, status) if code == "malformed" else (status,)


def _refusal(status: int, codes: list[str]) -> dict[str, Any]:
    named = {"type": "string"} if RULES in codes else {"enum": codes}
    told = {"properties": {"status": {"const": status}, "code": named}}
    return {
        "description": HTTPStatus(status).phrase,
        "headers": {**_headers(status, codes)},
        "content": {MEDIA_TYPE: {"schema": {"allOf": [{"$ref": REF + "Problem"}, told]}}},
    }


def _headers(status: int, codes: list[str]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    if status == HTTPStatus.UNAUTHORIZED:
        found["WWW-Authenticate"] = header("How to prove who asks.", pattern="^Bearer$")
    if waits := [code for code in codes if code in RETRY_AFTER_S]:
        found["Retry-After"] = header(RETRY, pattern=DIGITS, required=waits == codes)
    return found
