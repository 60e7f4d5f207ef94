"""Reads headers of which a request has one at most."""

from __future__ import annotations

from fastapi import Request

from services.api.problems import malformed
from services.api.strict_json import BROKEN


def the_one(request: Request, name: str) -> str | None:
    """Return a header, ``None`` where it is not there; a problem where it is there twice: one would go unread."""
    found = request.headers.getlist(name)
    if len(found) > 1:
        raise malformed(f"header.{name}", "the same header twice", "duplicate_key", status=BROKEN)
    return found[0] if found else None
