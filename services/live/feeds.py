"""All tables that are followed in this process: woken by push, read together, and looked at now and again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final

import structlog

from events.log.errors import StoreUnusableError
from services.api.damage import StoreDamagedError
from services.api.line import PASSING
from services.api.problems import CODES, Problem
from services.api.sending import LOOK_S, SURE_S
from services.api.wakes import Wakes
from services.ending import end
from services.live.feed import Feed
from services.live.follow import Follow
from services.live.late import LateFeed
from services.live.news import now_ms
from services.live.pages import Pages
from services.live.reading import Reader
from services.live.senders import Held

BATCH: Final = 64
"""Tables read in one round trip."""

MANY: Final = 500
"""Tables whose versions are asked for in one round trip."""

AGAIN_S: Final = 0.5
"""Pause before a store that is away is asked again."""

KNOWN_S: Final = 5.0
"""How long a new follow waits until its table was read."""

KEPT_S: Final = 10.0
"""How long messages that were written are kept while nothing moves."""

AWAY: Final = (*PASSING, StoreUnusableError)

log = structlog.get_logger()


class Feeds:
    """
    The tables that somebody follows, and who reads them: one task for those of each node, which waits for no other.

    Args:
        lost: what to do with a follow that cannot go on, and why.
        follows: how many there are; ``held`` by whom; ``reads`` how often a table was read.
    """

    def __init__(self, reader: Reader, wakes: Wakes, lost: Callable[[Follow, Problem], None]) -> None:
        self._reader = reader
        self._wakes = wakes
        self._lost = lost
        self._feeds: dict[str, dict[int, Feed]] = {}
        self._due: dict[Hashable, dict[Feed, None]] = {}
        self._readers: dict[Hashable, asyncio.Task[None]] = {}
        self._away = False
        self.reads = 0
        self.follows = 0
        self.held = Held()
        self.pages = Pages(reader)

    def __len__(self) -> int:
        """Return how many tables are followed; one that is seen late, too, counts twice."""
        return len(self._all)

    @property
    def _all(self) -> list[Feed]:
        return [feed for feeds in self._feeds.values() for feed in feeds.values()]

    def of(self, table: str, *, behind_ms: int) -> Feed:
        """Return the feed of a table as it was so long ago, a new one when nobody follows that yet."""
        feeds = self._feeds.setdefault(table, {})
        if behind_ms not in feeds:
            feeds[behind_ms] = LateFeed(table, behind_ms) if behind_ms else Feed(table)
        return feeds[behind_ms]

    async def join(self, follow: Follow) -> None:
        """Let a follow be told from now on; return when its table is known."""
        feed = follow.feed
        feed.follows.add(follow)
        self.follows += 1
        for sender in follow.senders:
            self.held.take(sender)
        if not feed.known.is_set() or follow.views:
            self.read(feed)
        try:
            async with asyncio.timeout(KNOWN_S):
                await feed.known.wait()
        except TimeoutError:
            raise Problem("store_away") from None
        if follow.trouble is not None:
            raise follow.trouble

    def leave(self, follow: Follow) -> None:
        """Tell a follow nothing more; a table that nobody follows is forgotten."""
        follow.alive = False
        if follow in follow.feed.follows:
            follow.feed.follows.discard(follow)
            self.follows -= 1
            for sender in follow.senders:
                self.held.give_back(sender)
        if not follow.feed.follows and self._is_kept(follow.feed):
            for due in self._due.values():
                due.pop(follow.feed, None)
            self._let_sleep(follow.feed)
            del self._feeds[follow.table][follow.feed.behind_ms]
            if not self._feeds[follow.table]:
                del self._feeds[follow.table]

    def read(self, feed: Feed) -> None:
        """Have a table read soon."""
        place = self._reader.place_of(feed.table)
        self._due.setdefault(place, {})[feed] = None
        if place not in self._readers:
            self._readers[place] = asyncio.create_task(self._read_all_of(place))

    def read_within(self, feed: Feed, pause_s: float) -> None:
        """Have a table read after a pause at the latest, and all looked at who follow it; one pause is for all."""
        if not self._is_kept(feed):
            return
        loop = asyncio.get_running_loop()
        if feed.waking is None or feed.waking.when() > loop.time() + pause_s:
            self._let_sleep(feed)
            feed.waking = loop.call_later(pause_s, self._wake, feed)

    def heard(self, moved: Mapping[str, int] | None) -> None:
        """Have read what moved; everything when nobody knows."""
        for table in self._feeds if moved is None else moved:
            for feed in self._feeds.get(table, {}).values():
                if moved is None or moved[table] > feed.reached:
                    self.read(feed)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read while the block is alive."""
        looking = asyncio.create_task(self._look_round_for_ever())
        self._wakes.tell(self.heard)
        try:
            yield
        finally:
            self._wakes.tell_no_more(self.heard)
            await end([looking, *self._readers.values()])

    async def _read_all_of(self, place: Hashable) -> None:
        """Read the tables of a place until none is due."""
        try:
            while feeds := list(self._due[place])[:BATCH]:
                for feed in feeds:
                    del self._due[place][feed]
                await self._guarded(feeds, self._read(feeds))
        finally:
            del self._due[place], self._readers[place]

    async def _read(self, feeds: Sequence[Feed]) -> None:
        """Read tables and tell who follows them."""
        sights = await self._reader.look([each.look for each in feeds])
        self.reads += len(feeds)
        at = asyncio.get_running_loop().time()
        for feed, sight in zip(feeds, sights, strict=True):
            if not self._is_kept(feed):
                continue
            self._let_sleep(feed)
            if sight.away:
                self._let_go_of_those_who_wait(feed)
                self.read_within(feed, AGAIN_S)
                continue
            if sight.problem is not None:
                self._lose(feed.follows, sight.problem)
                continue
            before = feed.version
            if sight.version < before:
                await self._go_back(feed)
            elif feed.take(sight, at=at):
                await self._read_on(feed, stuck=feed.version == before)
            if feed.due is not None:
                self.read_within(feed, max(0, feed.due - now_ms() + 1) / 1000)
            for follow in feed.follows:
                follow.socket.look_at(follow)

    async def _read_on(self, feed: Feed, *, stuck: bool) -> None:
        """Read a table again whose chronicle is behind its views: at once, or when it had its time to come."""
        if not stuck:
            self.read(feed)
            return
        self.read_within(feed, LOOK_S)
        try:
            await self._reader.page(feed.table, feed.version)
        except Problem as problem:  # it will not come
            self._lose(feed.follows, problem)
        except StoreDamagedError as fault:
            self._lose(feed.follows, Problem(CODES[type(fault)]))

    @staticmethod
    def _let_sleep(feed: Feed) -> None:
        """Let go of a timer, which would keep a table in memory until its time."""
        if feed.waking is not None:
            feed.waking.cancel()
            feed.waking = None

    def _wake(self, feed: Feed) -> None:
        feed.waking = None
        self.read(feed)

    def _read_if_followed(self, feed: Feed) -> None:
        if self._is_kept(feed):
            self.read(feed)

    def _is_kept(self, feed: Feed) -> bool:
        return self._feeds.get(feed.table, {}).get(feed.behind_ms) is feed

    async def _look_round_for_ever(self) -> None:
        """Ask for versions now and again, since push may lose something; more often when nothing can be heard."""
        while True:
            pause = SURE_S if self._wakes.listening else AGAIN_S
            await asyncio.sleep(pause)
            await self._look_at_quiet(pause)

    async def _look_at_quiet(self, pause: float) -> None:
        now = asyncio.get_running_loop().time()
        quiet = [each for each in self._all if each.known.is_set() and each.looked + pause < now]
        for first in range(0, len(quiet), MANY):
            feeds = quiet[first : first + MANY]
            await self._guarded(feeds, self._look_round(feeds, now))

    async def _look_round(self, feeds: Sequence[Feed], now: float) -> None:
        for feed, version in zip(feeds, await self._reader.newest([each.table for each in feeds]), strict=True):
            if not self._is_kept(feed):
                continue
            if version is None or version > feed.reached or (feed.due is not None and feed.due <= now_ms()):
                self.read(feed)
            elif version < feed.version:
                await self._go_back(feed)
            elif feed.looked + KEPT_S < now:
                feed.forget_written()

    async def _go_back(self, feed: Feed) -> None:
        """End the follows that have seen more than there is: the store lost its last moments."""
        try:
            version = await self._reader.truth(feed.table)
        except StoreDamagedError as fault:
            self._lose(feed.follows, Problem(CODES[type(fault)]))
            return
        if version >= feed.version:
            return
        log.warning("table_went_back", table=feed.table, seen=feed.version, version=version)
        self._lose({each for each in feed.follows if each.last > version}, ahead(version))
        if self._is_kept(feed):
            feed.forget()
            self.read(feed)

    def _lose(self, follows: Collection[Follow], problem: Problem) -> None:
        """End follows, and let none begin that waits for its table."""
        for follow in list(follows):
            if follow.alive:
                self._lost(follow, problem)
            else:
                follow.trouble = problem
                follow.feed.known.set()
                follow.feed.forget()

    def _let_go_of_those_who_wait(self, feed: Feed) -> None:
        """Tell who wants to know a table for the first time that the store is away; the others wait for it."""
        if not feed.known.is_set():
            self._lose([each for each in feed.follows if not each.alive], Problem("store_away"))

    async def _guarded(self, feeds: Sequence[Feed], work: Awaitable[None]) -> None:
        """Wait for a piece of work; when the store is away, try again with these tables after a pause."""
        try:
            await work
        except (*AWAY, Problem) as fault:
            if not self._away:
                log.warning("live_store_was_away", reason=type(fault).__name__)
            self._away = True
            for feed in feeds:
                self._let_go_of_those_who_wait(feed)
            await asyncio.sleep(AGAIN_S)
            for feed in feeds:
                self._read_if_followed(feed)
        except Exception:
            log.exception("live_reading_failed", tables=[each.table for each in feeds])
            for feed in feeds:
                self._lose(feed.follows, Problem("internal_error"))
        else:
            self._away = False


def ahead(version: int, *, path: str | None = None) -> Problem:
    """Return the no to a client that has seen more than there is; ``path`` leads to where it says so."""
    return Problem("version_ahead", path=path, details={"version": version})
