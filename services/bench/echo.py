"""The same server without a service behind it: what sockets alone cost. ``python -m services.bench.echo PORT``."""

from __future__ import annotations

import sys
from typing import Final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from services.bench.seats import PATH
from services.live.wire import UVICORN, LiveProtocol

SIZES: Final = (600, 9_000)
"""Bytes of steps and of a view at a table of four, as they are on average."""


class _Said(msgspec.Struct):
    token: str | None = None
    follow: str | None = None
    seat: int = 0
    table: str | None = None


class Echo:
    """Answers each command, and sends everybody at its table what has the size of steps and a view."""

    def __init__(self) -> None:
        self._tables: dict[str, list[WebSocket]] = {}
        self._versions: dict[str, int] = {}
        self._read = msgspec.json.Decoder(_Said).decode

    async def serve(self, line: WebSocket) -> None:
        """Serve a client until it goes."""
        await line.accept()
        async for text in line.iter_text():
            said = self._read(text)
            if said.token is not None:
                await line.send_text('{"kind":"welcome"}')
            elif said.follow is not None:
                self._tables.setdefault(said.follow, []).append(line)
                await line.send_text(_view(said.follow, 1))
            elif said.table is not None:
                version = self._versions[said.table] = self._versions.get(said.table, 1) + 1
                await line.send_text(f'{{"kind":"accepted","last":{version}}}')
                view = _view(said.table, version)
                for each in self._tables[said.table]:
                    await each.send_text('{"kind":"steps","chapters":"' + "x" * SIZES[0] + '"}')
                    await each.send_text(view)


def _view(table: str, version: int) -> str:
    board = "x" * SIZES[1]
    return (
        f'{{"kind":"view","table":"{table}","version":{version},'
        f'"view":{{"status":"running","legal":[{{"kind":"pass_turn"}}],"board":"{board}"}}}}'
    )


def main(port: int) -> None:
    """Serve until told to stop."""
    app = Starlette(routes=[WebSocketRoute(PATH, Echo().serve), Route("/readyz", _readyz)])
    uvicorn.run(
        app, port=port, loop="uvloop", http="httptools", log_config=None, access_log=False, ws=LiveProtocol, **UVICORN
    )


async def _readyz(request: Request) -> JSONResponse:
    return JSONResponse({"listening": True})


if __name__ == "__main__":
    main(int(sys.argv[1]))
