"""One line for each request that changed or refused something; never a token, never a body."""

from __future__ import annotations

import logging
import time
from http import HTTPStatus

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.doorkeeper import TABLE_NAME

log = structlog.get_logger()


class RequestsLog:
    """Notes every request when it was answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])  # may be an enum, which a line would show by its name
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            route = scope.get("route")
            looked = scope["method"] == "GET" and status < HTTPStatus.BAD_REQUEST
            log.log(
                logging.DEBUG if looked else logging.INFO,
                "request_answered",
                method=scope["method"],
                route=getattr(route, "path", None),
                table=_table(scope),
                status=status,
                code=scope.get("state", {}).get("code"),
                ms=round((time.perf_counter() - began) * 1000, 1),
            )


def _table(scope: Scope) -> str | None:
    """Return which table was asked for; what no table is called is not noted, since it may be anything."""
    table = scope.get("path_params", {}).get("table", "")
    return table if TABLE_NAME.fullmatch(table) else None
