"""Pages of the chronicles of tables that are followed, for those far behind."""

from __future__ import annotations

import asyncio

import structlog

from projections.tables.chronicle import Chapter
from services.api.problems import Problem
from services.api.story import joined
from services.live.feed import Piece, piece
from services.live.follow import Follow
from services.live.reading import Reader

log = structlog.get_logger()


class Pages:
    """Reads pages of chronicles for those far behind; who wants the same page at the same time gets the same."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._reading: dict[tuple[str, int], asyncio.Task[list[Chapter]]] = {}

    async def after(self, follow: Follow) -> Piece | None:
        """Return the steps behind what a follow was sent, up to what is known of the table, if there are any."""
        feed, key = follow.feed, (follow.table, follow.last)
        if key not in self._reading:
            task = asyncio.create_task(self._reader.page(*key))
            task.add_done_callback(lambda done: self._was_read(key, done))
            self._reading[key] = task
        chapters = await asyncio.shield(self._reading[key])
        known = [each for each in chapters if each.last <= feed.version]
        whole = joined(known, after=key[1])
        if known and not whole:
            log.error("chronicle_has_a_gap", table=feed.table, version=key[1])
            raise Problem("internal_error")
        return piece(feed.table, follow.viewpoint, whole) if whole else None

    def _was_read(self, key: tuple[str, int], done: asyncio.Task[list[Chapter]]) -> None:
        del self._reading[key]
        if not done.cancelled():
            done.exception()  # whoever waited has heard of it; perhaps nobody did any more
