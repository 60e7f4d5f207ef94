"""Watches from aside how long commands wait without anything being done."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self

import redis

from events.streams import Partition

LOOK_S = 0.03
FLOWS_S = 0.5
MOST_S = 0.1
"""What one look may count for: when this thread itself gets no turn for longer, nobody does."""


class Watch:
    """
    Measures the longest time in which a partition had commands and did none.

    Time in which the server does not answer is not counted.
    """

    def __init__(self, client: Any, partitions: Sequence[Partition]) -> None:  # noqa: ANN401  of a server or a cluster
        self._client = client
        self._partitions = partitions
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch")
        self._waited = dict.fromkeys(partitions, 0.0)
        self._seen: dict[Partition, bytes] = {}
        self.longest = 0.0
        self.where = ""
        self.away = 0.0

    @property
    def flows(self) -> bool:
        """Whether no command has been waiting for long."""
        return max(self._waited.values()) < FLOWS_S

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._client.close()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._stop.wait(LOOK_S):
            found = self._look()
            now = time.monotonic()
            passed, last = min(now - last, MOST_S), now
            if found is None:
                self.away += passed
                continue
            for partition, (position, newest) in zip(self._partitions, found, strict=True):
                if newest in {None, position} or self._seen.get(partition) != position:
                    self._seen[partition], self._waited[partition] = position, 0.0
                else:
                    self._waited[partition] += passed
                    if self._waited[partition] > self.longest:
                        self.longest = self._waited[partition]
                        self.where = f"{partition.tag}, until {datetime.now(UTC):%H:%M:%S.%f}"

    def _look(self) -> list[tuple[bytes, bytes | None]] | None:
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for partition in self._partitions:
                    pipeline.hget(partition.cursor, "pos")
                    pipeline.xrevrange(partition.commands, count=1)
                replies = pipeline.execute()
        except redis.RedisError:
            return None
        return [
            (position, newest[0][0] if newest else None)
            for position, newest in zip(replies[::2], replies[1::2], strict=True)
        ]
