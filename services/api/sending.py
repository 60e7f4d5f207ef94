"""Sends a command to the rules and waits for what they say."""

from __future__ import annotations

import asyncio
import time
import uuid
from contextlib import suppress
from typing import Final

import msgspec

from events.codec import pack, raw
from events.commit import Envelope
from events.log.answers import answer_of
from events.log.records import Answer
from events.log.store import MAX_ENVELOPE
from events.messages import Command, Viewpoint
from events.tables.vocabulary import Actor
from services.api.bodies import LIMIT
from services.api.problems import Problem, refused
from services.api.store import ApiStore, Viewed
from services.api.wakes import Wakes

LOOK_S: Final = 0.2
"""How often a waiter reads when it cannot hear."""

SURE_S: Final = 2.0
"""How often a waiter reads although it can hear: a message may be lost."""


def now_ms() -> int:
    """Return milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """
    A command on its way.

    Args:
        viewpoint: from where its sender sees what it does.
        answer: ``None`` when none came in time.
    """

    command_id: uuid.UUID
    table: str
    viewpoint: Viewpoint
    answer: Answer | None


class Sender:
    """Submits commands; waits for answers and for views."""

    def __init__(self, store: ApiStore, wakes: Wakes, *, answer_s: float, view_s: float) -> None:
        self._store = store
        self._wakes = wakes
        self._answer_s = answer_s
        self._view_s = view_s

    async def send(
        self, command: Command, *, table: str, actor: Actor, command_id: uuid.UUID, expected_version: int | None = None
    ) -> Sent:
        """
        Send a command and return its answer once the views show what it did, if that comes in time.

        A refusal is raised as the problem it is.
        """
        deadline = asyncio.get_running_loop().time() + self._answer_s
        sent = await self.decide(
            command, table=table, actor=actor, command_id=command_id, expected_version=expected_version
        )
        if sent.answer is None or await self.view(table, None, at_least=sent.answer.version, until=deadline) is None:
            return msgspec.structs.replace(sent, answer=None)
        return sent

    async def decide(
        self, command: Command, *, table: str, actor: Actor, command_id: uuid.UUID, expected_version: int | None = None
    ) -> Sent:
        """Send a command and return its answer, as ``send`` does, whatever the views show by then."""
        partition = self._store.partition(table)
        envelope = Envelope(command_id.bytes, table, actor, raw(command), expected_version)
        packed = pack(envelope)
        if len(packed) > MAX_ENVELOPE:
            raise Problem("too_large", details={"limit": LIMIT})
        deadline = asyncio.get_running_loop().time() + self._answer_s
        with self._wakes.answer_to(command_id.bytes, envelope.fingerprint) as future:
            await self._store.submit(partition, packed)
            answer = await self._answer(future, envelope, deadline)
        if answer is not None and answer.code is not None:
            raise refused(answer.code, answer.details)
        return Sent(command_id=command_id, table=table, viewpoint=actor.seat, answer=answer)

    async def view(
        self, table: str, viewpoint: Viewpoint, *, at_least: int, until: float | None = None, behind: bool = False
    ) -> Viewed | None:
        """
        Return a viewpoint's document of at least a version, or ``None`` when it does not come in time.

        ``until`` is by the clock of the event loop; who is ``behind`` sees what a table shows to such spectators.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._view_s if until is None else until
        with self._wakes.moves_of(table) as moved:
            while True:
                moved.clear()
                viewed = await self._store.view(table, viewpoint, as_of=now_ms() if behind else None)
                if viewed is not None and viewed[0] >= at_least:
                    return viewed
                if (left := deadline - clock()) <= 0:
                    return None
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, self._pause)):  # wait_for may swallow a cancellation
                        await moved.wait()

    async def _answer(self, future: asyncio.Future[Answer], sent: Envelope, deadline: float) -> Answer | None:
        clock = asyncio.get_running_loop().time
        while True:
            left = max(0.0, deadline - clock())
            done, _ = await asyncio.wait({future}, timeout=min(left, self._pause))
            if done:
                return future.result()
            entry = await self._store.answered(self._store.partition(sent.table), sent.table, sent.command_id)
            if entry is not None:
                stored = answer_of(sent.table, entry)
                if stored.fingerprint == sent.fingerprint:
                    return stored
                return msgspec.structs.replace(stored, first=0, code="command_id_reused", details={})
            if clock() >= deadline:
                return None

    @property
    def _pause(self) -> float:
        return SURE_S if self._wakes.listening else LOOK_S
