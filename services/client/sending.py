"""How the clients ask: the operations run over connections of their own, one way for asyncio and one without."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from services.client.asking import Asking, Lost, Reply, Request
from services.client.common import LIMITS, PATIENCE_S, TIMEOUT_S, Caller, lost, reply_of
from services.client.given import timeout_of
from services.client.life import shut

T = TypeVar("T")


class AsyncSending(Caller):
    """Sends requests without keeping other tasks waiting."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience_s: float = PATIENCE_S,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(url, token, patience_s)
        self._http = httpx.AsyncClient(
            base_url=self.url, timeout=timeout_of(timeout_s), transport=transport, limits=LIMITS
        )

    async def aclose(self) -> None:
        """End whatever waits in this client's name, and give the connections back."""
        self._life.end()
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self, asking: Asking[T]) -> T:
        answer: Reply | Lost | None = None
        async with self._life.waiting():
            try:
                while True:
                    step = asking.send(answer)
                    if isinstance(step, Request):
                        answer = await self._send(step)
                    else:
                        await asyncio.sleep(step.seconds)
            except StopIteration as end:
                result: T = end.value
                return result

    async def _send(self, request: Request) -> Reply | Lost:
        try:
            return reply_of(await self._http.request(**self._sent(request)))
        except httpx.RequestError as fault:
            self._life.require()
            return lost(fault)
        except RuntimeError:
            self._life.require()
            raise


class Sending(Caller):
    """Sends requests, each in the caller's own thread."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience_s: float = PATIENCE_S,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(url, token, patience_s)
        self._http = httpx.Client(base_url=self.url, timeout=timeout_of(timeout_s), transport=transport, limits=LIMITS)

    def close(self) -> None:
        """End whatever waits in this client's name, and give the connections back."""
        self._life.end()
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, asking: Asking[T]) -> T:
        answer: Reply | Lost | None = None
        try:
            while True:
                step = asking.send(answer)
                if isinstance(step, Request):
                    answer = self._send(step)
                else:
                    self._life.pause(step.seconds)
        except StopIteration as end:
            result: T = end.value
            return result

    def _send(self, request: Request) -> Reply | Lost:
        try:
            asked = partial(self._http.request, **self._sent(request), extensions={"trace": self._hold})
            return reply_of(self._life.apart(asked))
        except httpx.RequestError as fault:
            self._life.require()
            return lost(fault)
        except RuntimeError:
            self._life.require()
            raise

    def _hold(self, happened: str, more: Mapping[str, Any]) -> None:
        """Know each connection from when it is open, so that who waits for an answer on it is woken at the end."""
        if happened.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._life.hold(more["return_value"].get_extra_info("socket"), shut)
