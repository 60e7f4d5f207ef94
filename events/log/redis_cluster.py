"""A connection to a Redis or Valkey Cluster: each command goes straight to the node that holds its slot."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from redis.crc import key_slot

from events.log.cluster_nodes import Nodes
from events.log.cluster_slots import PAUSE_S, Address, key_of, says_ask, says_wait
from events.log.errors import StoreAwayError
from events.log.redis_store import Command, RedisStore, load_library_at
from events.log.seeds import living_seed

PATIENCE_S: Final = 15.0
"""How long a command follows a slot that moves, or waits for a cluster to settle, before the store counts as away."""

POLL_S: Final = (0.001, 0.01)
"""First and longest pause between two looks at streams of several nodes."""


class ClusterStore(RedisStore):
    """
    As ``RedisStore``, over the masters of a cluster; all keys of a call lie in one slot.

    What a node does not answer is away by itself: answers of other nodes stand beside ``NodeAwayError`` in its place.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._nodes = Nodes(url, self._look_at)

    def close(self) -> None:
        self._nodes.close()
        super().close()

    def check(self) -> None:
        """
        Raise ``StoreUnusableError`` unless all nodes that answer are such as this program can rely on.

        The others are ``away``, and are looked at before they are used.
        """
        self._nodes.learn()
        self.away = self._nodes.each(lambda _: None)
        if len(self.away) == len(list(self.nodes())):
            raise StoreAwayError("; ".join(map(str, self.away)))

    def load_library(self) -> None:
        """Put the function library in place on every node that answers and has another, or none."""
        self._nodes.each(load_library_at)

    def nodes(self) -> Iterable[Any]:
        """Return a client of every master that holds slots, or is just being given one."""
        return self._nodes.masters()

    def read_streams(self, after: Mapping[str, str], *, count: int, block_ms: int) -> Mapping[str, Sequence[Any]]:
        """
        Return up to ``count`` entries of each stream behind an entry id, waiting so long for the first.

        No node can wait for streams of several slots, so they are looked at again and again. Nothing is found in those
        of a node that does not answer, unless none does.
        """
        deadline = time.monotonic() + block_ms / 1000
        pause, longest = POLL_S
        while True:
            looks = [("XREAD", "COUNT", count, "STREAMS", key, start) for key, start in after.items()]
            replies = self.round_trip(looks)
            there = self.obeyed([reply for reply in replies if not isinstance(reply, StoreAwayError)] or replies)
            found = {key.decode(): entries for reply in there for key, entries in reply or ()}
            if found or time.monotonic() >= deadline:
                return found
            time.sleep(pause)
            pause = min(pause * 2, longest)

    def round_trip(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands to the nodes of their slots, following slots that move."""
        answers: list[Any] = [None] * len(commands)
        waiting: Sequence[int] = range(len(commands))
        deadline = time.monotonic() + PATIENCE_S
        while waiting:
            again: list[int] = []
            for address, numbers in self._by_node(commands, waiting).items():
                replies = self._nodes.ask(address, [commands[number] for number in numbers])
                for number, reply in zip(numbers, replies, strict=True):
                    answers[number] = self._nodes.follow(reply, commands[number]) if says_ask(reply) else reply
                    if says_wait(answers[number]):
                        again.append(number)
            waiting = sorted(again)
            if waiting and time.monotonic() > deadline:
                for number in waiting:
                    said = f"the cluster did not settle within {PATIENCE_S:.0f} s: {answers[number]}"
                    answers[number] = StoreAwayError(said)
                break
            if waiting:
                time.sleep(PAUSE_S)
                self._nodes.learn()
        return answers

    def _by_node(self, commands: Sequence[Command], numbers: Sequence[int]) -> Mapping[Address, list[int]]:
        """Return which commands go where; nodes that were silent come last."""
        groups: dict[Address, list[int]] = defaultdict(list)
        for number in numbers:
            groups[self._nodes.holder(key_slot(key_of(commands[number]).encode()))].append(number)
        return dict(sorted(groups.items(), key=lambda each: self._nodes.was_silent(each[0])))


def open_store(url: str) -> RedisStore:
    """Return the store behind a URL, or the first of several that answers: one server, or the cluster it belongs to."""
    seed, clustered = living_seed(url)
    return ClusterStore(seed) if clustered else RedisStore(seed)
