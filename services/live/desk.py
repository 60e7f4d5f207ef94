"""What each message of a client does."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import assert_never

import structlog

from events.messages import Seat
from services.api.bodies import LIMIT
from services.api.buckets import Buckets
from services.api.doorkeeper import BOTS, Caller
from services.api.doors import Doors
from services.api.problems import Problem
from services.api.rates import sender_of
from services.live.access import Access, named, require_its_table
from services.live.closing import Closing
from services.live.feed import Feed
from services.live.feeds import Feeds, ahead
from services.live.follow import Follow
from services.live.news import Following, Limits, Pong, Refused, Welcome, now_ms
from services.live.reading import Reader
from services.live.senders import Held
from services.live.sends import STORE_FAULTS, answer_to, away
from services.live.settings import LiveSettings
from services.live.socket import Socket
from services.live.turns import Turn
from services.live.wire import PING_S
from services.live.wishes import LARGEST, Ping, Send, Token, Unfollow, Wish, placing, read_first, read_wish
from services.live.wishes import Follow as WishToFollow

Work = Callable[[], Awaitable[None]]
"""Does what a wish says, in its turn."""

log = structlog.get_logger()


class Desk:
    """Takes what clients say."""

    def __init__(
        self,
        doors: Doors,
        *,
        settings: LiveSettings,
        access: Access,
        feeds: Feeds,
        reader: Reader,
        clock: Callable[[], float],
    ) -> None:
        self._doors = doors
        self._settings = settings
        self._access = access
        self._feeds = feeds
        self._reader = reader
        self._clock = clock
        self._held = Held()
        self._tries = Buckets(rate=doors.settings.rate_address, burst_s=doors.settings.rate_burst_s)
        self.sends: set[asyncio.Task[None]] = set()

    async def welcome(self, socket: Socket, text: str) -> None:
        """Take a socket's first message; a problem when it is no good token."""
        first = read_first(text)
        with _told(first):
            await self._token(socket, first.token, re=1)

    async def take(self, socket: Socket, text: str, *, re: int) -> None:
        """
        Take any other message; a problem when it does nothing.

        What is about a table is only begun: nobody waits for another table.
        """
        wish = read_wish(text)
        with _told(wish):
            match wish:
                case Token():
                    await self._token(socket, wish.token, re=re)
                case WishToFollow():
                    work = partial(self._follow, socket, wish, wish.token or socket.token, re=re)
                    await self._begin(socket, wish.follow, wish, work, re=re)
                case Unfollow():
                    work = partial(self._unfollow, socket, wish, re=re)
                    await self._begin(socket, wish.unfollow, wish, work, re=re)
                case Send():
                    await self._send(socket, wish, re=re)
                case Ping():
                    socket.tell(Pong(re=re, ping=wish.ping, now=now_ms()))
                case _:
                    assert_never(wish)

    async def _begin(self, socket: Socket, table: str, wish: Wish, work: Work, *, re: int) -> None:
        """Have a wish taken in its turn; it ends with its socket."""
        await socket.room.acquire()
        turn = Turn(socket.turns, table)
        task = asyncio.create_task(self._in_turn(socket, turn, wish, work, re))

        def ended(task: asyncio.Task[None]) -> None:
            turn.end()
            socket.begun.discard(task)
            socket.room.release()

        socket.begun.add(task)
        task.add_done_callback(ended)

    async def _in_turn(self, socket: Socket, turn: Turn, wish: Wish, work: Work, re: int) -> None:
        await turn.come()
        try:
            with _told(wish):
                await work()
        except Problem as problem:
            socket.fail(problem, re=re)
        except Exception:
            log.exception("socket_failed")
            socket.drop(Closing.INTERNAL_ERROR)

    async def _token(self, socket: Socket, token: str, *, re: int) -> None:
        caller = await self._prove(socket, token)
        limit = self._settings.sockets_of_token
        if token != socket.token and caller.role != BOTS and self._held.by(token) >= limit:
            raise Problem("too_many_sockets", status=429, path="$.token", details={"limit": limit})
        self.gone(socket)
        self._held.take(token)
        socket.token = token
        is_counted = caller.role != BOTS
        socket.sender = sender_of(caller, token.encode(), bytes.fromhex(socket.address)) if is_counted else None
        limits = Limits(
            follows=self._settings.follows_of_socket,
            messages_per_s=self._settings.messages_per_s,
            commands_at_once=self._settings.commands_at_once,
            message_bytes=LARGEST,
            command_bytes=LIMIT,
        )
        socket.tell(Welcome(re=re, role=caller.role, ping_s=PING_S, limits=limits, now=now_ms()))

    def gone(self, socket: Socket) -> None:
        """Note that a socket no longer speaks for its token."""
        if socket.token:
            self._held.give_back(socket.token)

    async def _prove(self, socket: Socket, token: str) -> Caller:
        """Return who a token proves its holder to be; wrong ones cost the socket and its address."""
        address = socket.address.encode()
        if not self._access.knows(token) and (wait := self._tries.wait(address, now=self._clock())):
            raise Problem("rate_limited", details={"wait_ms": math.ceil(wait * 1000)})
        try:
            return await self._access.caller(token)
        except Problem as problem:
            if problem.code == "wrong_token":
                self._tries.pay(address, now=self._clock())
                socket.missed()
            raise

    async def _prove_and_pay(self, socket: Socket, token: str) -> Caller:
        """Return who a token proves its holder to be, where they may send a command: it counts as any request."""
        caller = await self._prove(socket, token)
        self._doors.rates.require_of(caller, token.encode(), bytes.fromhex(socket.address))
        return caller

    async def _follow(self, socket: Socket, wish: WishToFollow, token: str, *, re: int) -> None:
        # 1. may they?
        caller = await self._prove(socket, token)
        senders = () if caller.role == BOTS else (socket.address, token)
        require_its_table(caller, wish.follow, path="$.follow")
        looks = await self._access.look(token, wish.follow, wish.seat)
        before = socket.follows.get((wish.follow, looks.viewpoint))
        new = before is None
        if new:
            self._require_room(socket, senders)
        # 2. be told of what moves from now on, and know how far the table is
        feed = self._feeds.of(wish.follow, behind_ms=looks.behind_ms)
        follow = Follow(
            socket=socket,
            feed=feed,
            viewpoint=looks.viewpoint,
            asked=wish.seat,
            token=wish.token,
            seen=wish.seen,
            views=wish.views,
            at=self._clock(),
            senders=senders,
        )
        socket.beginning += new
        try:
            await self._feeds.join(follow)
            after = feed.start if wish.after is None else wish.after
            if after > feed.version:
                await self._require_version(feed, after)
        except BaseException:
            self._feeds.leave(follow)
            raise
        finally:
            socket.beginning -= new
        # 3. answer, and begin behind the version that was asked for: what moved meanwhile is behind it, too
        if before is not None:
            socket.forget(before)
        follow.begin(after)
        socket.follows[wish.follow, looks.viewpoint] = follow
        socket.tell(
            Following(re=re, table=wish.follow, seat=looks.viewpoint, after=after, version=feed.version, now=now_ms())
        )
        socket.look_at(follow)

    def _require_room(self, socket: Socket, senders: Sequence[str]) -> None:
        for follows, limit in (
            (len(socket.follows) + socket.beginning, self._settings.follows_of_socket),
            (self._feeds.follows, self._settings.follows),
            *((self._feeds.held.by(each), self._settings.follows_of_sender) for each in senders),
        ):
            if follows >= limit:
                raise Problem("too_many_follows", status=429, path="$.follow", details={"limit": limit})

    async def _require_version(self, feed: Feed, after: int) -> None:
        """
        Raise a problem when a client has seen more than there is; views that are a little behind come after.

        Who sees a table late is not told how far it is now.
        """
        version = feed.version if feed.behind_ms else await self._reader.truth(feed.table)
        if after > version:
            raise ahead(version, path="$.from")

    async def _unfollow(self, socket: Socket, wish: Unfollow, *, re: int) -> None:
        ended = [
            each
            for each in socket.follows.values()
            if each.table == wish.unfollow and wish.seat in {None, each.viewpoint}
        ]
        if not ended:
            raise Problem("not_following", status=404, path="$.unfollow")
        for follow in ended:
            socket.unfollow(follow, re=re)

    async def _send(self, socket: Socket, wish: Send, *, re: int) -> None:
        """Send a command on its way; its answer comes when it is there."""
        await socket.commands.acquire()
        turn = Turn(socket.turns, wish.table)
        task = asyncio.create_task(self._sent(socket, turn, wish, socket.token, re))
        self.sends.add(task)
        task.add_done_callback(self.sends.discard)

    async def _sent(self, socket: Socket, turn: Turn, wish: Send, token: str, re: int) -> None:
        try:
            await turn.come()
            token = wish.token or self._token_for(socket, wish) or token
            turn.end()  # commands do not wait for each other's answers
            prove = partial(self._prove_and_pay, socket, token)
            socket.tell(await answer_to(wish, re=re, prove=prove, doors=self._doors))
        except Exception:
            log.exception("command_failed", table=named(wish.table), command_id=str(wish.id))
            socket.tell(
                Refused(
                    re=re, id=str(wish.id), table=named(wish.table), code="internal_error", details={}, now=now_ms()
                )
            )
        finally:
            turn.end()
            socket.commands.release()

    @staticmethod
    def _token_for(socket: Socket, wish: Send) -> str | None:
        """Return the token of this socket's follow of the command's seat, if it has one."""
        seat = wish.send.get("seat")
        follow = socket.follows.get((wish.table, Seat(seat))) if isinstance(seat, int) else None
        return None if follow is None else follow.token


@contextmanager
def _told(wish: Wish) -> Iterator[None]:
    """Raise what goes wrong in the block as the problem that a client is told, with its place in the message."""
    with placing(wish):
        try:
            yield
        except STORE_FAULTS as fault:
            raise away(fault) from None
