"""Who waits for what: one subscriber a process hears what is pushed and wakes them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import structlog
from redis.exceptions import RedisError

from events.codec import MalformedError
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.records import Answer, Moved, read_push
from events.process import tell
from projections.tables.projections import TABLE
from services.api.store import ApiStore
from services.ending import end

AGAIN_S: Final = 0.5
"""Pause before the store is tried again."""

LISTEN_S: Final = 2.0

Told = Callable[[Mapping[str, int] | None], None]

log = structlog.get_logger()


class Wakes:
    """
    Waiters of this process, for the answer to a command or for a table to move.

    ``listening`` is false while nothing can be heard; whoever waits then reads now and again instead.
    """

    def __init__(self, store: ApiStore) -> None:
        self._store = store
        self._answers: dict[bytes, dict[asyncio.Future[Answer], bytes]] = defaultdict(dict)
        self._tables: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._told: list[Told] = []
        self.listening = False

    @contextmanager
    def answer_to(self, command_id: bytes, fingerprint: bytes) -> Iterator[asyncio.Future[Answer]]:
        """Give a future of the answer to this very command; take it before the command is sent."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[command_id][future] = fingerprint
        try:
            yield future
        finally:
            del self._answers[command_id][future]
            if not self._answers[command_id]:
                del self._answers[command_id]

    @contextmanager
    def moves_of(self, table: str) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever the table's views were saved."""
        event = asyncio.Event()
        self._tables[table].add(event)
        try:
            yield event
        finally:
            self._tables[table].discard(event)
            if not self._tables[table]:
                del self._tables[table]

    def tell(self, told: Told) -> None:
        """Call with the tables whose views were saved, each with its version; with ``None`` when it may be any."""
        self._told.append(told)

    def tell_no_more(self, told: Told) -> None:
        """Take back what was given to ``tell``."""
        self._told.remove(told)

    def hear(self, message: bytes) -> None:
        """Wake whoever waits for what a message says."""
        pushed = read_push(message)
        if isinstance(pushed, Moved):
            if pushed.projection.partition("@")[0] == TABLE:
                for table in pushed.tables:
                    self._wake(table)
                for told in self._told:
                    told(pushed.tables)
            return
        for answer in pushed:
            for future, fingerprint in self._answers.get(answer.command_id, {}).items():
                if not future.done() and answer.fingerprint in (b"", fingerprint):
                    future.set_result(answer)

    def _wake(self, table: str) -> None:
        for event in self._tables.get(table, ()):
            event.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listen while the block is alive."""
        task = asyncio.create_task(self._listen_for_ever())
        try:
            yield
        finally:
            await end([task])

    async def _listen_for_ever(self) -> None:
        trouble = ""
        while True:
            try:
                await self._store.prepare()
                await self._listen()
            except (RedisError, OSError, StoreAwayError, StoreUnusableError) as fault:
                if self.listening:
                    log.warning("push_was_lost", reason=type(fault).__name__)
                elif str(fault) != trouble:
                    if not self._store.partitions:
                        tell(self._store.awaited(fault))
                    log.warning("store_failed", problem=str(fault), kind=type(fault).__name__)
                trouble = str(fault)
            except Exception:  # who waits reads now and again meanwhile; who never listened again would stay slow
                log.exception("listening_failed")
            self.listening = False
            await asyncio.sleep(AGAIN_S)

    async def _listen(self) -> None:
        """Hear what is pushed for as long as the server that pushes answers; it is asked whenever it says nothing."""
        quiet_s = min(LISTEN_S, self._store.within_s / 2)
        async with self._store.listener() as listener:
            async with asyncio.timeout(self._store.within_s):
                await listener.subscribe(*(each.push for each in self._store.partitions))
                await listener.ping()
            is_asked = True
            while True:
                message = await listener.get_message(timeout=self._store.within_s - quiet_s if is_asked else quiet_s)
                if message is None:
                    if is_asked:
                        raise TimeoutError("the server that pushes does not answer")
                    async with asyncio.timeout(self._store.within_s):
                        await listener.ping()
                is_asked = message is None
                if message is not None:
                    self._take(message["type"], message["data"])

    def _take(self, kind: str, data: bytes) -> None:
        """Hear what came; the first answer says that all that is pushed from now on will."""
        if kind == "message":
            with suppress(MalformedError):  # a newer program may push more
                self.hear(data)
        elif kind == "pong" and not self.listening:
            self.listening = True
            for table in list(self._tables):  # what was missed until now is read
                self._wake(table)
            for told in self._told:
                told(None)
