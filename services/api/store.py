"""What the doors read and write in the store, without waiting for one another."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis.exceptions import ResponseError

from events.commit import Commit, Entry, read_entry
from events.log.errors import BusyError, TooLargeError
from events.log.redis_store import LIBRARY, away_of, library_code, lost
from events.log.store import MAX_BACKLOG, MAX_ENVELOPE
from events.messages import SPECTATOR, Viewpoint
from events.streams import (
    LIVE_OF_ALL,
    PLATFORM_KEYS,
    PLATFORMS,
    SIGNING,
    SIGNING_KEYS,
    Partition,
    claim_of,
    view_of_all,
)
from projections.kit.projection import BROKEN
from projections.lobby.lobby import LOBBY, TABLES, own_member
from projections.tables.behind import DELAY, KEPT, seen
from projections.tables.chronicle import Chapter, read_chapter
from projections.tables.projections import NEEDS_NEWER, STORY, TABLE, VIEW_BROKEN, document, field_of
from services.api.cursors import Place
from services.api.damage import StoreDamagedError, is_damage, whole
from services.api.keys import KeyRecord
from services.api.line import Command
from services.api.opened import OpenedStore, answer_of
from services.api.openings import Opening, opening
from services.api.platforms import PlatformRecord, read_platform
from services.api.problems import Problem
from services.api.signing import SigningKeys, all_records, kept, require_signing
from services.api.stored import place_of, place_of_member, place_of_own, platform_of, record_of, require_json, row_of
from services.api.tokens import LONGEST_LIFE_S
from services.api.versions import Read

PAGE: Final = 200
"""Entries read at once when looking for an answer, newest first."""

REFUSED_S: Final = 60.0
"""How long a store that refused a command is taken to refuse the next, unless it takes one before."""

CLAIMED_S: Final = 86_400
"""How long a key's table is noted: longer than its opening waits for an answer, which stands in the table then."""

Viewed = tuple[int, bytes]
"""A version, and the document of it in JSON."""


class ApiStore(OpenedStore):
    """The doors' side of the store: they send commands and read views, heads and histories; never a secret."""

    def __init__(self, url: str, *, epoch: str | None = None, within_s: float) -> None:
        super().__init__(url, epoch=epoch, within_s=within_s)
        self._refused_at = float("-inf")

    @property
    def takes_commands(self) -> bool:
        """Whether it took the last command, or was not asked of late: a full server, or a replica, takes none."""
        return time.monotonic() - self._refused_at > REFUSED_S

    async def submit(self, partition: Partition, envelope: bytes) -> None:
        """Append a command; ``BusyError`` above the backlog limit."""
        call = ("FCALL", f"{LIBRARY}_submit", 2, partition.commands, partition.cursor)
        for attempt in (1, 2):
            try:
                await self.send(*call, MAX_BACKLOG, MAX_ENVELOPE, envelope, self._epoch or "")
            except ResponseError as fault:
                if attempt == 1 and "function not found" in str(fault).lower():
                    answer_of(await self.ask([("FUNCTION", "LOAD", "REPLACE", library_code())], at=partition.cursor))
                    continue
                self._note(fault)
                raise _translated(fault, partition) from None
            self._refused_at = float("-inf")
            return

    def _note(self, refusal: ResponseError) -> None:
        if away_of(refusal) is not None:
            self._refused_at = time.monotonic()

    async def answered(self, partition: Partition, table: str, command_id: bytes) -> Entry | None:
        """Return the entry that answers a command, or ``None`` when there is none (yet)."""
        end, key = "+", partition.truth(table)
        while page := await self.read("XREVRANGE", key, end, "-", "COUNT", PAGE):
            for _, fields in page:
                if command_id in fields[1]:
                    with whole(key):
                        entry = read_entry(fields[1])
                    if entry.command.command_id == command_id:
                        return entry
            end = "(" + page[-1][0].decode()
        return None

    async def held(self, tables: Sequence[str]) -> set[str]:
        """Return at which of some tables anything was ever answered, as far as their nodes can be asked."""
        found = await self.ask([("EXISTS", self.partition(each).truth(each)) for each in tables])
        for fault in found:
            if isinstance(fault, ResponseError):
                raise fault
        return {table for table, count in zip(tables, found, strict=True) if count == 1}

    async def claim(self, key: str, table: str) -> str:
        """Return the table that a key opens: this one, unless it was claimed for another not long ago."""
        name = claim_of(key)
        try:
            found = await self.read("SET", name, table, "NX", "GET", "EX", CLAIMED_S)
        except ResponseError as fault:
            self._note(fault)
            raise
        with whole(name):
            return table if found is None else str(found, "utf-8")

    async def opening_of(self, table: str) -> Opening | None:
        """Return how a table was opened; ``None`` when it never was."""
        key = self.partition(table).truth(table)
        page = await self.read("XRANGE", key, "1-0", "+", "COUNT", 1)
        if not page:
            await self.ping()
            return None
        with whole(key):
            entry = read_entry(page[0][1][1])
            return opening(entry.command) if isinstance(entry, Commit) else None

    async def view(self, table: str, viewpoint: Viewpoint, *, as_of: int | None = None) -> Viewed | None:
        """
        Return a viewpoint's document and its version; ``None`` when there is none (yet).

        With ``as_of``, in milliseconds since 1970, a spectator is behind where the table says so.
        """
        place = self.partition(table)
        fields = ("status", "version", field_of(SPECTATOR), field_of(viewpoint), DELAY, *(KEPT if as_of else ()))
        status, version, spectator, own, delay, *kept = await self._versions.read(
            place.live, TABLE, lambda live: ("HMGET", place.view(live, table), *fields)
        )
        if version is None:
            await self.ping()
        if status == NEEDS_NEWER:
            raise Problem("needs_newer_program")
        if status == VIEW_BROKEN:
            raise Problem("view_broken")
        with whole(f"view of {table}"):
            if as_of and delay and (before := seen(kept, delay_ms=int(delay), now_ms=as_of)) is not None:
                require_json(before.document)
                return before.version, before.document
            return None if None in (version, spectator, own) else (int(version), document(spectator, own))

    async def chapters(self, table: str, *, after: int, count: int) -> list[Chapter]:
        """Return what was told of the commits behind a version, oldest first."""
        place = self.partition(table)
        entries = await self._versions.read(
            place.live, STORY, lambda live: ("XRANGE", place.view(live, table), f"{after + 1}-0", "+", "COUNT", count)
        )
        if not entries:
            await self.ping()
            broken = await self._versions.read(
                place.live, STORY, lambda live: ("HGET", place.view(live, BROKEN), table)
            )
            if broken is not None:
                raise Problem("view_broken")
        with whole(f"story of {table}"):
            return [read_chapter(fields[1]) for _, fields in entries]

    async def listed(
        self,
        lists: Sequence[str],
        left: Sequence[str],
        *,
        of: str | None,
        until: int | None,
        count: int,
        now: int,
    ) -> tuple[list[list[Place]], list[Place]]:
        """
        Return where tables stand in the lobby: of each list the newest, and all that left a list a while ago.

        They are read in this order, so that a table which moves meanwhile to a list behind its own is not missed.

        Args:
            lists: names of lists of tables by when they were opened, or of those by platform.
            left: names of lists of tables by when they will be shown nowhere but where they are.
            of: of which platform, where the lists are by platform.
            until: milliseconds since 1970 after which none of them was opened; ``None`` for the newest of all.
            count: how many of each list at most; of those that left, it is all who may be shown as before.
            now: milliseconds since 1970.
        """
        newest = _newest(until, count) if of is None else _newest_of(of, until, count)
        shown: Command = (f"({now}", "inf", "BYSCORE")
        named = [*((name, newest) for name in lists), *((name, shown) for name in left)]
        replies = await self.read_all_live([_ranked(name, wanted) for name, wanted in named])
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        if not any(replies):
            await self.ping()
        listed, gone = replies[: len(lists)], replies[len(lists) :]
        return (
            [
                [place_of(*each) for each in _pairs(reply)] if of is None else [place_of_own(each) for each in reply]
                for reply in listed
            ],
            [place for reply in gone for each in reply if (place := place_of_member(each)) is not None],
        )

    async def rows(self, tables: Sequence[str]) -> list[dict[str, Any]]:
        """Return the lobby's rows of tables; those that cannot be read are left out, and the log says so."""
        if not tables:
            return []
        found = await self._versions.read(
            LIVE_OF_ALL, LOBBY, lambda live: ("HMGET", view_of_all(live, TABLES), *tables)
        )
        return [row for name, body in zip(tables, found, strict=True) if body and (row := row_of(name, body))]

    async def key(self, name: str) -> KeyRecord | None:
        """Return what is kept of a platform key."""
        body = await self.read("HGET", PLATFORM_KEYS, name)
        if body is None:
            await self.ping()
            return None
        return record_of(name, body)

    async def keys(self) -> dict[str, KeyRecord]:
        """Return what is kept of all keys, by name."""
        found = await self.read("HGETALL", PLATFORM_KEYS)
        names = [(name.decode(errors="replace"), body) for name, body in _pairs(found)]
        records = {name: record_of(name, body) for name, body in names}
        return {name: record for name, record in records.items() if record is not None}

    async def platforms(self) -> dict[str, PlatformRecord]:
        """Return what is set for platforms."""
        found = await self.read("HGETALL", PLATFORMS)
        records = {name.decode(errors="replace"): body for name, body in _pairs(found)}
        return {name: record for name, body in records.items() if (record := platform_of(name, body)) is not None}

    async def platform(self, name: str) -> PlatformRecord:
        """Return what is set for a platform."""
        body = await self.read("HGET", PLATFORMS, name)
        if body is None:
            await self.ping()
            return PlatformRecord()
        with whole(PLATFORMS):
            return read_platform(body)

    async def revoked(self, table: str) -> dict[str, int]:
        """Return which tokens of a table were revoked, as ``Partition.revoked`` says."""
        key = self.partition(table).revoked(table)
        found = await self.read("HGETALL", key)
        with whole(key):
            return {name.decode(): int(generation) for name, generation in _pairs(found)}

    async def revoke(self, table: str, field: str, generation: int) -> None:
        """Note that tokens of an older generation have ended, for as long as any may hold."""
        key = self.partition(table).revoked(table)
        await self.read("HSET", key, field, generation)
        await self.read("EXPIRE", key, LONGEST_LIFE_S)

    async def signing_keys(self, proposed: bytes) -> SigningKeys:
        """Return the keys that sign tokens: the proposed one if there was none."""
        found = await self._signing_keys()
        if found is None:
            await self.ping()
            await self.read("SETNX", SIGNING, proposed)
            found = await self._signing_keys()
        if found is None:  # all have ended, or are being taken away by hand
            raise StoreDamagedError(SIGNING)
        return found

    async def _signing_keys(self) -> SigningKeys | None:
        first = await self.read("GET", SIGNING)
        others = await self.read("HGETALL", SIGNING_KEYS)
        with whole(SIGNING):
            require_signing(first)
        with whole(SIGNING_KEYS):
            return kept(all_records(first, dict(_pairs(others))), now=time.time())


def _newest(until: int | None, count: int) -> Command:
    """Return which part of a list of tables by when they were opened is read."""
    return ("inf" if until is None else until, "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES")


def _newest_of(platform: str, until: int | None, count: int) -> Command:
    """Return which part of a list of tables by platform is read; no table's name goes beyond a tilde."""
    last = f"{platform}:~" if until is None else own_member(platform, until, "~")
    return (f"[{last}", f"[{platform}:", "BYLEX", "REV", "LIMIT", 0, count)


def _ranked(name: str, wanted: Command) -> Read:
    """Return how a part of one of the lobby's lists is read."""
    return Read(LIVE_OF_ALL, LOBBY, lambda live: ("ZRANGE", view_of_all(live, name), *wanted))


def _pairs(reply: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    return list(zip(reply[::2], reply[1::2], strict=True))


def _translated(fault: ResponseError, place: Partition) -> Exception:
    if is_damage(fault):
        return StoreDamagedError(place.commands)
    word = str(fault).partition(" ")[0]
    kinds: dict[str, Callable[[str], Exception]] = {"BACKLOG": BusyError, "TOOLARGE": TooLargeError, "LOST": lost}
    return kinds[word](str(fault)) if word in kinds else fault
