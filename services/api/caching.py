"""What whoever keeps answers is told of them: for whom they are, and by which mark to ask whether they still hold."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from events.messages import SPECTATOR, Viewpoint
from services.api.server_time import ANSWERS

OWN: Final = "private, no-cache"
"""Of every answer: it is for its caller alone, and whoever kept it asks before showing it again."""

UNKEPT: Final = "no-store"
"""Of an answer with a token in it: nobody keeps it."""

PATH: Final = "/v1/"
"""Where answers depend on who asks."""

VERSION: Final = r'(W/)?"?(0|[1-9][0-9]{0,14})(-([0-9]{1,2}|spectator))?"?'
"""How a version stands in a header: alone, or as in the mark of a view."""

_version: Final = re.compile(VERSION, re.ASCII)

AnyResponse = TypeVar("AnyResponse", bound=Response)


class Caching:
    """Says of every answer below ``/v1`` that it is its caller's own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not scope.get("path", "").startswith(PATH):
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] in ANSWERS:
                tell_own(message)
            await send(message)

        await self._app(scope, receive, sending)


def tell_own(answer: Message) -> None:
    """Say in what begins an answer that it is its caller's own, unless it says itself that nobody keeps it."""
    answer.setdefault("headers", [])
    told = MutableHeaders(scope=answer)
    told.add_vary_header("Authorization")
    told.setdefault("Cache-Control", OWN)


def unkept(answer: AnyResponse) -> AnyResponse:
    """Return an answer that nobody may keep, since there is a token in it."""
    answer.headers["Cache-Control"] = UNKEPT
    return answer


def mark(viewpoint: Viewpoint, version: int) -> str:
    """Return the ETag of a view: two viewpoints never have the same one, so that none is shown what another was."""
    return f'"{version}-{"spectator" if viewpoint is SPECTATOR else viewpoint}"'


def version_in(text: str) -> int | None:
    """Return the version that a header names, by itself or as the mark of a view; ``None`` where there is none."""
    found = _version.fullmatch(text.strip())
    return int(found[2]) if found else None
