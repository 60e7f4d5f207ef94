"""Reads what tables show now and what was told of them, many tables in one round trip."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import takewhile
from typing import Final, TypeVar

import msgspec
import structlog

from events.messages import SPECTATOR, Viewpoint
from projections.tables.behind import KEPT, Before, seen, seen_until
from projections.tables.chronicle import Chapter, read_chapter
from projections.tables.projections import NEEDS_NEWER, STORY, TABLE, VIEW_BROKEN, document_of, field_of, members_of
from services.api.damage import StoreDamagedError, whole
from services.api.line import PASSING
from services.api.problems import CODES, Problem
from services.api.store import ApiStore
from services.api.versions import Read
from services.live.news import now_ms

PAGE: Final = 100
"""Chapters read at once."""

NEWEST: Final = 32
"""Chapters read when a table is looked at for the first time."""

Entries = Sequence[tuple[bytes, Sequence[bytes]]]
"""Entries of a stream as they come: id, and fields and values in turns."""

T = TypeVar("T")

log = structlog.get_logger()


class Look(msgspec.Struct, frozen=True):
    """
    What is wanted of a table.

    Args:
        after: version behind which chapters are wanted; ``None`` for the newest few.
        viewpoints: whose documents are.
        behind_ms: how old everything has to be, in milliseconds; then the spectator alone looks.
    """

    table: str
    after: int | None
    viewpoints: Sequence[Viewpoint]
    behind_ms: int = 0


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """
    What was found of a table.

    Args:
        version: up to where it may be known, 0 when there are no views yet.
        newest: of its views now, whoever may see them.
        shown: of the documents.
        players: who sits where.
        documents: of the viewpoints asked for.
        chapters: behind the version asked for and up to this one, oldest first, at most a page.
        young: whether there are chapters that are not old enough.
        due: milliseconds since 1970 when there is more to see, although nothing happens.
        problem: why the table cannot be shown.
        away: whether it cannot be read now, while others can: its node does not answer.
    """

    version: int = 0
    newest: int = 0
    shown: int = 0
    players: tuple[str | None, ...] = ()
    documents: dict[Viewpoint, bytes] = {}
    chapters: Sequence[Chapter] = ()
    young: bool = False
    due: int | None = None
    problem: Problem | None = None
    away: bool = False


class _Seat(msgspec.Struct):
    player: str | None


_read_seats: Final = msgspec.json.Decoder(list[_Seat]).decode
_NO_SEATS: Final = msgspec.Raw(b"null")
"""What stands in place of a document's seats where there are none, as in no document that is whole."""


class Reader:
    """Reads from the live versions of the table views and of the chronicle."""

    def __init__(self, store: ApiStore) -> None:
        self._store = store

    async def look(self, looks: Sequence[Look]) -> list[Sight]:
        """Return what there is of each table."""
        reads = [read for look in looks for read in self._reads(look)]
        found = await self._store.read_all_live(reads)
        sights = [
            self._sight(look, fields, entries)
            for look, fields, entries in zip(looks, found[::2], found[1::2], strict=True)
        ]
        if any(map(_is_empty, sights)):
            try:
                await self._store.ping()  # nothing there, or no longer?
            except PASSING:
                sights = [Sight(away=True) if _is_empty(each) else each for each in sights]
        return sights

    def place_of(self, table: str) -> Hashable:
        """Return where a table lies: what lies in the same place is read together, and waits for no other."""
        return self._store.node_of(table)

    async def newest(self, tables: Sequence[str]) -> list[int | None]:
        """Return the version of each table's views, 0 when there are none, ``None`` where that cannot be read."""
        return [_version(found) for found in await self._store.read_all_live([self._version(each) for each in tables])]

    def _version(self, table: str) -> Read:
        place = self._store.partition(table)
        return Read(place.live, TABLE, lambda live: ("HGET", place.view(live, table), "version"))

    async def truth(self, table: str) -> int:
        """Return the version of a table's history, whatever the views show."""
        key = self._store.partition(table).truth(table)
        page = await self._store.read("XREVRANGE", key, "+", "-", "COUNT", 1)
        with whole(key):
            return int(page[0][0].partition(b"-")[0]) if page else 0

    async def page(self, table: str, after: int) -> list[Chapter]:
        """Return what was told behind a version, oldest first, at most a page."""
        return await self._store.chapters(table, after=after, count=PAGE)

    def _reads(self, look: Look) -> tuple[Read, Read]:
        place = self._store.partition(look.table)
        before = KEPT if look.behind_ms else ()
        fields = ("status", "version", field_of(SPECTATOR), *map(field_of, look.viewpoints), *before)
        story = ("XREVRANGE", "+", "-", NEWEST) if look.after is None else ("XRANGE", f"{look.after + 1}-0", "+", PAGE)
        command, start, end, count = story
        return (
            Read(place.live, TABLE, lambda live: ("HMGET", place.view(live, look.table), *fields)),
            Read(place.live, STORY, lambda live: (command, place.view(live, look.table), start, end, "COUNT", count)),
        )

    def _sight(self, look: Look, fields: Sequence[bytes | None] | Exception, entries: Entries | Exception) -> Sight:
        try:
            return self._found(look, _whole(fields), _whole(entries))
        except StoreDamagedError as fault:
            log.warning("store_damaged", table=look.table, key=fault.key)
            return Sight(problem=Problem(CODES[StoreDamagedError]))
        except PASSING:
            return Sight(away=True)

    def _found(self, look: Look, fields: Sequence[bytes | None], entries: Entries) -> Sight:
        status, version, spectator, *own = fields
        if status == NEEDS_NEWER:
            return Sight(problem=Problem("needs_newer_program"))
        if status == VIEW_BROKEN:
            return Sight(problem=Problem("view_broken"))
        if version is None or spectator is None:
            return Sight()
        with whole(f"view or story of {look.table}"):
            return self._drawn(look, int(version), spectator, own, entries)

    def _drawn(
        self, look: Look, version: int, spectator: bytes, own: Sequence[bytes | None], entries: Entries
    ) -> Sight:
        told = [read_chapter(entry[1]) for _, entry in (reversed(entries) if look.after is None else entries)]
        if look.behind_ms:
            return self._past(look, Before(0, version, spectator), own[len(look.viewpoints) :], told)
        shared = members_of(spectator)
        return Sight(
            version=version,
            newest=version,
            shown=version,
            players=_players(shared),
            documents={
                viewpoint: spectator if viewpoint is None else document_of(shared, members)
                for viewpoint, members in zip(look.viewpoints, own, strict=True)
                if members is not None
            },
            chapters=[each for each in told if each.last <= version],
        )

    def _past(self, look: Look, newest: Before, kept: Sequence[bytes | None], told: Sequence[Chapter]) -> Sight:
        """Return what may be seen now of a table by those who see it late: steps that are old, or shown already."""
        now, delay_ms = now_ms(), look.behind_ms
        before = seen(kept, delay_ms=delay_ms, now_ms=now)
        shows = before or newest
        told = [each for each in told if each.last <= newest.version]
        old = list(takewhile(lambda each: each.last <= shows.version or each.at + delay_ms <= now, told))
        young = told[len(old) : len(old) + 1]
        dues = [each.at + delay_ms for each in young]
        if before is not None:
            dues.append(seen_until(before.at, delay_ms=delay_ms))
        return Sight(
            version=old[-1].last if old else min(look.after or 0, newest.version),
            newest=newest.version,
            shown=shows.version,
            players=_players(members_of(shows.document)),
            documents={SPECTATOR: shows.document},
            chapters=old,
            young=bool(young),
            due=min(dues, default=None),
        )


def _players(document: Mapping[str, msgspec.Raw]) -> tuple[str | None, ...]:
    return tuple(each.player for each in _read_seats(document.get("seats", _NO_SEATS)))


def _is_empty(sight: Sight) -> bool:
    return not (sight.version or sight.problem or sight.away)


def _whole(found: T | Exception) -> T:
    if isinstance(found, Exception):
        raise found
    return found


def _version(found: bytes | Exception | None) -> int | None:
    try:
        with whole("version"):
            return int(_whole(found) or 0)
    except (StoreDamagedError, *PASSING):
        return None
