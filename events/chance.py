"""The only source of randomness: counter-mode SHA-256 that anybody can recompute."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

WORD: Final = 8
"""Bytes of one draw: an unsigned 64-bit integer, most significant byte first."""

SECRET_BYTES: Final = 32
SALT_BYTES: Final = 32


def commitment(secret: bytes) -> bytes:
    """Return the 32 bytes published before play: SHA-256 of the table's secret."""
    return hashlib.sha256(secret).digest()


def seed_of(secret: bytes, salts: Iterable[bytes]) -> bytes:
    """Return the 32-byte seed of a table: SHA-256 of the secret followed by the salts in seat order."""
    return hashlib.sha256(b"".join((secret, *salts))).digest()


class Chance:
    """
    Draws for one command: each is fixed by the table's seed, the version it is decided at, and its number.

    Block ``i`` is SHA-256 of the 32-byte seed, the version and ``i``, both as unsigned 64-bit integers, most
    significant byte first.
    Each block gives four words of eight bytes; a draw takes the next word.
    Versions only rise, also when a seat takes a step back, so no draw is ever made twice.
    The seed may be given as a function, which is called at the first draw, since most commands draw nothing.
    ``docs/reference/chance.md`` holds test vectors.
    """

    def __init__(self, seed: bytes | Callable[[], bytes], version: int) -> None:
        self._seed = seed
        self._version = version
        self._block = b""
        self._blocks = 0

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to ``bound - 1``, each equally likely; ``ValueError`` when there is none."""
        if bound < 1:
            raise ValueError("chance needs at least one possibility")
        limit = 2**64 - 2**64 % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def choose(self, values: Sequence[T]) -> T:
        """Return one of the values, each equally likely."""
        return values[self.below(len(values))]

    def coin(self) -> bool:
        """Return heads (true) or tails."""
        return self.below(2) == 1

    def shuffle(self, values: Iterable[T]) -> tuple[T, ...]:
        """Return the values in a new order, each equally likely (Fisher and Yates, from the last place down)."""
        deck = list(values)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def _word(self) -> int:
        if not self._block:
            if callable(self._seed):
                self._seed = self._seed()
            numbers = self._version.to_bytes(WORD, "big") + self._blocks.to_bytes(WORD, "big")
            self._block = hashlib.sha256(self._seed + numbers).digest()
            self._blocks += 1
        word, self._block = self._block[:WORD], self._block[WORD:]
        return int.from_bytes(word, "big")
