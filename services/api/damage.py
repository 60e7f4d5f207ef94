"""Keys of the store that were written over: told for what they are, and apart from a store that is away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from redis.exceptions import RedisError, ResponseError

from events.log.errors import DamagedError, StoreUnusableError

UNREADABLE: Final = (ValueError, TypeError, IndexError, msgspec.MsgspecError)
"""How it shows that a value is none of the service's own."""


class StoreDamagedError(StoreUnusableError):
    """
    What a door asked for cannot be told, since a key is of another type, or holds what nobody wrote: restore it.

    All else goes on, and so does this as soon as the key is whole again.

    Args:
        key: its name.
    """

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was written over, or cannot be read: restore it")
        self.key = key


def is_damage(fault: Exception) -> bool:
    """Whether the server complains of what a key holds, by itself or in a function of the service."""
    text = str(fault)
    return isinstance(fault, ResponseError) and ("WRONGTYPE" in text or text.startswith("DAMAGED"))


@contextmanager
def whole(key: str) -> Iterator[None]:
    """Raise ``StoreDamagedError`` when what is read in the block is none of the service's own."""
    try:
        yield
    except RedisError as fault:
        if is_damage(fault):
            raise StoreDamagedError(key) from None
        raise
    except (*UNREADABLE, DamagedError):
        raise StoreDamagedError(key) from None
