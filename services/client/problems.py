"""The one exception of the client: a no of the service, or what kept it from being asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from services.client.given import require_text

UNREACHABLE: Final = "unreachable"
"""No connection within the client's patience; whether the last request arrived is not known."""
PENDING: Final = "pending"
"""A command was received and not answered within the client's patience; ``details`` holds its id."""
UNREADABLE: Final = "unreadable"
"""The answer is none of this service's: another program listens there, or a proxy answers."""

WRONG_TOKEN: Final = "wrong_token"  # noqa: S105  a code
"""As the service says it; said before anything is sent when a token has line breaks or letters beyond ASCII."""
NO_TOKEN: Final = "no_token"  # noqa: S105  a code
"""As the service says it; said at once of a socket, on which nobody can speak without."""
SENDABLE: Final = re.compile(r"[!-~]+")

WRONG_URL: Final = "wrong_url"
"""What was given as the service's address is none; said before anything is asked."""
CLOSED: Final = "closed"
"""The client was closed before, or while an answer was waited for."""
FOLLOWED_TWICE: Final = "followed_twice"
"""Two different wishes for what one viewpoint sees of one table, of which the service could fulfil one."""

PASSING: Final = frozenset({"busy", "store_away", "store_lost", "store_unusable", "not_yet", "rate_limited"})
"""Codes of a follow or a command over a socket that the same one may not get a little later."""


class ProblemError(Exception):
    """
    The answer is no, or there is none.

    Args:
        code: snake_case, stable: one of the service's (docs/reference/codes.md) or of the client's own.
        status: the HTTP status; ``None`` when no answer came or it came over a socket.
        path: where the fault lies in what was sent, where something is at fault.
        details: plain values that help; never a token.
    """

    def __init__(
        self,
        code: str,
        *,
        status: int | None = None,
        path: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.path = path
        self.details = dict(details or {})

    @property
    def refused(self) -> str:
        """Return why a command was refused, also where refusals are so many that they are no longer kept."""
        return str(self.details.get("refused", self.code)) if self.code == "rate_limited" else self.code

    @property
    def wait_s(self) -> float:
        """Return how many seconds the service says to wait before the next try; 0 where it says nothing."""
        wait_ms = self.details.get("wait_ms", 0)
        return wait_ms / 1000 if isinstance(wait_ms, int) else 0.0

    def __str__(self) -> str:
        """Return all there is to know in one line."""
        parts = [self.code, *([f"at {self.path}"] if self.path else []), *([str(self.details)] if self.details else [])]
        return " ".join(parts)


def require_sendable(token: str | None) -> str | None:
    """Return the token; ``wrong_token`` when it could never be one, since no header can carry it."""
    if token is None or SENDABLE.fullmatch(require_text(token, called="a token")):
        return token
    raise ProblemError(WRONG_TOKEN)


class _Document(msgspec.Struct):
    code: str
    details: dict[str, Any] = {}
    path: str | None = None


def problem_of(body: bytes, *, status: int) -> ProblemError:
    """Return what a problem document says; ``unreadable`` when the body is none."""
    try:
        said = msgspec.json.decode(body, type=_Document)
    except msgspec.DecodeError:
        return ProblemError(UNREADABLE, status=status)
    return ProblemError(said.code, status=status, path=said.path, details=said.details)
