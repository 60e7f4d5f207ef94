"""
The client without input and output: what to ask, when to ask again, and what an answer means.

Each operation is a generator. It gives a ``Request`` and is sent the ``Reply`` to it, or ``Lost``; it gives a
``Pause`` and is resumed after it; it returns the result, or raises ``ProblemError``.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

import msgspec

from services.client.patience import Backoff, Patience
from services.client.problems import PENDING, UNREACHABLE, UNREADABLE, ProblemError, problem_of

T = TypeVar("T")

SOON_S: Final = 0.05
"""Pause before a view that is not there yet is asked for again; the service has waited already."""

PASSING: Final = frozenset(
    {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
"""Statuses that the same request may not get the next time."""

LASTING: Final = frozenset({"needs_newer_program", "view_broken", "store_damaged"})
"""Codes of such a status that waiting does not cure: an operator has to."""

UNANSWERED: Final = frozenset({"unknown_command", "unknown_table"})
"""What a look-up says of a command that was not answered yet; its table may not be open yet, either."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """
    One HTTP request, but for the token.

    Args:
        command_id: sent as Idempotency-Key, the same each time, so that sending again changes nothing.
        version: sent as If-Match.
    """

    method: str
    path: str
    params: Mapping[str, str] = {}
    body: bytes | None = None
    command_id: uuid.UUID | None = None
    version: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that belong to the request, whoever sends it."""
        headers = {} if self.body is None else {"Content-Type": "application/json"}
        if self.command_id is not None:
            headers["Idempotency-Key"] = str(self.command_id)
        if self.version is not None:
            headers["If-Match"] = f'"{self.version}"'
        return headers


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a request; ``retry_after`` and ``server_time`` are the texts of these headers."""

    status: int
    body: bytes
    retry_after: str | None = None
    server_time: str | None = None

    @property
    def retry_after_s(self) -> float:
        text = self.retry_after or ""
        return float(text) if text.isascii() and text.isdigit() else 0.0


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """No answer came; ``reason`` names how."""

    reason: str


class Pause(msgspec.Struct, frozen=True, kw_only=True):
    """Wait for so many seconds."""

    seconds: float


Asking = Generator[Request | Pause, Reply | Lost | None, T]


def read(reply: Reply, kind: type[T]) -> T:
    """Return the body of a good reply as a value of that type."""
    return read_by(msgspec.json.Decoder(kind).decode, reply)


def read_by(reader: Callable[[bytes], T], reply: Reply) -> T:
    """Return what the reader makes of the body of a good reply."""
    try:
        return reader(reply.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ProblemError(UNREADABLE, status=reply.status) from None


def ask(request: Request, patience: Patience) -> Asking[Reply]:
    """Return the good reply to a request; connections that break and services that are busy are tried again."""
    return (yield from _ask(request, patience.begin()))


def settle(request: Request, patience: Patience) -> Asking[Reply]:
    """
    Return the reply to a request that changes something, once it is answered for good.

    While the service has no answer the command is looked up, and sent again with its id: it may never have arrived.
    """
    pauses = patience.begin()
    while True:
        reply = yield from _ask(request, pauses)
        if reply.status != HTTPStatus.ACCEPTED:
            return reply
        pending = yield from _wait(reply, pauses)
        try:
            return (yield from _look_up(pending.href, pauses))
        except ProblemError as problem:
            if problem.code not in UNANSWERED:
                raise


def insist(request: Request, patience: Patience) -> Asking[Reply]:
    """
    Return the reply to a request that changes something in several steps, sent again until all of them are done.

    It is for what only its own answer tells: looking up one of the steps would not.
    """
    pauses = patience.begin()
    while (reply := (yield from _ask(request, pauses))).status == HTTPStatus.ACCEPTED:
        yield from _wait(reply, pauses)
    return reply


def _wait(reply: Reply, pauses: Backoff) -> Asking[_Pending]:
    """Wait as the answer to a pending command says, and return what it is."""
    pending = read(reply, _Pending)
    pause = pauses.pause(at_least_s=reply.retry_after_s)
    if pause is None:
        details = {"table": pending.table, "command_id": pending.command_id}
        raise ProblemError(PENDING, status=reply.status, details=details)
    yield Pause(seconds=pause)
    return pending


def look_up(path: str, patience: Patience) -> Asking[Reply]:
    """Return the answer to a command; a refusal is raised, ``unknown_command`` when there is no answer."""
    return (yield from _look_up(path, patience.begin()))


def _look_up(path: str, pauses: Backoff) -> Asking[Reply]:
    reply = yield from _ask(Request(method="GET", path=path), pauses)
    found = read(reply, _Answered)
    if found.status == "refused":
        raise ProblemError(found.code, path=found.details.pop("path", None), details=found.details)
    return reply


def _ask(request: Request, pauses: Backoff) -> Asking[Reply]:
    while True:
        reply = yield request
        if isinstance(reply, Reply):
            if reply.status < HTTPStatus.BAD_REQUEST:
                return reply
            problem = problem_of(reply.body, status=reply.status)
            if problem.code == "not_yet":
                pause = pauses.short(SOON_S)
            elif reply.status not in PASSING or problem.code in LASTING or problem.refused != problem.code:
                raise problem
            else:
                pause = pauses.pause(at_least_s=reply.retry_after_s)
        else:
            problem = ProblemError(UNREACHABLE, details={"reason": reply.reason if reply else ""})
            pause = pauses.pause()
        if pause is None:
            raise problem
        yield Pause(seconds=pause)


class _Pending(msgspec.Struct):
    table: str
    command_id: str
    href: str


class _Answered(msgspec.Struct):
    status: str
    code: str = ""
    details: dict[str, Any] = {}
