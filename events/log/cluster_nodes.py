"""The masters of a cluster: which holds which slot, and which does not answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

import redis

from events.log.cluster_slots import LEARN_S, Address, holders, told
from events.log.errors import NodeAwayError, StoreAwayError, StoreUnusableError
from events.log.redis_store import Command, client_of, hasty, pipelined, reaching

ANSWER_S: Final = 1.5
"""How long a node may take to answer; well below the shortest lease, so that leases at other nodes are kept."""

SILENT_S: Final = 1.0
"""How long a node that did not answer is left alone; then it is asked whether it is there."""

PROBE_S: Final = 0.2
"""How long it may take to say so: what others are sent waits meanwhile."""


class _Silence(NamedTuple):
    """
    That a node does not answer, or may not be asked.

    Args:
        until: when to ask anew whether it is there, by the monotonic clock.
        why: what shows that.
    """

    until: float
    why: str


class Nodes:
    """
    Plain connections to the masters.

    A node is asked nothing before it was looked at and found to be fit; one that is not is away until it is.

    Args:
        url: of any node; what it says beside the address holds for all.
        look_at: raises ``StoreUnusableError`` unless the server of a client is fit.
    """

    def __init__(self, url: str, look_at: Callable[[Any], None]) -> None:
        self._url = url
        self._look_at = look_at
        self._seed: Any = client_of(url, **hasty(ANSWER_S))
        self._host = str(self._seed.connection_pool.connection_kwargs.get("host", "127.0.0.1"))
        self._clients: dict[Address, Any] = {}
        self._slots: dict[int, Address] = {}
        self._given: set[Address] = set()
        self._fit: set[Address] = set()
        self._silent: dict[Address, _Silence] = {}
        self._learned = 0.0

    def close(self) -> None:
        """Give the connections back."""
        for client in (*self._clients.values(), self._seed):
            client.close()

    def masters(self) -> Iterator[Any]:
        """Give a client of every master that holds slots, or is just being given one."""
        for address in self._masters():
            yield self._client(address)

    def each(self, do: Callable[[Any], object]) -> Sequence[NodeAwayError]:
        """Do something at every master, and return why not where that was not possible; raise if one is not fit."""
        away = []
        for address in self._masters():
            silence = self._silence_of(address)
            if silence is None:
                try:
                    do(self._ready(address))
                except StoreAwayError as fault:
                    silence = self._fell_silent(address, fault)
            if silence is not None:
                away.append(_away(address, silence))
        return away

    def holder(self, slot: int) -> Address:
        """Return the node that holds a slot, as far as is known."""
        if not self._slots:
            self.learn()
        found = self._slots.get(slot) or next(iter(self._slots.values()))
        if found in self._silent and time.monotonic() - self._learned > LEARN_S:
            self.learn()
            found = self._slots.get(slot, found)
        return found

    def was_silent(self, address: Address) -> bool:
        """Whether a node did not answer the last time."""
        return address in self._silent

    def ask(self, address: Address, commands: Sequence[Command]) -> list[Any]:
        """Return a node's answers; ``NodeAwayError`` in place of each when it gives none."""
        silence = self._silence_of(address)
        if silence is None:
            try:
                return pipelined(self._ready(address), commands)
            except (StoreAwayError, StoreUnusableError) as fault:
                silence = self._fell_silent(address, fault)
        return [_away(address, silence)] * len(commands)

    def follow(self, ask: redis.exceptions.AskError, command: Command) -> Any:  # noqa: ANN401  what the command gives
        """Return the answer from where a key has already gone, as its slot is going there."""
        address = (ask.host, ask.port)
        self._given.add(address)
        return self.ask(address, [("ASKING",), command])[1]

    def learn(self) -> None:
        """Learn anew which node holds which slot, from any node that answers."""
        self._learned = time.monotonic()
        known = sorted(self._clients, key=self.was_silent)
        clients = [self._clients[address] for address in known if self._silence_of(address) is None]
        for client in (*clients, self._seed):
            try:
                with reaching():
                    ranges = client.execute_command("CLUSTER", "SLOTS")
            except (StoreAwayError, redis.ResponseError):
                continue
            self._slots = holders(ranges, host_of_none=self._host)
            self._given.clear()
            return
        raise StoreAwayError("no node of the cluster answers")

    def _silence_of(self, address: Address) -> _Silence | None:
        """Return why not to ask a node: one that was silent is asked a small thing first, once in a while."""
        silence = self._silent.get(address)
        if silence is None or time.monotonic() < silence.until:
            return silence
        host, port = address
        try:
            with closing(client_of(self._url, host=host, port=port, **hasty(PROBE_S))) as client, reaching():
                client.ping()
        except StoreAwayError:
            silence = self._silent[address] = _Silence(time.monotonic() + SILENT_S, silence.why)
            return silence
        self._silent.pop(address, None)
        return None

    def _fell_silent(self, address: Address, fault: Exception) -> _Silence:
        why = "is not fit" if isinstance(fault, StoreUnusableError) else "does not answer"
        silence = self._silent[address] = _Silence(time.monotonic() + SILENT_S, f"{why} ({fault})")
        return silence

    def _ready(self, address: Address) -> Any:  # noqa: ANN401  as _client
        """Return a node's client, once the node was found to be fit."""
        client = self._client(address)
        if address not in self._fit:
            self._look_at(client)
            self._fit.add(address)
        return client

    def _masters(self) -> Sequence[Address]:
        return sorted({*self._slots.values(), *self._given})

    def _client(self, address: Address) -> Any:  # noqa: ANN401  the client's types say less than they know
        if address not in self._clients:
            host, port = address
            self._clients[address] = client_of(self._url, host=host, port=port, **hasty(ANSWER_S))
        return self._clients[address]


def _away(address: Address, silence: _Silence) -> NodeAwayError:
    return NodeAwayError(f"the node {told(address)} of the cluster {silence.why}")
