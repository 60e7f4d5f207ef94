"""
Legal commands as rows of whole numbers, so that a learning agent can tell one action from another.

A row begins with the number of the command's kind. Behind it stand the command's fields but for its seat, in their
order, lists and inner values laid flat: a word by its number, a seat by how many seats it is behind the own one, a
number as it is, and one is added to each, since 0 says that there is nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias, get_args, get_type_hints

import msgspec
import numpy as np

from events.games import commands_module
from events.messages import Command, Seat, members
from services.bots.gym.shapes import Eyes, Numbers
from workers.kit.decider import MOST_LEGAL

WIDTH: Final = 12
"""Numbers of a row; what a command holds beyond is left out."""

UNKNOWN: Final = -1
"""The number of a word that is not known."""

Field: TypeAlias = "str | int | tuple[Field, ...] | msgspec.Struct | None"
"""What a command holds, or a part of it."""


class Wishes:
    """
    Writes the commands of one game.

    Args:
        words: every word that a command may hold; a word's number is its place.
    """

    def __init__(self, game: str, words: Sequence[str]) -> None:
        self._kinds = {kind: number for number, kind in enumerate(members(commands_module(game).COMMANDS), 1)}
        self._words = {word: number for number, word in enumerate(words, 1)}
        self.most = max(len(self._words), len(self._kinds), MOST_LEGAL)

    def rows(self, legal: Sequence[Command], eyes: Eyes) -> Numbers:
        """Return a row for each command, and zeros behind the last."""
        rows = np.zeros((MOST_LEGAL, WIDTH), np.int16)
        for number, command in enumerate(legal):
            row = [self._kinds[type(command)], *self._fields(command, eyes)][:WIDTH]
            rows[number, : len(row)] = row
        return rows

    def _fields(self, value: msgspec.Struct, eyes: Eyes) -> Iterator[int]:
        for name, is_seat in _fields_of(type(value)):
            yield from self._flat(getattr(value, name), eyes.place if is_seat else int, eyes)

    def _flat(self, value: Field, number: Callable[[int], int], eyes: Eyes) -> Iterator[int]:
        match value:
            case None:
                yield 0
            case str():
                yield self._words.get(value, UNKNOWN)
            case int():
                yield number(value) + 1
            case tuple():
                for each in value:
                    yield from self._flat(each, number, eyes)
            case _:
                yield from self._fields(value, eyes)


@cache
def _fields_of(kind: type[msgspec.Struct]) -> Sequence[tuple[str, bool]]:
    """Return the fields of a command, or of a part of one, and whether each is a seat."""
    hints = get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if not (issubclass(kind, Command) and name == "seat")]
    return [(name, Seat in (hints[name], *get_args(hints[name]))) for name in names]
