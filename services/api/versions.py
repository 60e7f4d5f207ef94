"""Follows which version of each projection is live, so that readers notice no rebuild."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
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


_Name = tuple[str, str]
"""A key of what is live, and a projection in it."""


class LiveVersions:
    """
    Reads from what is live; what was live the last time is asked for first.

    Args:
        ask: returns the answers of commands in their places, errors among them.
    """

    def __init__(self, ask: Callable[[Sequence[Command]], Awaitable[list[Any]]]) -> None:
        self._send = ask
        self._live: dict[_Name, int] = {}

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
        names = [(each.live, each.projection) for each in reads]
        answers: list[Any] = [None] * len(reads)
        others: list[Any] = []
        left: Sequence[int] = range(len(reads))
        while left or len(others) < len(beside):
            numbers = {names[place]: self._live.get(names[place], FIRST) for place in left}
            asked = [reads[place].command(numbered(names[place][1], numbers[names[place]])) for place in left]
            lives: dict[str, list[str]] = defaultdict(list)
            for live, projection in numbers:
                lives[live].append(projection)
            found = await self._ask(
                [*asked, *(("HMGET", live, *own) for live, own in lives.items()), *beside[len(others) :]]
            )
            others += found[len(left) + len(lives) :]
            newest = self._newest(lives, found[len(left) :])
            for place, answer in zip(left, found, strict=False):
                number = newest[names[place]]
                answers[place] = number if isinstance(number, Exception) else answer
            left = [
                place
                for place in left
                if newest[names[place]] != numbers[names[place]] and not isinstance(newest[names[place]], Exception)
            ]
        return [*answers, *others]

    def _newest(self, lives: Mapping[str, Sequence[str]], found: Sequence[Any]) -> dict[_Name, int | Exception]:
        """Return what is live now of projections by key, for the next time as well; or why that cannot be told."""
        newest: dict[_Name, int | Exception] = {}
        for (live, projections), own in zip(lives.items(), found, strict=False):
            for place, projection in enumerate(projections):
                if isinstance(own, Exception):
                    newest[live, projection] = own
                    continue
                try:
                    newest[live, projection] = self._live[live, projection] = _number(live, own[place])
                except StoreDamagedError as fault:
                    newest[live, projection] = fault
        return newest

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
