"""The HTTP protocol under the doors, as uvicorn runs it: bounds for what a connection may cost."""

from __future__ import annotations

import asyncio
from asyncio import BaseTransport, TimerHandle
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.api.problems import Problem, answer
from services.settings import Count, Seconds, Settings

HEAD_BYTES: Final = 16_384
"""Bytes of a request's head; and of all else that comes with a body and is none of it."""

SIP_BYTES: Final = 2_048
"""What is taken of a connection in one turn of the event loop: a frame or a request may be as short as a few bytes."""

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

    connections: Count = 5_000
    head_s: Seconds = 10.0
    body_s: Seconds = 30.0


class _Phase(Enum):
    IDLE = auto()
    HEAD = auto()
    BODY = auto()
    OVER = auto()


class _Flow(FlowControl):
    """
    uvicorn's, except that nothing more is read while some of what was read is ``held`` back.

    Args:
        go_on: asks for that to be taken, until the connection has ended.
    """

    def __init__(self, transport: asyncio.Transport, go_on: Callable[[], None]) -> None:
        super().__init__(transport)
        self.held = False
        self.go_on: Callable[[], None] | None = go_on

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()
        elif self.go_on is not None:
            self.go_on()


class BoundedProtocol(HttpToolsProtocol):
    """
    uvicorn's protocol, which by itself waits for ever, keeps a head of any size, and requests in any number.

    Here what was read is taken in sips, one in a turn of the event loop, and none while an answer is due: so requests
    that come without waiting for the answers (pipelined) wait where they are read, and are few.
    """

    bounds: Bounds

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as uvicorn calls it
        super().__init__(*args, **kwargs)
        self._phase = _Phase.HEAD
        self._unclaimed = 0
        self._unread = b""
        self._sips = False
        self._due = 0
        self._last_word: Problem | None = None
        self._is_ended = False
        self._timer: TimerHandle | None = None
        self._stalled: TimerHandle | None = None

    # how many, how large

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self.flow: _Flow = _Flow(self.transport, self._sip_soon)
        self._within(self.bounds.head_s)
        if len(self.connections) > self.bounds.connections:
            self._refuse(Problem("too_many_connections", details={"limit": self.bounds.connections}))

    def data_received(self, data: bytes) -> None:
        if self._may_take and not self._unread and len(data) <= SIP_BYTES:
            self._take(data)
        elif self._is_open:
            self._unread += data
            self._hold()
            self._sip_soon()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the line open while an answer is due: it is only said that nothing more will be asked."""
        self._is_ended = self._phase is not _Phase.BODY
        return self._is_ended and bool(self._due or self._unread)

    @property
    def _is_open(self) -> bool:
        return self._phase is not _Phase.OVER and not self.transport.is_closing()

    @property
    def _may_take(self) -> bool:
        """Whether the next sip may be taken: more of a body if there is room, or what no answer is due before."""
        if self._phase is _Phase.BODY:
            return self.cycle.response_complete or len(self.cycle.body) <= HIGH_WATER_LIMIT
        return not self._due

    def _hold(self) -> None:
        self.flow.pause_reading()
        self.flow.held = True

    def _sip_soon(self) -> None:
        if not self._sips:
            self._sips = True
            self.loop.call_soon(self._sip)

    def _sip(self) -> None:
        """Take the next sip; what then keeps the next one back asks for it when it is over."""
        self._sips = False
        if self._is_open and self._unread and self._may_take:
            sip, self._unread = self._unread[:SIP_BYTES], self._unread[SIP_BYTES:]
            self._take(sip)
        if not self._is_open:
            return
        if not self._unread:
            self.flow.held = False
            self.flow.resume_reading()
            self._end_if_done()
        elif self._may_take:
            self._sip_soon()

    def _take(self, data: bytes) -> None:
        if self._phase is _Phase.IDLE:
            self._enter(_Phase.HEAD, self.bounds.head_s)
        while data and self._is_open:
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
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is before:  # a handshake; whatever it has for a body is none
            return
        self._enter(_Phase.BODY, self.bounds.body_s)
        self._due += 1
        if self.expect_100_continue:  # whoever asks and is answered otherwise may send the body or leave it out
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._unclaimed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._enter(_Phase.IDLE, None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        if self._due:
            self._refuse(_malformed("a handshake behind a request that is not answered yet", "not_websocket"))
            return
        self._enter(_Phase.OVER, None)
        self.flow.held = False
        self.flow.resume_reading()
        super().handle_websocket_upgrade()
        self._let_go()

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
        self._due -= 1
        super().on_response_complete()
        if self.transport.is_closing():
            self._within(GOODBYE_S)
        else:
            self._end_if_done()

    def _end_if_done(self) -> None:
        """End when all is answered and nothing more will be asked, or be understood."""
        if self._due or self._unread:
            return
        if self._last_word is not None:
            self._refuse(self._last_word)
        elif self._is_ended:
            self._close()

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._enter(_Phase.OVER, None)
        self._stall_no_more()
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """Part from what holds this and is held by it, so that none stays until somebody looks for such circles."""
        self.parser = None  # type: ignore[assignment]
        self.flow.go_on = None

    # how it ends

    def send_400_response(self, msg: str) -> None:
        self._refuse(_malformed(msg, "not_http"))

    def _refuse(self, problem: Problem) -> None:
        """Answer when all that was asked before is answered, unless this was answered itself, and close."""
        is_whole = self._phase is not _Phase.BODY
        if not is_whole and (self.cycle.response_started or self.cycle.response_complete):
            self._close()
            return
        if not is_whole:
            self._due -= 1
            if self._due:
                self.pipeline.popleft()
        self._unread = b""
        if self._due:
            self._last_word = problem
            self._enter(_Phase.OVER, None)
            self._hold()
            return
        if not self.transport.is_closing():
            response = answer(problem)
            head = [b"%s: %s\r\n" % header for header in response.raw_headers]
            status = f"HTTP/1.1 {problem.status} \r\n".encode()
            self.transport.write(b"".join([status, *head, b"connection: close\r\n\r\n", bytes(response.body)]))
        self._close()

    def _close(self) -> None:
        self._enter(_Phase.OVER, GOODBYE_S)
        self.transport.close()


def _malformed(problem: str, reason: str) -> Problem:
    return Problem("malformed", status=HTTPStatus.BAD_REQUEST, details={"problem": problem, "reason": reason})


def protocol(bounds: Bounds) -> type[asyncio.Protocol]:
    """Return the protocol with these bounds, for uvicorn's setting ``http``."""
    return type("HttpProtocol", (BoundedProtocol,), {"bounds": bounds})
