"""Follows which version of each projection is live, so that readers notice no rebuild."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from redis.exceptions import ResponseError

from events.log.rebuilds import FIRST
from events.streams import numbered
from services.api.damage import StoreDamagedError, is_damage, whole
from services.api.line import Command


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
        ask: returns the answers of commands in their places, errors among them.
    """

    def __init__(self, ask: Callable[[Sequence[Command]], Awaitable[list[Any]]]) -> None:
        self._send = ask
        self._live: dict[tuple[str, str], int] = {}

    async def read(self, live: str, projection: str, command: Callable[[str], Command]) -> Any:  # noqa: ANN401  as below
        """Return the answer of a command to the live version of a projection, or raise what stands in its place."""
        answer = (await self.read_all([Read(live, projection, command)]))[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def read_all(self, reads: Sequence[Read], *, beside: Sequence[Command] = ()) -> list[Any]:
        """
        Return the answers of all reads, in one round trip as long as nothing else has become live.

        Those of commands ``beside`` them, which are about no version, stand behind.

        The versions are read behind the views and in the same round trip: was one live then, it was live before.
        A key that was written over spoils its own answer alone, which is then a ``StoreDamagedError``, and a node of a
        cluster that does not answer those of its own, which are then errors, too.
        """
        answers: dict[int, Any] = {}
        others: list[Any] = []
        left = list(range(len(reads)))
        while left or len(others) < len(beside):
            names = dict.fromkeys(reads[place][:2] for place in left)
            numbers = {name: self._live.get(name, FIRST) for name in names}
            asked = [
                reads[place].command(numbered(reads[place].projection, numbers[reads[place][:2]])) for place in left
            ]
            aside = beside[len(others) :]
            found = await self._ask([*asked, *(("HGET", *name) for name in names), *aside])
            others += found[len(left) + len(names) :]
            answers |= dict(zip(left, found, strict=False))
            unread: dict[tuple[str, str], Exception] = {}
            for name, number in zip(names, found[len(left) :], strict=False):
                if isinstance(number, Exception):
                    unread[name] = number
                    continue
                try:
                    self._live[name] = _number(name[0], number)
                except StoreDamagedError as fault:
                    unread[name] = fault
            answers |= {place: unread[reads[place][:2]] for place in left if reads[place][:2] in unread}
            left = [
                place
                for place in left
                if reads[place][:2] not in unread and self._live[reads[place][:2]] != numbers[reads[place][:2]]
            ]
        return [*(answers[place] for place in range(len(reads))), *others]

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers of commands, each apart from the others; a complaint that is none of a key is raised."""
        answers: list[Any] = []
        for command, answer in zip(commands, await self._send(commands), strict=True):
            if isinstance(answer, ResponseError) and not is_damage(answer):
                raise answer
            answers.append(StoreDamagedError(str(command[1])) if isinstance(answer, ResponseError) else answer)
        return answers


def _number(live: str, found: Any) -> int:  # noqa: ANN401  what the command gives
    with whole(live):
        return int(found or FIRST)
