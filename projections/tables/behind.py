"""
What spectators of a table saw some time ago, kept where they are to be behind.

The time since 1970 is cut into slices of a quarter of the delay, and each slice has one of a few places that are
used in turn. A place holds the spectator's document as it was before the first commit of its slice: enough to find
what was to be seen before any time that is at least a delay ago, and no more than a delay and a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from events.codec import Unpacker, pack
from projections.kit.projection import Step
from workers.tables.state import TableState

PARTS: Final = 4
"""Slices of a delay."""

PLACES: Final = PARTS + 3
"""Slices that are kept: those of the delay, the one that is read, the one that is written, and one for the clocks."""

DELAY: Final = "delay"
"""Field of the view hash: milliseconds by which spectators are behind."""

KEPT: Final = tuple(f"behind:{place}" for place in range(PLACES))
"""Fields of the view hash: what was seen before the first commit of each slice."""


class Before(msgspec.Struct, frozen=True, array_like=True):
    """
    What a spectator saw before a commit.

    Args:
        at: milliseconds since 1970 of the commit.
        version: the table's version before it.
        document: the spectator's document in JSON.
    """

    at: int
    version: int
    document: bytes


read_before: Final = Unpacker[Before](Before)


def kept(steps: Sequence[Step], spectator: Callable[[TableState], bytes]) -> dict[str, bytes]:
    """
    Return the fields that steps of one table change, given in order; ``spectator`` draws a state's document.

    Nobody is behind before play begins.
    """
    fields = {}
    for step in steps:
        if _begins_slice(step):
            before = Before(step.after.moved_at, step.before.version, spectator(step.before))
            fields[KEPT[_slice(step.after.moved_at, step.after.spectator_delay) % PLACES]] = pack(before)
    delay = steps[-1].after.spectator_delay
    return {**fields, DELAY: str(delay * 1000).encode()} if delay else {}


def _begins_slice(step: Step) -> bool:
    """Whether a commit is the first of its slice; the state remembers when the one before it was."""
    delay = step.after.spectator_delay
    if not delay or not step.after.moved_at:
        return False
    return _slice(step.before.moved_at, delay) != _slice(step.after.moved_at, delay)


def _slice(at: int, delay: int) -> int:
    return at * PARTS // (delay * 1000)


def seen_until(at: int, *, delay_ms: int) -> int:
    """
    Return the milliseconds since 1970 from which on nobody sees any more what was before a commit.

    Args:
        at: milliseconds since 1970 of the commit.
        delay_ms: milliseconds by which spectators are behind.
    """
    return at + delay_ms + delay_ms // PARTS


def seen(entries: Sequence[bytes | None], *, delay_ms: int, now_ms: int) -> Before | None:
    """
    Return what is to be seen by those who are behind; ``None`` when it is what is there now.

    Of all commits in it the last is at least the delay ago.

    Args:
        entries: what the fields ``KEPT`` hold.
        delay_ms: what the field ``DELAY`` holds.
        now_ms: milliseconds since 1970.
    """
    last_ms = now_ms - delay_ms - delay_ms // PARTS
    later = [each for entry in entries if entry is not None and (each := read_before(entry)).at > last_ms]
    return min(later, key=lambda each: (each.at, each.version), default=None)
