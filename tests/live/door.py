"""A live door on a port of its own, and clients that speak through it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from events.messages import kind_of
from services.api.app import create_app
from services.api.wire import Bounds
from services.api.words import serving
from services.live.live import Live
from services.live.news import ALL, ANSWERS, UNASKED
from services.live.settings import LiveSettings
from services.live.wishes import WISHES
from tests.services.house import Client, House, Table
from tests.until import PATIENCE_S

Json = dict[str, Any]


class Line:
    """
    A client's socket.

    Args:
        heard: everything that was said to it.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.said = 0
        self.heard: list[Json] = []
        self._verbs: dict[int, str] = {}
        self._next = 0

    async def say(self, **message: object) -> int:
        """Say something and return its number; ``after`` stands for ``from``."""
        if "after" in message:
            message["from"] = message.pop("after")
        verb = next((verb for verb in reversed(WISHES) if verb in message), None)
        if verb is not None:
            self._verbs[self.said + 1] = verb
        return await self.say_text(json.dumps(message))

    async def say_text(self, text: str | bytes) -> int:
        """Say what may be no message at all."""
        await self.socket.send(text)
        self.said += 1
        return self.said

    async def hear(self, fits: Callable[[Json], object] = lambda _: True) -> Json:
        """Return the next message that fits; those before are only kept in ``heard``."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while self._next < len(self.heard):
                    self._next += 1
                    if fits(self.heard[self._next - 1]):
                        return self.heard[self._next - 1]
                self.heard.append(self._described(json.loads(await self.socket.recv())))

    def _described(self, news: Json) -> Json:
        """Every answer is one that the description knows for such a message, and what nobody asked for is as well."""
        verb = self._verbs.get(news.get("re", 0))
        known = UNASKED if "re" not in news else ALL if verb is None else ANSWERS[verb]
        assert news["kind"] in {kind_of(each.__name__) for each in known}, (verb, news["kind"])
        return news

    async def kind(self, kind: str, **more: object) -> Json:
        """Return the next message of a kind."""
        return await self.hear(lambda each: each["kind"] == kind and more.items() <= each.items())

    async def answer(self, number: int) -> Json:
        """Return the answer to a message, whatever was said before it."""
        return next((each for each in self.heard if each.get("re") == number), None) or await self.hear(
            lambda each: each.get("re") == number
        )

    async def ask(self, **message: object) -> Json:
        """Say something and return the answer; a command that has none in time is said again."""
        while (answer := await self.ask_once(**message))["kind"] == "pending":
            pass
        return answer

    async def ask_once(self, **message: object) -> Json:
        """Say something and return whatever it is answered, also that there is no answer yet."""
        return await self.answer(await self.say(**message))

    async def version(self, version: int, **more: object) -> Json:
        """Return the first view of at least a version, whether it was heard before or comes."""

        def fits(each: Json) -> bool:
            return each["kind"] == "view" and each["version"] >= version and more.items() <= each.items()

        return next(filter(fits, self.heard), None) or await self.hear(fits)

    async def closed(self) -> tuple[int, str]:
        """Return code and reason once the other side closed it."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while True:
                    self.heard.append(json.loads(await self.socket.recv()))
            except ConnectionClosed as fault:
                close = fault.rcvd
        return (1006, "") if close is None else (int(close.code), close.reason)

    async def told(self, table: str, seat: int | None, version: int) -> int:
        """Return the newest version told, once it is at least this one."""
        while not (chapters := self.chapters(table, seat)) or chapters[-1]["last"] < version:
            await self.kind("steps", table=table, seat=seat)
        return int(chapters[-1]["last"])

    def chapters(self, table: str, seat: int | None) -> list[Json]:
        """Return what was told of a table so far."""
        return [
            chapter
            for each in self.heard
            if each["kind"] == "steps" and (each["table"], each["seat"]) == (table, seat)
            for chapter in each["chapters"]
        ]


class Door:
    """
    An API process's live door.

    Args:
        client: asks the same process over HTTP.
    """

    def __init__(self, app: FastAPI, server: uvicorn.Server, client: Client) -> None:
        self.app = app
        self.server = server
        self.port = int(server.servers[0].sockets[0].getsockname()[1])
        self.client = client

    @property
    def live(self) -> Live:
        """Return what stands behind the door."""
        live: Live = self.app.state.live
        return live

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[Line]:
        """Give a socket on which nothing was said yet."""
        async with connect(f"ws://127.0.0.1:{self.port}/v1/live", max_size=None, compression=None) as socket:
            yield Line(socket)

    @asynccontextmanager
    async def line(self, token: str) -> AsyncIterator[Line]:
        """Give a socket that was made welcome."""
        async with self.socket() as line:
            assert "welcome" == (await line.ask(token=token))["kind"]
            yield line

    async def play(self, table: Table, seat: int) -> int:
        """Make the first move that a seat is offered, over HTTP; return the version it made."""
        played = await self.client.play(table, seat, (await self.client.legal(table, seat))[0])
        assert played.status_code == 200, played.text
        return int(played.json()["version"])

    async def history(self, table: Table, token: str, after: int = 0) -> list[Json]:
        """Return what HTTP tells of a table."""
        told = await self.client.ask("GET", f"/v1/tables/{table.name}/history?limit=500&from={after}", token)
        return list(told.json()["chapters"])


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the tests."""
        yield


@asynccontextmanager
async def a_door(
    house: House,
    *,
    live: dict[str, Any] | None = None,
    bounds: dict[str, Any] | None = None,
    **settings: Any,  # noqa: ANN401  any setting
) -> AsyncIterator[Door]:
    """Open a door of a process of its own, in this one."""
    chosen = house.settings(**settings)
    app = create_app(chosen, LiveSettings(**(live or {})))
    server = _Server(uvicorn.Config(app, port=0, **serving(chosen, Bounds(**(bounds or {})))))
    served = asyncio.create_task(server.serve())
    try:
        while not (server.started and app.state.doors.wakes.listening):
            assert not served.done()
            await asyncio.sleep(0.005)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://doors") as http:
            yield Door(app, server, Client(http, house, app.state.doors))
    finally:
        server.should_exit = True
        await served
