"""What the plain and the asynchronous client have in common: where the service is, who asks, how patiently."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Self

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from services.client.asking import PASSING, Lost, Reply, Request
from services.client.given import patience_of, require_text
from services.client.life import Life
from services.client.news import Follow
from services.client.patience import Patience
from services.client.problems import (
    NO_TOKEN,
    UNREACHABLE,
    WRONG_URL,
    ProblemError,
    problem_of,
    require_sendable,
)

PATIENCE_S: Final = 30.0
TIMEOUT_S: Final = 60.0
"""Longer than the service makes anybody wait for a version."""
LIMITS: Final = httpx.Limits(max_connections=None, max_keepalive_connections=None)
"""Whoever waits for a view holds a connection, so there are as many as are needed."""

ADDRESS: Final = "http://host:port or https://host, without user, query and fragment"
"""What an address looks like. One that is none is not repeated: it may be a token in the wrong place."""
MOST_PORT: Final = 65_535


class Caller:
    """
    Somebody who asks the service.

    Args:
        url: of the service, without ``/v1``; what could never be one is ``wrong_url``.
        token: a platform's key or a seat's token; it is sent, and shown nowhere. What is none is ``wrong_token``.
        patience_s: seconds after which an operation gives up; ``math.inf`` to try for ever.
    """

    def __init__(self, url: str, token: str | None, patience_s: float) -> None:
        self.url = require_url(url)
        self._token = require_sendable(token)
        self._patience = Patience(limit_s=patience_of(patience_s))
        self._life = Life()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def using(self, token: str | None) -> Self:
        """Return a client in the name of somebody else; it shares the connections, which close with the first."""
        other = copy.copy(self)
        other._token = require_sendable(token)  # noqa: SLF001  another of the same class
        return other

    def patient_for(self, patience_s: float) -> Self:
        """Return the same client with another patience; it shares the connections, which close with the first."""
        other = copy.copy(self)
        other._patience = Patience(limit_s=patience_of(patience_s))  # noqa: SLF001  another of the same class
        return other

    def _first_token(self, follows: Sequence[Follow] = ()) -> str:
        """Return in whose name a socket begins: the client's, else that of what is followed; ``no_token`` without."""
        token = self._token or next((each.token for each in follows if each.token), None)
        if token is None:
            raise ProblemError(NO_TOKEN)
        return token

    @property
    def _live_url(self) -> str:
        return "ws" + self.url.removeprefix("http") + "/v1/live"

    def _sent(self, request: Request) -> dict[str, Any]:
        """Return a request as httpx takes it, in the caller's name."""
        headers = request.headers
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        return {
            "method": request.method,
            "url": request.path,
            "params": dict(request.params),
            "content": request.body,
            "headers": headers,
        }


def require_url(url: str) -> str:
    """Return the address of a service as it is used; ``wrong_url`` when nothing can ever be reached there."""
    require_text(url, called="the address")
    try:
        read = httpx.URL(url)
        read.raw_host.decode().encode("idna")
    except (httpx.InvalidURL, UnicodeError):
        raise ProblemError(WRONG_URL, details={"expected": ADDRESS}) from None
    usable = read.scheme in {"http", "https"} and read.host and (read.port is None or 0 < read.port <= MOST_PORT)
    if not usable or read.userinfo or read.query or read.fragment or url.split() != [url]:
        raise ProblemError(WRONG_URL, details={"expected": ADDRESS})
    return str(read).rstrip("/")


def reply_of(answer: httpx.Response) -> Reply:
    """Return what counts of an answer."""
    return Reply(
        status=answer.status_code,
        body=answer.content,
        retry_after=answer.headers.get("Retry-After"),
        server_time=answer.headers.get("Fidchell-Time"),
    )


def lost(fault: httpx.RequestError) -> Lost:
    """Return how an answer was lost: no connection, none in time, or one that cannot be unpacked."""
    return Lost(reason=type(fault).__name__)


SOCKET: Final[Mapping[str, Any]] = {
    "compression": None,
    "max_size": 2**24,
    "logger": logging.Logger("services.client", logging.INFO),  # noqa: LOG001  on its own, whatever the program sets
}
"""
How sockets are opened: the service does not compress, and many steps may travel together.

The library's own logger would write every message down for whoever debugs, the token among them.
"""


GONE: Final = (ConnectionClosed, InvalidHandshake, InvalidURI, OSError)
"""What is raised when a socket breaks, is closed, or cannot be opened."""


def why_gone(fault: Exception) -> tuple[int | None, str]:
    """
    Return the close code, if the service gave one, and the reason why there is no socket.

    ``ProblemError`` when the next try would come to the same.
    """
    match fault:
        case ConnectionClosed(rcvd=close) if close is not None:
            return close.code, close.reason
        case ConnectionClosed():
            return None, "broken"
        case InvalidStatus():
            status = fault.response.status_code
            if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in PASSING:
                raise problem_of(bytes(fault.response.body or b""), status=status) from None
            return None, f"http_{status}"
        case InvalidURI():
            raise ProblemError(UNREACHABLE, details={"reason": type(fault).__name__}) from None
        case _:
            return None, type(fault).__name__
