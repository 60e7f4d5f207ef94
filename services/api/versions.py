"""Follows which version of each projection is live, so that readers notice no rebuild."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import redis.asyncio as redis
from redis.exceptions import ConnectionError as BrokenError

from events.log.rebuilds import FIRST
from events.streams import numbered

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
    """

    def __init__(self, client: Callable[[], redis.Redis | redis.RedisCluster]) -> None:
        self._client = client
        self._live: dict[tuple[str, str], int] = {}

    async def read(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401
        """Return the answer of a command to the live version of a projection."""
        return (await self.read_all([Read(live, projection, command)]))[0]

    async def read_all(self, reads: Sequence[Read]) -> list[Any]:
        """
        Return the answers of all reads, in one round trip as long as nothing else has become live.

        The versions are read behind the views and in the same round trip: was one live then, it was live before.
        """
        answers: dict[int, Any] = {}
        left = list(range(len(reads)))
        while left:
            names = dict.fromkeys(reads[place][:2] for place in left)
            numbers = {name: self._live.get(name, FIRST) for name in names}
            async with self._client().pipeline(transaction=False) as pipeline:
                for place in left:
                    live, projection, command = reads[place]
                    pipeline.execute_command(*command(numbered(projection, numbers[live, projection])))
                for live, projection in names:
                    pipeline.execute_command("HGET", live, projection)
                try:
                    found = await pipeline.execute()
                except RuntimeError as fault:  # uvloop's way to say that a connection is closed
                    raise BrokenError(str(fault)) from fault
            for name, number in zip(names, found[len(left) :], strict=True):
                self._live[name] = int(number or FIRST)
            answers |= dict(zip(left, found, strict=False))
            left = [place for place in left if self._live[reads[place][:2]] != numbers[reads[place][:2]]]
        return [answers[place] for place in range(len(reads))]
