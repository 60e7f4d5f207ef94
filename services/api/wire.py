"""The HTTP protocol under the doors, as uvicorn runs it: bounds for what a connection may cost."""

from __future__ import annotations

import asyncio
from asyncio import BaseTransport, TimerHandle
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, Final

from pydantic import Field
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.api.problems import Problem, answer
from services.api.server_time import SERVER_TIME, server_time
from services.settings import Settings

HEAD_BYTES: Final = 16_384
"""Bytes of a request's head; and of all else that comes with a body and is none of it."""

GOODBYE_S: Final = 2.0
"""How long a client may take to read the last answer of a connection that is closed."""


class Bounds(Settings):
    """
    Bounds of connections.

    Args:
        connections: open connections of a process, sockets among them.
        head_s: seconds until the head of a request must have come, from the opening of the connection on.
        body_s: seconds until its body must have come; in as many must the client take what is sent.
    """

    connections: int = Field(default=5_000, gt=0)
    head_s: float = Field(default=10.0, gt=0)
    body_s: float = Field(default=30.0, gt=0)


class _Phase(Enum):
    IDLE = auto()
    HEAD = auto()
    BODY = auto()
    OVER = auto()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for ever, and keeps a head of any size."""

    bounds: Bounds

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as uvicorn calls it
        super().__init__(*args, **kwargs)
        self._phase = _Phase.HEAD
        self._unclaimed = 0
        self._timer: TimerHandle | None = None
        self._stalled: TimerHandle | None = None

    # how many, how large

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._within(self.bounds.head_s)
        if len(self.connections) > self.bounds.connections:
            self._refuse(Problem("too_many_connections", details={"limit": self.bounds.connections}))

    def data_received(self, data: bytes) -> None:
        if self._phase is _Phase.IDLE:
            self._enter(_Phase.HEAD, self.bounds.head_s)
        while data and self._phase is not _Phase.OVER and not self.transport.is_closing():
            room = HEAD_BYTES + 1 - self._unclaimed
            piece, data = data[:room], data[room:]
            self._unclaimed += len(piece)
            super().data_received(piece)
            if self._unclaimed > HEAD_BYTES:
                self._refuse(Problem("head_too_large", details={"limit": HEAD_BYTES}))

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._phase is _Phase.HEAD:  # nobody reads what comes behind a body
            super().on_header(name, value)

    def on_message_begin(self) -> None:
        if self._phase is _Phase.IDLE:
            self._enter(_Phase.HEAD, self.bounds.head_s)
            self._unclaimed = 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._enter(_Phase.BODY, self.bounds.body_s)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unclaimed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._enter(_Phase.IDLE, None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._enter(_Phase.OVER, None)
        super().handle_websocket_upgrade()

    def _enter(self, phase: _Phase, seconds: float | None) -> None:
        self._phase = phase
        self._unclaimed = 0
        self._within(seconds)

    # how long

    def _within(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self.transport.is_closing():
            self.transport.abort()
        elif self.flow.read_paused:  # it is not the client who lets us wait
            self._within(self.bounds.head_s)
        elif self._phase is _Phase.HEAD and not self._unclaimed:
            self._close()
        else:
            self._refuse(Problem("request_too_slow"))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.bounds.body_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stall_no_more()

    def _stall_no_more(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._within(GOODBYE_S)

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._enter(_Phase.OVER, None)
        self._stall_no_more()
        super().connection_lost(exc)

    # how it ends

    def send_400_response(self, msg: str) -> None:
        self._refuse(
            Problem("malformed", status=HTTPStatus.BAD_REQUEST, details={"problem": msg, "reason": "not_http"})
        )

    def _refuse(self, problem: Problem) -> None:
        """Answer, where no other answer is due before, and close."""
        if self._may_answer and not self.transport.is_closing():
            response = answer(problem)
            response.headers[SERVER_TIME] = server_time()
            head = [b"%s: %s\r\n" % header for header in response.raw_headers]
            status = f"HTTP/1.1 {problem.status} \r\n".encode()
            self.transport.write(b"".join([status, *head, b"connection: close\r\n\r\n", bytes(response.body)]))
        self._close()

    @property
    def _may_answer(self) -> bool:
        if self.cycle is None or self.cycle.response_complete:
            return True
        return self._phase is _Phase.BODY and not self.pipeline and not self.cycle.response_started

    def _close(self) -> None:
        self._enter(_Phase.OVER, GOODBYE_S)
        self.transport.close()


def protocol(bounds: Bounds) -> type[asyncio.Protocol]:
    """Return the protocol with these bounds, for uvicorn's setting ``http``."""
    return type("HttpProtocol", (BoundedProtocol,), {"bounds": bounds})
