"""
Following tables over the live door without input and output: what to say on a socket, what is heard, when to return.

Between one socket and the next each follow remembers the last version that came, so nothing is missed or repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.codec import to_json
from services.client.news import Follow, News, Rewound, Seen, Told, Unfollowed
from services.client.patience import Backoff, Patience
from services.client.problems import FOLLOWED_TWICE, PASSING, UNREACHABLE, UNREADABLE, ProblemError
from services.client.views import Chapter, view_of

MOST_S: Final = 30.0
"""The longest pause before a new socket."""

LASTING_CLOSES: Final = frozenset({1002, 1003, 1007, 1009})
"""Close codes after which coming back changes nothing (docs/reference/live.md)."""

UNWELCOME: Final = frozenset({4000, 4001})
"""Nor after these when they answer the first token; later they are about those of single follows."""

ASKED_AT_ONCE: Final = 16
"""Follows that may wait for the service's word."""

ENDS: Final = frozenset({"table_ended", "table_cancelled"})
"""The steps after which a table is over."""


class Heard(msgspec.Struct):
    """Any message of the service; which fields there are depends on its kind."""

    kind: str
    re: int | None = None
    id: str = ""
    table: str = ""
    seat: int | None = None
    after: int = 0
    first: int = 0
    last: int = 0
    chapters: list[Chapter] = []
    version: int = 0
    view: msgspec.Raw = msgspec.Raw()
    code: str | None = None
    path: str | None = None
    details: dict[str, Any] = {}
    limits: dict[str, int] = {}


class Thread:
    """
    One follow, and how far it has come.

    Args:
        looks: whether a view is asked for. Who wants none needs one all the same, unless the whole story comes: the
            step that ended the table may lie before those that are told.
        pauses: before it is asked for again, ``None`` unless it failed since it last held.
        place: the table and the viewpoint by which the service knows it, once it held.
    """

    def __init__(self, wish: Follow) -> None:
        self.wish = wish
        self.pauses: Backoff | None = None
        self.place: tuple[str, int | None] | None = None
        self.after = wish.after
        self.seen: int | None = None
        self.looks = wish.views or wish.after != 0

    def said(self) -> dict[str, Any]:
        """Return the message that asks for what has not come yet."""
        fields = {"seat": self.wish.seat, "from": self.after, "seen": self.seen, "token": self.wish.token}
        said: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        return {"follow": self.wish.table, **said, **({} if self.looks else {"views": False})}


class Line:
    """
    Everything a client follows, from socket to socket.

    On each new socket say what ``greet`` returns; give every text to ``hear``, and say what ``replies`` returns after
    it, or after ``wait_s`` when nothing is heard so long. When the socket is gone ``lost`` tells how long to wait for
    the next one. ``done`` is true when there is nothing left to follow.
    """

    def __init__(self, follows: Sequence[Follow], *, token: str, patience: Patience) -> None:
        self._token = token
        self._threads = dict.fromkeys(map(Thread, follows))
        self._patience = patience
        self._pauses = patience.begin(most_s=MOST_S)
        self._begin()

    def _begin(self) -> None:
        self._said = 0
        self._texts: list[str] = []
        self._unfollows: dict[tuple[str, int | None], None] = {}
        self._unasked = dict.fromkeys(self._threads)
        self._waiting: dict[Thread, float] = {}
        self._asked: dict[int, Thread] = {}
        self._held: dict[tuple[str, int | None], Thread] = {}
        self._failed: Heard | None = None
        self._welcome = False
        self._was_good = False

    @property
    def done(self) -> bool:
        return not self._threads

    @property
    def wait_s(self) -> float | None:
        """Return in how many seconds there is something to be said, whatever is heard; ``None`` when there is not."""
        return max(0.0, min(self._waiting.values()) - self._patience.clock()) if self._waiting else None

    def greet(self) -> list[str]:
        """Return what to say first on a new socket."""
        self._begin()
        self._say(to_json({"token": self._token}))
        return self.replies()

    def replies(self) -> list[str]:
        """Return what is to be said now."""
        self._say_all()
        texts, self._texts = self._texts, []
        return texts

    def _say_all(self) -> None:
        for table, seat in self._unfollows:
            self._say(to_json({"unfollow": table, **({} if seat is None else {"seat": seat})}))
        self._unfollows = {}
        now = self._patience.clock()
        for thread in [each for each, at in self._waiting.items() if at <= now]:
            del self._waiting[thread]
            self._unasked[thread] = None
        # few at once: who only spoke while the service answers would wait for it, and it for them
        while self._unasked and len(self._asked) < ASKED_AT_ONCE:
            thread = next(iter(self._unasked))
            del self._unasked[thread]
            self._asked[self._say(to_json(thread.said()))] = thread

    def _say(self, text: bytes) -> int:
        self._said += 1
        self._texts.append(text.decode())
        return self._said

    def hear(self, text: str | bytes) -> list[News]:
        """Return what a message tells; ``ProblemError`` when the last follow ended for a reason of its own."""
        try:
            return self._hear(msgspec.json.decode(text, type=Heard))
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise ProblemError(UNREADABLE) from None

    def lost(self, code: int | None, reason: str) -> float:
        """
        Return how many seconds to wait for the next socket; ``ProblemError`` when there is no use or no time left.

        Patience begins anew when a socket is lost on which a follow held, however long ago that was.

        Args:
            code: with which the socket was closed, ``None`` when it broke or never opened.
            reason: in a word.
        """
        if code in LASTING_CLOSES or (code in UNWELCOME and not self._welcome):
            failed = self._failed
            if failed is None:
                raise ProblemError(reason or f"closed_{code}", details={"close": code})
            raise ProblemError(failed.code or reason, path=failed.path, details=failed.details)
        if self._was_good:
            self._was_good = False
            self._pauses.again()
        pause = self._pauses.pause()
        if pause is None:
            raise ProblemError(UNREACHABLE, details={"reason": reason})
        return pause

    def _hear(self, heard: Heard) -> list[News]:
        match heard.kind:
            case "welcome":
                self._welcome = True
            case "following":
                self._holds(heard)
            case "steps" | "view":
                thread = self._held.get((heard.table, heard.seat))
                if thread is not None:
                    return self._told(thread, heard) if heard.kind == "steps" else self._seen(thread, heard)
            case "failed":
                if not self._welcome:
                    self._failed = heard
                thread = self._answered_follow(heard)
                if thread is not None:
                    return self._failed_follow(thread, heard)
            case "unfollowed":
                thread = self._held.pop((heard.table, heard.seat), None)
                if thread is not None and heard.code:
                    return self._failed_follow(thread, heard)
        return []

    def _answered_follow(self, heard: Heard) -> Thread | None:
        """Return the follow that was asked for, unless nobody wants it any more."""
        thread = self._asked.pop(heard.re or 0, None)
        return thread if thread in self._threads else None

    def _holds(self, heard: Heard) -> None:
        thread = self._answered_follow(heard)
        if thread is None:
            return
        self._was_good = True
        place = heard.table, heard.seat
        before = self._held.get(place)
        if before is not None and before is not thread:
            self._gives_way(before, heard)
        self._held[place] = thread
        thread.place = place
        thread.pauses = None
        if thread.after is None:
            thread.after = heard.after

    def _gives_way(self, thread: Thread, heard: Heard) -> None:
        """Hear that the service has the newest of two follows of one viewpoint, and this one no more."""
        raise ProblemError(FOLLOWED_TWICE, details={"table": heard.table, "seat": heard.seat})

    def _told(self, thread: Thread, heard: Heard) -> list[News]:
        news: list[News] = []
        for chapter in heard.chapters:
            if chapter.last > (thread.after or 0):
                thread.after = chapter.last
                news.append(Told(table=heard.table, seat=heard.seat, chapter=chapter))
        thread.after = max(thread.after or 0, heard.last)
        ended = any(step.get("kind") in ENDS for each in heard.chapters for step in each.steps)
        if ended and not thread.wish.views:
            self._drop(thread, heard)
        return news

    def _seen(self, thread: Thread, heard: Heard) -> list[News]:
        if thread.seen is not None and heard.version <= thread.seen:
            return []
        thread.seen = heard.version
        view = view_of(heard.view)
        if view.status == "over":
            self._drop(thread, heard)
        elif not thread.wish.views:
            thread.looks = False
            self._unasked[thread] = None
        return [Seen(table=heard.table, seat=heard.seat, view=view)] if thread.wish.views else []

    def _drop(self, thread: Thread, heard: Heard) -> None:
        """Follow no further, since the table is over."""
        self._forget(thread)
        # without a seat it ends all of the table
        if heard.seat is not None or not any(each.wish.table == heard.table for each in self._threads):
            self._unfollows[heard.table, heard.seat] = None

    def _forget(self, thread: Thread) -> None:
        del self._threads[thread]
        self._unasked.pop(thread, None)
        self._waiting.pop(thread, None)
        if thread.place is not None and self._held.get(thread.place) is thread:
            del self._held[thread.place]

    def _failed_follow(self, thread: Thread, heard: Heard) -> list[News]:
        table, code = thread.wish.table, heard.code or ""
        seat = thread.wish.seat if heard.seat is None else heard.seat
        if code == "version_ahead":
            thread.after = int(heard.details.get("version", 0))
            thread.seen = None
            self._unasked[thread] = None
            return [Rewound(table=table, seat=seat, version=thread.after)]
        if code in PASSING and (pause := self._pause(thread, heard)) is not None:
            self._waiting[thread] = self._patience.clock() + pause
            return []
        self._forget(thread)
        if self.done:
            raise ProblemError(code, path=heard.path, details={**heard.details, "table": table})
        return [Unfollowed(table=table, seat=seat, code=code, details=heard.details)]

    def _pause(self, thread: Thread, heard: Heard) -> float | None:
        """Return how long to wait before a follow is asked for again, ``None`` when its time is up."""
        if thread.pauses is None:
            thread.pauses = self._patience.begin()
        return thread.pauses.pause(at_least_s=heard.details.get("wait_ms", 0) / 1000)
