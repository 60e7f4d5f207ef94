"""Which pages may ask from a browser: the origins that each platform has listed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import structlog
from redis.exceptions import RedisError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from events.log.errors import StoreAwayError, StoreUnusableError
from services.api.credentials import BELIEVED_S
from services.api.platforms import PlatformRecord
from services.api.problems import Problem
from services.api.server_time import SERVER_TIME
from services.api.store import ApiStore

METHODS: Final = "GET, POST, DELETE"
ASKED: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
TOLD: Final = f"ETag, Location, Retry-After, {SERVER_TIME}"
REQUEST_METHOD: Final = "access-control-request-method"
PREFLIGHT_S: Final = 600
"""How long a browser may go by the answer to its question."""

log = structlog.get_logger()


class Origins:
    """Which origins each platform has listed, as it was read at most five seconds ago."""

    def __init__(self) -> None:
        self._platforms: Mapping[str, PlatformRecord] = {}
        self._until = 0.0

    async def read(self, store: ApiStore) -> Mapping[str, PlatformRecord]:
        """Return what is set for platforms; what was read last while the store is away."""
        if time.monotonic() >= self._until:
            try:
                self._platforms = await store.platforms()
            except (RedisError, OSError, Problem, StoreAwayError, StoreUnusableError) as fault:
                log.warning("origins_were_not_read", reason=type(fault).__name__)
            self._until = time.monotonic() + BELIEVED_S
        return self._platforms


class Cors:
    """
    Says to browsers which pages may read an answer, whatever it is and whoever gave it.

    Before a token is known, every origin that any platform has listed may ask; what a token of a platform was
    answered is for that platform's own pages alone.
    """

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = _origin(scope)
        if origin is None:
            await self._app(scope, receive, send)
            return
        platforms = await self._origins.read(scope["app"].state.doors.store)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                told.add_vary_header("Origin")
                caller = scope.get("state", {}).get("caller")
                if _may_ask(platforms, origin, getattr(caller, "platform", None)):
                    told["Access-Control-Allow-Origin"] = origin
                    told["Access-Control-Expose-Headers"] = TOLD
            await send(message)

        await self._app(scope, receive, sending)


class Preflights:
    """Answers what a browser asks before a request; who may read that, ``Cors`` says as of any answer."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = _origin(scope)
        if origin is None or scope["method"] != "OPTIONS" or REQUEST_METHOD not in Headers(scope=scope):
            await self._app(scope, receive, send)
            return
        answer = Response(status_code=HTTPStatus.NO_CONTENT)
        if _may_ask(await self._origins.read(scope["app"].state.doors.store), origin, None):
            answer.headers["Access-Control-Allow-Methods"] = METHODS
            answer.headers["Access-Control-Allow-Headers"] = ASKED
            answer.headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
        await answer(scope, receive, send)


def _origin(scope: Scope) -> str | None:
    return Headers(scope=scope).get("origin") if scope["type"] == "http" else None


def _may_ask(platforms: Mapping[str, PlatformRecord], origin: str, platform: str | None) -> bool:
    known = platforms.values() if platform is None else [platforms.get(platform, PlatformRecord())]
    return any(origin in each.origins for each in known)
