"""A connection to a Redis or Valkey Cluster: each command goes straight to the node that holds its slot."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import redis
from redis.crc import key_slot

from events.log.redis_store import Command, RedisStore, client_of, pipelined, reaching
from events.log.store import StoreAwayError

PATIENCE_S: Final = 15.0
"""How long a command follows a slot that moves, or waits for a failover, before the store counts as away."""

PAUSE_S: Final = 0.05
POLL_S: Final = (0.001, 0.01)
"""First and longest pause between two looks at streams of several nodes."""

Address = tuple[str, int]


class ClusterStore(RedisStore):
    """As ``RedisStore``, over the masters of a cluster; all keys of a call lie in one slot."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._url = url
        self._host = str(self.client.connection_pool.connection_kwargs.get("host", "127.0.0.1"))
        self._clients: dict[Address, Any] = {}
        self._slots: dict[int, Address] = {}
        self._given: set[Address] = set()
        self._refresh()

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
        super().close()

    def nodes(self) -> Iterable[Any]:
        """Return a client of every master that holds slots, or is just being given one."""
        for address in sorted({*self._slots.values(), *self._given}):
            yield self._client(address)

    def read_streams(self, after: Mapping[str, str], *, count: int, block_ms: int) -> Mapping[str, Sequence[Any]]:
        """
        Return up to ``count`` entries of each stream behind an entry id, waiting so long for the first.

        No node can wait for streams of several slots, so they are looked at again and again.
        """
        deadline = time.monotonic() + block_ms / 1000
        pause, longest = POLL_S
        while True:
            looks = [("XREAD", "COUNT", count, "STREAMS", key, start) for key, start in after.items()]
            replies = self.commands(*looks)
            found = {key.decode(): entries for reply in replies for key, entries in reply or ()}
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
                for number, reply in zip(numbers, self._replies(address, commands, numbers), strict=True):
                    answers[number] = self._asked(reply, commands[number]) if _says_ask(reply) else reply
                    if _says_wait(answers[number]):
                        again.append(number)
            waiting = sorted(again)
            if waiting:
                if time.monotonic() > deadline:
                    raise StoreAwayError(f"the cluster did not settle within {PATIENCE_S:.0f} s: {answers[waiting[0]]}")
                time.sleep(PAUSE_S)
                self._refresh()
        return answers

    def _by_node(self, commands: Sequence[Command], numbers: Sequence[int]) -> Mapping[Address, list[int]]:
        groups: dict[Address, list[int]] = defaultdict(list)
        for number in numbers:
            slot = key_slot(_key_of(commands[number]).encode())
            groups[self._slots.get(slot) or next(iter(self._slots.values()))].append(number)
        return groups

    def _replies(self, address: Address, commands: Sequence[Command], numbers: Sequence[int]) -> list[Any]:
        try:
            return pipelined(self._client(address), [commands[number] for number in numbers])
        except StoreAwayError as fault:
            return [redis.exceptions.ClusterDownError(str(fault))] * len(numbers)

    def _asked(self, ask: redis.exceptions.AskError, command: Command) -> Any:  # noqa: ANN401
        """Follow a key that has already gone where its slot is going."""
        self._given.add((ask.host, ask.port))
        replies = self._replies((ask.host, ask.port), [("ASKING",), command], (0, 1))
        return replies[1]

    def _client(self, address: Address) -> Any:  # noqa: ANN401
        if address not in self._clients:
            host, port = address
            self._clients[address] = client_of(self._url, host=host, port=port)
        return self._clients[address]

    def _refresh(self) -> None:
        """Learn anew which node holds which slot, from any node that answers."""
        for client in (*self._clients.values(), self.client):
            try:
                with reaching():
                    ranges = client.execute_command("CLUSTER", "SLOTS")
            except (StoreAwayError, redis.ResponseError):
                continue
            self._slots = {
                slot: (host.decode() or self._host, port)
                for first, last, (host, port, *_), *_ in ranges
                for slot in range(first, last + 1)
            }
            self._given.clear()
            return
        raise StoreAwayError("no node of the cluster answers")


def _key_of(command: Command) -> str:
    """Return the key that decides where a command goes."""
    match command[0]:
        case "FCALL":
            return str(command[3])
        case "XREAD":
            return str(command[command.index("STREAMS") + 1])
        case _:
            return str(command[1])


def _says_wait(reply: object) -> bool:
    return isinstance(
        reply,
        redis.exceptions.MovedError | redis.exceptions.TryAgainError | redis.exceptions.ClusterDownError,
    )


def _says_ask(reply: object) -> bool:
    return isinstance(reply, redis.exceptions.AskError) and not isinstance(reply, redis.exceptions.MovedError)


def open_store(url: str) -> RedisStore:
    """Return the store behind a URL: one server, or the cluster that the server named is a node of."""
    store = RedisStore(url)
    with reaching():
        clustered = store.client.info("cluster").get("cluster_enabled")
    if not clustered:
        return store
    store.close()
    return ClusterStore(url)
