"""Reads headers of which a request has one at most, and what stands in them."""

from __future__ import annotations

from typing import Final

from fastapi import Request

from services.api.problems import malformed
from services.api.strict_json import BROKEN

SPACE: Final = " \t"
"""White space of a header (RFC 9110, 5.6.3); any other is a part of what stands there."""


def the_one(request: Request, name: str) -> str | None:
    """Return a header, ``None`` where it is not there; a problem where it is there twice: one would go unread."""
    found = request.headers.getlist(name)
    if len(found) > 1:
        raise malformed(f"header.{name}", "the same header twice", "duplicate_key", status=BROKEN)
    return found[0] if found else None


def token_in(authorization: str) -> tuple[str, str]:
    """Return the scheme that an ``Authorization`` header names, in small letters, and its token; both may be empty."""
    scheme, _, token = authorization.partition(" ")
    return scheme.lower(), token.strip(SPACE)
