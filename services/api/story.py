"""What a viewpoint was told of a table, in the form in which the doors say it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from events.messages import Viewpoint
from projections.tables.chronicle import Chapter


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one commit caused, as a viewpoint was told it.

    Args:
        first: version after its first event; ``last`` after its last.
        at: milliseconds since 1970.
        seat: the seat whose command caused it, if it was a seat's and others are told anything of it.
        steps: a list of objects, each with a ``kind``.
    """

    first: int
    last: int
    at: int
    seat: int | None
    steps: msgspec.Raw


class History(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a viewpoint was told behind a version, oldest first.

    Args:
        next: the ``from`` of what follows, if anything does.
    """

    table: str
    chapters: list[Told]
    next: int | None


class Legal(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that a seat may send at a version."""

    table: str
    version: int
    legal: msgspec.Raw


def as_told(chapter: Chapter, viewpoint: Viewpoint) -> Told:
    """Return a chapter as a viewpoint was told it."""
    steps = msgspec.Raw(chapter.told(viewpoint))
    return Told(first=chapter.first, last=chapter.last, at=chapter.at, seat=chapter.seat, steps=steps)


def joined(chapters: Iterable[Chapter], *, after: int) -> list[Chapter]:
    """Return the chapters that go on behind a version, up to the first hole."""
    found: list[Chapter] = []
    for each in chapters:
        if each.first > after + 1:
            break
        found.append(each)
        after = each.last
    return found
