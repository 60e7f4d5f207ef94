"""Every no of the doors: a problem document (RFC 9457) with a stable code, details, and the path to the fault."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from events.codec import to_json
from events.log.errors import BusyError, StoreAwayError, StoreLostError, StoreUnusableError, TooLargeError
from services.api.damage import StoreDamagedError
from services.api.methods import allowed
from services.api.server_time import SERVER_TIME, server_time

MEDIA_TYPE: Final = "application/problem+json"

STATUS: Final[Mapping[str, int]] = {
    "malformed": 422,
    "too_large": 413,
    "unsupported_media_type": 415,
    "no_token": 401,
    "wrong_token": 401,
    "token_expired": 401,
    "token_revoked": 401,
    "no_guests": 403,
    "not_allowed": 403,
    "not_your_seat": 403,
    "unknown_table": 404,
    "unknown_seat": 404,
    "unknown_game": 404,
    "unknown_bot": 422,
    "unknown_command": 404,
    "not_found": 404,
    "request_too_slow": 408,
    "seats_out_of_range": 422,
    "rate_limited": 429,
    "head_too_large": 431,
    "internal_error": 500,
    "busy": 503,
    "store_away": 503,
    "store_lost": 503,
    "store_damaged": 503,
    "store_unusable": 503,
    "too_many_connections": 503,
    "not_yet": 409,
    "needs_newer_program": 503,
    "view_broken": 503,
}
"""Codes that are not answered with 409; what rules refuse is a conflict with how things stand."""

RETRY_AFTER_S: Final[Mapping[str, int]] = {
    "busy": 1,
    "store_away": 1,
    "store_lost": 30,
    "store_damaged": 30,
    "store_unusable": 30,
    "too_many_connections": 1,
    "not_yet": 0,
    "rate_limited": 10,
}

CODES: Final[Mapping[type[Exception], str]] = {
    BusyError: "busy",
    ClientDisconnect: "request_too_slow",  # nobody hears it
    TooLargeError: "too_large",
    StoreLostError: "store_lost",
    StoreDamagedError: "store_damaged",
    StoreUnusableError: "store_unusable",
}
"""What the store and the line complain of, as the doors tell it."""

REASONS: Final[Mapping[str, str]] = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "int_from_float": "wrong_type",
    "int_parsing_size": "beyond_64_bits",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
    "string_too_short": "out_of_range",
    "string_too_long": "out_of_range",
    "too_short": "out_of_range",
    "too_long": "out_of_range",
    "json_invalid": "nested_too_deeply",
    "not_plain_text": "not_plain_text",
    "uuid_parsing": "invalid_value",
}
"""
Pydantic's kinds of fault whose reason their name does not tell.

Its reader is the second to read a body, and all that can still be wrong with its JSON is a nest too deep for it.
"""

HINTS: Final[Mapping[str, str]] = {"uuid_parsing": "not a UUID"}
"""Hints in place of pydantic's own that repeat a part of what was sent."""

log = structlog.get_logger()


class Problem(Exception):
    """
    The door says no.

    Args:
        code: snake_case, stable for ever.
        retry_after: seconds after which to come back, where it is not always the same.
        path: where the fault lies in what was sent: ``$.coins[2]``, ``header.Idempotency-Key``, ``query.limit``.
        details: plain values; never what was sent, which may be secret.
    """

    def __init__(
        self,
        code: str,
        *,
        status: int | None = None,
        path: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = status or STATUS.get(code, 409)
        self.path = path
        self.details = dict(details or {})
        self.retry_after = RETRY_AFTER_S.get(code) if retry_after is None else retry_after


def malformed(path: str, problem: str, reason: str, *, status: int = 422) -> Problem:
    """
    Return the no to something that cannot be read: 400 when it is broken, 422 when it has another shape.

    Args:
        path: where the fault lies.
        problem: a hint in words, which may change.
        reason: snake_case, stable for ever (docs/reference/codes.md).
        status: the HTTP status.
    """
    return Problem("malformed", status=status, path=path, details={"problem": problem, "reason": reason})


def unfit(path: str, fault: Mapping[str, Any]) -> Problem:
    """Return the no to what pydantic found to have another shape."""
    kind = str(fault["type"])
    found = REASONS.get(kind)
    if found is None:
        found = "wrong_type" if kind.endswith(("_type", "_parsing")) else "invalid_value"
    return malformed(path, HINTS.get(kind, fault["msg"]), found)


def refused(code: str, details: Mapping[str, Any]) -> Problem:
    """Return the rules' no as a door tells it."""
    rest = {name: value for name, value in details.items() if name != "path"}
    return Problem(code, path=details.get("path"), details=rest)


def answer(problem: Problem) -> Response:
    """Return the problem document; it tells the time, since not every no goes through what adds that to answers."""
    body: dict[str, Any] = {
        "type": f"urn:fidchell:problem:{problem.code}",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "code": problem.code,
        "details": problem.details,
    }
    if problem.path is not None:
        body["path"] = problem.path
    headers = {SERVER_TIME: server_time()}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        headers["Retry-After"] = str(problem.retry_after)
    return Response(to_json(body), problem.status, headers, MEDIA_TYPE)


async def _problem(request: Request, fault: Exception) -> Response:
    problem = fault if isinstance(fault, Problem) else _translated(fault)
    request.state.code = problem.code
    response = answer(problem)
    if problem.status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["Allow"] = ", ".join(allowed(request))
    return response


def _translated(fault: Exception) -> Problem:
    match fault:
        case RequestValidationError():
            first = fault.errors()[0]
            return unfit(".".join(map(str, first["loc"])), first)
        case HTTPException():
            return Problem(HTTPStatus(fault.status_code).name.lower(), status=fault.status_code)
        case BusyError() | TooLargeError() | StoreUnusableError() | ClientDisconnect():
            if isinstance(fault, StoreUnusableError) and not isinstance(fault, StoreLostError):
                log.warning(CODES[type(fault)], problem=str(fault))
            return Problem(CODES[type(fault)])
        case RedisError() | OSError() | StoreAwayError():
            log.warning("store_was_away", reason=type(fault).__name__)
            return Problem("store_away")
        case _:
            log.error("request_failed", exc_info=fault)
            return Problem("internal_error")


class Faults:
    """Answers what nobody foresaw, within all that is done for every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as fault:
            if begun:
                raise
            await (await _problem(Request(scope), fault))(scope, receive, send)


def install(app: FastAPI) -> None:
    """Let every fault leave the application as a problem document; a handshake at an address without a socket, too."""
    app.add_middleware(Faults)
    elsewhere = app.router.default

    async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
        default = answer(Problem("not_found")) if scope["type"] == "websocket" else elsewhere
        await default(scope, receive, send)

    app.router.default = nowhere
    for kind in (
        Problem,
        ClientDisconnect,
        RequestValidationError,
        HTTPException,
        BusyError,
        TooLargeError,
        RedisError,
        OSError,
        StoreAwayError,
        StoreUnusableError,
        Exception,
    ):
        app.add_exception_handler(kind, _problem)
