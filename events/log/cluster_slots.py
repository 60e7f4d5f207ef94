"""How a Redis or Valkey Cluster says which node holds which slot, and where a command belongs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from redis.exceptions import AskError, ClusterDownError, MovedError, TryAgainError

Address = tuple[str, int]
"""Host and port of a node."""

PAUSE_S: Final = 0.05
"""Pause before a command is sent again whose slot has moved, or whose cluster was down."""

LEARN_S: Final = 0.25
"""How often to ask the others whether a replica has taken the place of a node that does not answer."""


def holders(ranges: Sequence[Any], *, host_of_none: str) -> dict[int, Address]:
    """
    Return which node holds each slot.

    Args:
        ranges: what ``CLUSTER SLOTS`` answers.
        host_of_none: where the node that was asked is reached, which may not know its own name.
    """
    return {
        slot: (host.decode() or host_of_none, port)
        for first, last, (host, port, *_), *_ in ranges
        for slot in range(first, last + 1)
    }


def told(address: Address) -> str:
    """Return how a node is named: ``127.0.0.1:7000``."""
    return f"{address[0]}:{address[1]}"


def key_of(command: Sequence[str | bytes | int]) -> str:
    """Return the key that decides where a command goes."""
    match command[0]:
        case "FCALL":
            return str(command[3])
        case "XREAD":
            return str(command[command.index("STREAMS") + 1])
        case "MEMORY":
            return str(command[2])
        case _:
            return str(command[1])


def says_wait(answer: object) -> bool:
    """Whether a command is to be sent again after a moment: its slot has moved, or the cluster settles yet."""
    return isinstance(answer, MovedError | TryAgainError | ClusterDownError)


def says_ask(answer: object) -> bool:
    """Whether a command is to be sent once to where its key has already gone, as ``AskError`` says."""
    return isinstance(answer, AskError) and not isinstance(answer, MovedError)
