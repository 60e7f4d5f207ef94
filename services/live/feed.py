"""One table as all who follow it in this process share it: read once for each move, written once for each viewpoint."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import structlog

from events.messages import Viewpoint
from projections.tables.chronicle import Chapter
from services.api.story import Told, as_told, joined
from services.live.news import Steps, View, now_ms, written
from services.live.reading import Look, Sight

if TYPE_CHECKING:
    from services.live.follow import Follow

KEPT_CHAPTERS: Final = 64
"""Newest chapters that are kept for those a little behind."""
KEPT_BYTES: Final = 131_072
MESSAGE_BYTES: Final = 65_536
"""Bytes of steps in one message, unless a single chapter is larger."""

log = structlog.get_logger()


class Piece(NamedTuple):
    """Steps as they are sent, and the version after them."""

    text: str
    last: int


class Feed:
    """
    What is known of a table.

    Args:
        version: up to where it is known: of the views, and of the newest chapter.
        players: who sat where, then.
        follows: who is told.
        due: milliseconds since 1970 when there is more to see, although nothing moves.
        waking: the only timer of a table: it has it read again, because of that or since something could not be read.
    """

    behind_ms: int = 0

    def __init__(self, table: str) -> None:
        self.table = table
        self.version = 0
        self.players: tuple[str | None, ...] = ()
        self.follows: set[Follow] = set()
        self.looked = 0.0
        self.due: int | None = None
        self.waking: asyncio.TimerHandle | None = None
        self.known = asyncio.Event()
        self._tail: deque[Chapter] = deque()
        self._tail_bytes = 0
        self._views: dict[Viewpoint, str] = {}
        self._pieces: dict[tuple[Viewpoint, int], Piece] = {}

    @property
    def look(self) -> Look:
        """Return what to read next: all chapters that are new, and the views that somebody wants."""
        wanted = {each.viewpoint for each in self.follows if each.views}
        return Look(self.table, self.version if self.known.is_set() else None, tuple(wanted))

    @property
    def reached(self) -> int:
        """Return the version beyond which it has to be read again."""
        return self.version

    @property
    def shown(self) -> int:
        """Return the version of the views."""
        return self.version

    @property
    def start(self) -> int:
        """Return behind which version somebody begins who wants what is to come."""
        return self.version

    def shows_after(self, last: int) -> bool:
        """Whether the view may be shown to who was sent the steps up to a version."""
        return self.version == last

    def take(self, sight: Sight, *, at: float) -> bool:
        """
        Take in what was read; return whether the views are further than this, so that more has to be read.

        The chronicle may be a little behind the views; nothing is shown before its steps can be told.
        """
        self.looked = at
        if self.known.is_set() and self._is_apart(sight):
            return True
        if sight.chapters:
            self._advance(sight.chapters)
        if self.version == sight.version:
            self._show(sight)
        self.known.set()
        return self.version < sight.version

    def _is_apart(self, sight: Sight) -> bool:
        """Whether chapters are missing before or amid those that were read."""
        if len(joined(sight.chapters, after=self.version)) < len(sight.chapters):
            log.error("chronicle_has_a_gap", table=self.table, version=self.version)
            return True
        return False

    def _show(self, sight: Sight) -> None:
        self.players = sight.players
        for viewpoint, body in sight.documents.items():
            view = View(table=self.table, seat=viewpoint, version=sight.shown, view=msgspec.Raw(body), now=now_ms())
            self._views[viewpoint] = written(view)

    def _advance(self, chapters: Sequence[Chapter]) -> None:
        self.forget_written()
        self.version = chapters[-1].last
        for each in chapters:
            if self._tail and each.first > self._tail[-1].last + 1:  # whoever is before a hole is to come upon it
                self._tail.clear()
                self._tail_bytes = 0
            self._tail.append(each)
            self._tail_bytes += size_of(each)
        while len(self._tail) > KEPT_CHAPTERS or self._tail_bytes > KEPT_BYTES:
            self._tail_bytes -= size_of(self._tail.popleft())

    def view(self, viewpoint: Viewpoint) -> str | None:
        """Return the view message of this version, if it was read."""
        return self._views.get(viewpoint)

    def forget_written(self) -> None:
        """Let go of messages; they can be written again."""
        self._views.clear()
        self._pieces.clear()

    def forget(self) -> None:
        """Start again from what the store says."""
        self.forget_written()
        self._tail.clear()
        self._tail_bytes = 0
        self.version = 0
        self.known.clear()

    def steps(self, viewpoint: Viewpoint, after: int) -> Piece | None:
        """Return what a viewpoint was told behind a version, or ``None`` when that is no longer kept here."""
        if (viewpoint, after) not in self._pieces:
            if not self._tail or self._tail[0].first > after + 1:
                return None
            new = list(takewhile(lambda each: each.last > after, reversed(self._tail)))  # mostly the last alone
            self._pieces[viewpoint, after] = piece(self.table, viewpoint, reversed(new))
        return self._pieces[viewpoint, after]


def piece(table: str, viewpoint: Viewpoint, chapters: Iterable[Chapter]) -> Piece:
    """Return the steps message of chapters, as many as fit into one; at least the first."""
    room, told = MESSAGE_BYTES, list[Told]()
    for chapter in chapters:
        room -= len(chapter.told(viewpoint))
        if told and room < 0:
            break
        told.append(as_told(chapter, viewpoint))
    steps = Steps(table=table, seat=viewpoint, last=told[-1].last, chapters=told, now=now_ms())
    return Piece(written(steps), steps.last)


def size_of(chapter: Chapter) -> int:
    """Return about how many bytes a chapter takes."""
    return len(chapter.common) + sum(map(len, chapter.private.values()))
