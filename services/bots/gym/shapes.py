"""
Shapes of what a seat sees: each turns one part of a view into whole numbers at fixed places.

What is absent is all zeros. Seats are counted from the one that looks: 0 is itself, 1 the seat behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int16]

MOST: Final = 1000
"""Numbers beyond, up or down, are cut to it."""


class Eyes:
    """From where somebody looks: a seat, of so many."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.seats = seats

    def place(self, seat: int) -> int:
        """Return how many seats behind the own one a seat is."""
        return (seat - self.seat) % self.seats


class Shape(Protocol):
    """What a part of a view becomes: ``size`` numbers."""

    size: int

    def write(self, out: Numbers, at: int, value: Any, eyes: Eyes) -> None:  # noqa: ANN401  the game's own value
        """Write a value that is there into the zeros from ``at`` on."""

    def parts(self, name: str, at: int) -> Iterator[tuple[str, int, int]]:
        """Give the name of every part, where it begins, and its size."""


class _Leaf:
    """A shape without parts of its own."""

    size = 1

    def parts(self, name: str, at: int) -> Iterator[tuple[str, int, int]]:
        yield name, at, self.size


class Number(_Leaf):
    """A number as it is; true is 1."""

    def write(self, out: Numbers, at: int, value: float, eyes: Eyes) -> None:
        out[at] = max(-MOST, min(MOST, int(value)))


class There(_Leaf):
    """1 if there is anything, whatever it is."""

    def write(self, out: Numbers, at: int, value: object, eyes: Eyes) -> None:
        out[at] = 1


class Word(_Leaf):
    """One of several words: 1 at its place; a word that is none of them is all zeros."""

    def __init__(self, words: Sequence[str]) -> None:
        self._places = {word: place for place, word in enumerate(words)}
        self.size = len(words)

    def write(self, out: Numbers, at: int, value: str, eyes: Eyes) -> None:
        place = self._places.get(value)
        if place is not None:
            out[at + place] = 1


class Words(Word):
    """Several of the words, or the keys of a mapping: how many there are of each."""

    def write(self, out: Numbers, at: int, value: Mapping[str, int] | Sequence[str], eyes: Eyes) -> None:
        if isinstance(value, Mapping):
            for word, count in value.items():
                out[at + self._places[word]] = max(-MOST, min(MOST, count))
        else:
            for word in value:
                out[at + self._places[word]] += 1


class _AtSeats(_Leaf):
    """A shape with a place for each seat."""

    def __init__(self, seats: int) -> None:
        self.size = seats


class SeatOf(_AtSeats):
    """One seat: 1 at its place."""

    def write(self, out: Numbers, at: int, value: int, eyes: Eyes) -> None:
        out[at + eyes.place(value)] = 1


class SeatsInOrder(_AtSeats):
    """Several seats: at each one's place whether it is first (1), second (2), and so on."""

    def write(self, out: Numbers, at: int, value: Sequence[int], eyes: Eyes) -> None:
        for number, seat in enumerate(value, 1):
            out[at + eyes.place(seat)] = number


class Owners(_Leaf):
    """Pieces by whose they are: how many of each seat, and of nobody last."""

    def __init__(self, seats: int) -> None:
        self.size = seats + 1

    def write(self, out: Numbers, at: int, value: Iterable[int | None], eyes: Eyes) -> None:
        for owner in value:
            out[at + (self.size - 1 if owner is None else eyes.place(owner))] += 1


class Pattern(_Leaf):
    """A word made of letters and numbers: each group of the pattern, a letter by its number."""

    def __init__(self, pattern: str, letters: Mapping[str, int]) -> None:
        self._pattern = re.compile(pattern)
        self._letters = letters
        self.size = self._pattern.groups

    def write(self, out: Numbers, at: int, value: str, eyes: Eyes) -> None:
        found = self._pattern.fullmatch(value)
        for number, text in enumerate(found.groups() if found else ()):
            out[at + number] = self._letters[text] if text in self._letters else int(text)


class Record:
    """A struct: its fields, one behind the other; those not named are left out."""

    def __init__(self, **fields: Shape) -> None:
        self._fields: list[tuple[str, int, Shape]] = []
        self.size = 0
        for name, shape in fields.items():
            self._fields.append((name, self.size, shape))
            self.size += shape.size

    def write(self, out: Numbers, at: int, value: object, eyes: Eyes) -> None:
        for name, place, shape in self._fields:
            field = getattr(value, name)
            if field is not None:
                shape.write(out, at + place, field, eyes)

    def parts(self, name: str, at: int) -> Iterator[tuple[str, int, int]]:
        for field, place, shape in self._fields:
            yield from shape.parts(f"{name}.{field}" if name else field, at + place)


class _Repeated:
    """The same shape several times, each with a name."""

    def __init__(self, names: Sequence[str], shape: Shape) -> None:
        self._names = names
        self._shape = shape
        self.size = len(names) * shape.size

    def parts(self, name: str, at: int) -> Iterator[tuple[str, int, int]]:
        for number, each in enumerate(self._names):
            yield from self._shape.parts(f"{name}[{each}]", at + number * self._shape.size)


class BySeat(_Repeated):
    """One value for each seat, in seat order."""

    def __init__(self, seats: int, shape: Shape) -> None:
        super().__init__([f"+{number}" for number in range(seats)], shape)

    def write(self, out: Numbers, at: int, value: Sequence[object], eyes: Eyes) -> None:
        for seat, each in enumerate(value):
            self._shape.write(out, at + eyes.place(seat) * self._shape.size, each, eyes)


class Several(_Repeated):
    """A list in its order, as many as there is room for."""

    def __init__(self, most: int, shape: Shape) -> None:
        super().__init__([str(number) for number in range(most)], shape)

    def write(self, out: Numbers, at: int, value: Sequence[object], eyes: Eyes) -> None:
        for number, each in enumerate(value[: len(self._names)]):
            if each is not None:
                self._shape.write(out, at + number * self._shape.size, each, eyes)


class Keyed(_Repeated):
    """A mapping from words, or structs that bear one in the field ``by``: each at its word's place."""

    def __init__(self, words: Sequence[str], shape: Shape, *, by: str | None = None) -> None:
        super().__init__(words, shape)
        self._places = {word: place * shape.size for place, word in enumerate(words)}
        self._by = by

    def write(self, out: Numbers, at: int, value: Any, eyes: Eyes) -> None:  # noqa: ANN401  a mapping, or structs
        items = value.items() if self._by is None else ((getattr(each, self._by), each) for each in value)
        for word, each in items:
            self._shape.write(out, at + self._places[word], each, eyes)
