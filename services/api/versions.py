"""Follows which version of each projection is live, so that readers notice no rebuild."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import redis.asyncio as redis
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import ResponseError

from events.log.rebuilds import FIRST
from events.streams import numbered
from services.api.damage import StoreDamagedError, is_damage, whole

Command = Sequence[str | bytes | int]


class Read(NamedTuple):
    """
    What is read of a projection.

    Args:
        live: key of the hash that says what is live.
        projection: name without a number.
        command: what to ask, given name and number.
    """

    live: str
    projection: str
    command: Callable[[str], Command]


class LiveVersions:
    """
    Reads from what is live; what was live the last time is asked for first.

    Args:
        client: returns the client to read with; the keys of a read lie in one slot.
        deadline: gives the seconds within which a round trip is answered, or fails with ``TimeoutError``; ``None``
            where its client is left to decide.
    """

    def __init__(
        self, client: Callable[[], redis.Redis | redis.RedisCluster], *, deadline: Callable[[], float | None]
    ) -> None:
        self._client = client
        self._deadline = deadline
        self._live: dict[tuple[str, str], int] = {}

    async def read(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401  as below
        """Return the answer of a command to the live version of a projection, or raise ``StoreDamagedError``."""
        answer = (await self.read_all([Read(live, projection, command)]))[0]
        if isinstance(answer, StoreDamagedError):
            raise answer
        return answer

    async def read_all(self, reads: Sequence[Read]) -> list[Any]:
        """
        Return the answers of all reads, in one round trip as long as nothing else has become live.

        The versions are read behind the views and in the same round trip: was one live then, it was live before.
        A key that was written over spoils its own answer alone, which is then a ``StoreDamagedError``.
        """
        answers: dict[int, Any] = {}
        left = list(range(len(reads)))
        while left:
            names = dict.fromkeys(reads[place][:2] for place in left)
            numbers = {name: self._live.get(name, FIRST) for name in names}
            asked = [
                reads[place].command(numbered(reads[place].projection, numbers[reads[place][:2]])) for place in left
            ]
            found = await self._ask([*asked, *(("HGET", *name) for name in names)])
            answers |= dict(zip(left, found, strict=False))
            damaged = {}
            for name, number in zip(names, found[len(left) :], strict=True):
                try:
                    self._live[name] = _number(name[0], number)
                except StoreDamagedError as fault:
                    damaged[name] = fault
            answers |= {place: damaged[reads[place][:2]] for place in left if reads[place][:2] in damaged}
            left = [
                place
                for place in left
                if reads[place][:2] not in damaged and self._live[reads[place][:2]] != numbers[reads[place][:2]]
            ]
        return [answers[place] for place in range(len(reads))]

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers of commands; where any of them is damaged, each apart from the others."""
        try:
            return await self._send(commands, raise_on_error=True)
        except ResponseError as fault:
            if not is_damage(fault):
                raise
        found = await self._send(commands, raise_on_error=False)
        answers = []
        for command, answer in zip(commands, found, strict=True):
            if isinstance(answer, Exception) and not is_damage(answer):
                raise answer
            answers.append(StoreDamagedError(str(command[1])) if isinstance(answer, Exception) else answer)
        return answers

    async def _send(self, commands: Sequence[Command], *, raise_on_error: bool) -> list[Any]:
        async with asyncio.timeout(self._deadline()), self._client().pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            try:
                return list(await pipeline.execute(raise_on_error=raise_on_error))
            except RuntimeError as fault:  # uvloop's way to say that a connection is closed
                raise BrokenError(str(fault)) from fault


def _number(live: str, found: Any) -> int:  # noqa: ANN401  what the command gives
    if isinstance(found, StoreDamagedError):
        raise found
    with whole(live):
        return int(found or FIRST)
