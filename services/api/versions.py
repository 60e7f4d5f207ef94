"""Follows which version of each projection is live, so that readers notice no rebuild."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import redis.asyncio as redis

from events.log.rebuilds import FIRST
from events.streams import numbered

Command = Sequence[str | bytes | int]


class LiveVersions:
    """
    Reads from what is live; what was live the last time is asked for first.

    Args:
        client: returns the client to read with; both keys of a read lie in one slot.
    """

    def __init__(self, client: Callable[[], redis.Redis | redis.RedisCluster]) -> None:
        self._client = client
        self._live: dict[tuple[str, str], int] = {}

    async def read(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401
        """
        Return the answer of a command to the live version of a projection.

        The version is read behind the views and in the same round trip: was it live then, it was live before.

        Args:
            live: key of the hash that says what is live.
            projection: name without a number.
            command: what to ask, given name and number.
        """
        while True:
            number = self._live.get((live, projection), FIRST)
            async with self._client().pipeline(transaction=False) as pipeline:
                pipeline.execute_command(*command(numbered(projection, number)))
                pipeline.execute_command("HGET", live, projection)
                answer, found = await pipeline.execute()
            if int(found or FIRST) == number:
                return answer
            self._live[live, projection] = int(found or FIRST)
