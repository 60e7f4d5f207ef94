"""The way to the nodes of a cluster: each is asked by itself, and none waits for another that is silent."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import structlog
from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError

from events.log.cluster_slots import LEARN_S, PAUSE_S, Address, holders, key_of, says_ask, says_wait, told
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.redis_store import about_of, require_fit
from services.api.line import PASSING, Command, Line
from services.ending import end

log = structlog.get_logger()


class Cluster:
    """
    Lines to the masters of a cluster, and which of them holds which slot.

    Each question ends in ``within_s`` seconds, however often it has to be sent. Another way around a node that does
    not answer is looked for beside the questions, by one task however many ask, until there is one or it is back.
    A node is asked nothing before it was found to be fit; one that is not is away until it is.

    Args:
        url: of any node; what it says beside the address holds for all.
        seed: the line to that node.
    """

    def __init__(self, url: str, seed: Line, *, within_s: float) -> None:
        self._url = url
        self._seed = seed
        self._within_s = within_s
        self._lines: dict[Address, Line] = {}
        self._holders: dict[int, Address] = {}
        self._fit: set[Address] = set()
        self._away: set[Address] = set()
        self._post: Address | None = None
        self._learning: asyncio.Task[None] | None = None
        self._searching: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def ask(self, commands: Sequence[Command], *, at: str | None = None) -> list[Any]:
        """
        Return the answers of commands, each in its place; complaints and lost lines among them as the errors they are.

        Each goes where the slot of its key lies, or all where that of the key ``at`` does.
        """
        slots = [key_slot((key_of(each) if at is None else at).encode()) for each in commands]
        return await self._ask(commands, slots, asyncio.get_running_loop().time() + self._within_s)

    @property
    def is_known(self) -> bool:
        """Whether any node has told which holds what."""
        return bool(self._holders)

    def holder(self, key: str) -> Address | None:
        """Return the node that holds a key, if that is known."""
        return self._holders.get(key_slot(key.encode()))

    def next_post(self) -> Address | None:
        """Return a node at which to hear what is pushed, which is all of them: each in turn of those that answer."""
        nodes = sorted(set(self._holders.values()) - self._away) or sorted(set(self._holders.values()))
        behind = [each for each in nodes if self._post is not None and each > self._post]
        self._post = next(iter((*behind, *nodes)), None)
        return self._post

    async def close(self) -> None:
        """Give the connections back, as ``Line.close`` does, to all nodes at once; the seed's are not its own."""
        self._is_closed = True
        await end(task for task in (self._learning, self._searching) if task is not None)
        await asyncio.gather(*self._closing, *(line.close() for line in self._lines.values()))

    async def _ask(self, commands: Sequence[Command], slots: Sequence[int], until: float) -> list[Any]:
        answers: list[Any] = [None] * len(commands)
        groups: dict[Address, list[int]] = defaultdict(list)
        try:
            async with asyncio.timeout_at(until):
                for number, slot in enumerate(slots):
                    groups[await self._holder(slot)].append(number)
        except (TimeoutError, StoreAwayError) as fault:
            return [fault] * len(commands)

        async def share(address: Address, numbers: Sequence[int]) -> None:
            found = await self._settled(
                address, [commands[each] for each in numbers], [slots[each] for each in numbers], until
            )
            for number, answer in zip(numbers, found, strict=True):
                answers[number] = answer

        await asyncio.gather(*(share(address, numbers) for address, numbers in groups.items()))
        return answers

    async def _settled(
        self, address: Address, commands: Sequence[Command], slots: Sequence[int], until: float
    ) -> list[Any]:
        """Return the answers of commands to one node, following those whose slots have moved."""
        answers = await self._of_node(address, commands, until)
        for number, answer in enumerate(answers):
            if says_ask(answer):
                asked = await self._of_node((answer.host, answer.port), [("ASKING",), commands[number]], until)
                answers[number] = asked[1]
        again = [number for number, answer in enumerate(answers) if says_wait(answer)]
        if not again:
            return answers
        clock = asyncio.get_running_loop().time
        if clock() + PAUSE_S >= until:
            for number in again:
                answers[number] = StoreAwayError(f"the cluster did not settle in time: {answers[number]}")
            return answers
        await asyncio.sleep(PAUSE_S)
        with suppress(TimeoutError, StoreAwayError):
            async with asyncio.timeout_at(until):
                await self.learn()
        found = await self._ask([commands[each] for each in again], [slots[each] for each in again], until)
        for number, answer in zip(again, found, strict=True):
            answers[number] = answer
        return answers

    async def _of_node(self, address: Address, commands: Sequence[Command], until: float) -> list[Any]:
        try:
            return await self._reach(address, commands, until=until)
        except PASSING as fault:
            self._note_away(address, fault)
            return [fault] * len(commands)

    async def _reach(self, address: Address, commands: Sequence[Command], *, until: float | None = None) -> list[Any]:
        """Return a node's answers, once it was found to be fit."""
        line = self._line(address)
        if address not in self._fit:
            (about,) = await line.ask([("INFO",)], until=until)
            if isinstance(about, Exception):
                raise about
            try:
                require_fit(about_of(about))
            except StoreUnusableError as fault:
                raise StoreAwayError(f"the node is not fit: {fault}") from fault
            self._fit.add(address)
        return await line.ask(commands, until=until)

    def _note_away(self, address: Address, fault: Exception) -> None:
        if self._is_closed:
            return
        if address not in self._away:
            log.warning("node_away", node=told(address), problem=str(fault), kind=type(fault).__name__)
        self._away.add(address)
        if self._searching is None:
            self._searching = asyncio.create_task(self._search())

    def _line(self, address: Address) -> Line:
        if self._is_closed:
            raise StoreAwayError("the way to the store is closed")
        if address not in self._lines:
            host, port = address
            self._lines[address] = Line(self._url, within_s=self._within_s, host=host, port=port)
        return self._lines[address]

    # which node holds what

    async def _holder(self, slot: int) -> Address:
        if slot not in self._holders:
            await self.learn()
        if slot not in self._holders:
            raise StoreAwayError("no node of the cluster holds the slot")
        return self._holders[slot]

    async def learn(self) -> None:
        """
        Learn anew which node holds which slot; ``StoreAwayError`` if none tells.

        Whoever wants that at the same time waits for the same answer.
        """
        if self._learning is None:
            self._learning = asyncio.create_task(self._learn_from_any())
            self._learning.add_done_callback(self._learned)
        await asyncio.shield(self._learning)

    def _learned(self, learning: asyncio.Task[None]) -> None:
        self._learning = None
        if not learning.cancelled():
            learning.exception()  # whoever waited has heard of it

    async def _learn_from_any(self) -> None:
        """Ask one node after the other, the last one that told first and those that do not answer last."""
        lines = [self._lines[each] for each in sorted(self._lines, key=self._away.__contains__)]
        for line in (*lines, self._seed):
            try:
                (ranges,) = await line.ask([("CLUSTER", "SLOTS")])
            except (RedisError, OSError):
                continue
            if not isinstance(ranges, ResponseError):
                self._take(ranges, line.host)
                return
        raise StoreAwayError("no node of the cluster answers")

    def _take(self, ranges: Sequence[Any], host_of_none: str) -> None:
        self._holders = holders(ranges, host_of_none=host_of_none)
        for address in set(self._lines).difference(self._holders.values()):
            self._fit.discard(address)
            self._away.discard(address)
            task = asyncio.create_task(self._lines.pop(address).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _search(self) -> None:
        """Look for a way around nodes that do not answer, until each is back or holds nothing any more."""
        try:
            while self._away:
                with suppress(StoreAwayError):
                    await self.learn()
                for address in list(self._away):
                    with suppress(*PASSING):
                        await self._reach(address, [("PING",)])
                        self._away.discard(address)
                        log.info("node_is_back", node=told(address))
                await asyncio.sleep(LEARN_S)
        finally:
            self._searching = None
