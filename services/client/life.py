"""How long a client lives: whatever waits in its name ends with it, be it a thread, a task or a socket."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from services.client.problems import CLOSED, ProblemError

T = TypeVar("T")


class Life:
    """
    Of a client and of all that share its connections; it ends once, from whichever thread.

    Whoever ends it waits for nobody, so also who is held by it may: a loop over news, a signal's handler.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._over = False
        self._held: WeakKeyDictionary[Any, Callable[[Any], object]] = WeakKeyDictionary()

    @property
    def over(self) -> bool:
        return self._over

    def require(self) -> None:
        """Raise ``closed`` when it is over."""
        if self._over:
            raise ProblemError(CLOSED) from None

    def end(self) -> None:
        """End everything that is held."""
        with self._lock:
            self._over = True
            held, self._held = list(self._held.items()), WeakKeyDictionary()
        for thing, end in held:
            end(thing)

    def hold(self, thing: T, end: Callable[[T], object]) -> T:
        """Return the thing, which is ended with this life if it is still there: at once, when that is over."""
        with self._lock:
            if not self._over:
                self._held[thing] = end
                return thing
        end(thing)
        return thing

    def pause(self, seconds: float) -> None:
        """Keep this thread waiting; ``closed`` as soon as it is over."""
        with suppress(Empty):
            self.hold(SimpleQueue[None](), _ring).get(timeout=seconds)
        self.require()

    def apart(self, work: Callable[[], T]) -> T:
        """
        Return what comes of work that cannot be interrupted; ``closed`` as soon as it is over, whatever comes of it.

        A thread of its own does it, since nothing else wakes one that looks up a name or opens a connection.
        """
        self.require()
        done: Future[T] = Future()
        bell = self.hold(SimpleQueue[None](), _ring)

        def run() -> None:
            try:
                done.set_result(work())
            except BaseException as fault:  # noqa: BLE001  it is raised where it is waited for
                done.set_exception(fault)
            _ring(bell)

        threading.Thread(target=run, name="services.client", daemon=True).start()
        bell.get()
        if not done.done():
            self.require()
        return done.result()

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """Let this task wait inside the block; ``closed`` as soon as it is over."""
        self.require()
        loop = asyncio.get_running_loop()
        scope = asyncio.timeout(None)

        def expire(scope: asyncio.Timeout) -> None:
            with suppress(RuntimeError):  # the block has ended
                scope.reschedule(loop.time())

        try:
            async with scope:
                self.hold(scope, lambda scope: _tell(loop, expire, scope))
                yield
        except TimeoutError:
            if scope.expired():
                self.require()
            raise


def _ring(bell: SimpleQueue[None]) -> None:
    bell.put(None)


def _tell(loop: asyncio.AbstractEventLoop, told: Callable[..., object], *what: object) -> None:
    with suppress(RuntimeError):  # the loop is closed, and all that ran in it
        loop.call_soon_threadsafe(told, *what)


def aborter() -> Callable[[Any], object]:
    """Return what breaks a socket of this task's loop, from whichever thread."""
    loop = asyncio.get_running_loop()
    return lambda connection: _tell(loop, connection.transport.abort)


def shut(plain: socket.socket) -> None:
    """Break a plain socket: whoever sends or hears on it in another thread is woken, which closing alone would not."""
    with suppress(OSError):  # it is gone already
        socket.socket.shutdown(plain, socket.SHUT_RDWR)  # past that of TLS, under which nobody may be reading


def cut(connection: Any) -> None:  # noqa: ANN401  a plain WebSocket connection
    """Break a socket of the live door, and end the thread that hears on it, also when nobody takes what it heard."""
    shut(connection.socket)
    with suppress(RuntimeError):  # the program is ending
        threading.Thread(target=connection.close_socket, name="services.client", daemon=True).start()
