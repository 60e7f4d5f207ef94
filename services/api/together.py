"""Sends commands to the store together: all that come while others are on their way go in one round trip."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from services.api.line import Command

MOST: Final = 200
"""Commands in one round trip."""


class Together:
    """
    Sends single commands whose order among each other does not matter.

    A round trip costs the doors far more than a command in it. Whoever has waited ``within_s`` seconds waits no longer,
    and what was not sent by then is not sent at all.
    """

    def __init__(self, ask: Callable[[Sequence[Command]], Awaitable[list[Any]]], *, within_s: float) -> None:
        self._ask = ask
        self._within_s = within_s
        self._waiting: list[tuple[Command, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command gives
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())
        async with asyncio.timeout(self._within_s):
            return await answer

    async def _send_all(self) -> None:
        try:
            while waiting := [each for each in self._waiting if not each[1].done()]:
                sent, self._waiting = waiting[:MOST], waiting[MOST:]
                await self._send(sent)
        finally:
            self._waiting = []
            self._task = None

    async def _send(self, sent: Sequence[tuple[Command, asyncio.Future[Any]]]) -> None:
        found: Sequence[Any]
        try:
            found = await self._ask([command for command, _ in sent])
        except Exception as fault:  # noqa: BLE001  whoever waits hears of it
            found = [fault] * len(sent)
        for (_, answer), value in zip(sent, found, strict=True):
            if answer.done():  # whoever waited has gone
                continue
            if isinstance(value, Exception):
                answer.set_exception(value)
            else:
                answer.set_result(value)
