"""Sends commands to the store together: all that come while others are on their way go in one round trip."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import redis.asyncio as redis
from redis.exceptions import ConnectionError as BrokenError

MOST: Final = 200
"""Commands in one round trip."""

Command = tuple[str | bytes | int, ...]


class Together:
    """
    Sends single commands whose order among each other does not matter; ``idle`` is set while none is under way.

    A round trip costs the doors far more than a command in it; one that takes longer than ``within_s`` seconds fails.
    """

    def __init__(self, client: Callable[[], redis.Redis], *, within_s: float) -> None:
        self._client = client
        self._within_s = within_s
        self._waiting: list[tuple[Command, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None
        self.idle = asyncio.Event()
        self.idle.set()

    async def __call__(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if self._task is None:
            self.idle.clear()
            self._task = asyncio.create_task(self._send_all())
        return await answer

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                sent, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._send(sent)
        finally:
            self._task = None
            self.idle.set()

    async def _send(self, sent: Sequence[tuple[Command, asyncio.Future[Any]]]) -> None:
        found: Sequence[Any]
        try:
            async with asyncio.timeout(self._within_s), self._client().pipeline(transaction=False) as pipeline:
                for command, _ in sent:
                    pipeline.execute_command(*command)
                found = await pipeline.execute(raise_on_error=False)
        except RuntimeError as fault:  # uvloop's way to say that a connection is closed
            found = [BrokenError(str(fault))] * len(sent)
        except Exception as fault:  # noqa: BLE001  whoever waits hears of it
            found = [fault] * len(sent)
        for (_, answer), value in zip(sent, found, strict=True):
            if answer.done():  # whoever waited has gone
                continue
            if isinstance(value, Exception):
                answer.set_exception(value)
            else:
                answer.set_result(value)
