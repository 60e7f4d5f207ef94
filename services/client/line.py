"""
Following tables over the live door without input and output: what to say on a socket, what is heard, when to return.

Between one socket and the next each follow remembers the last version that came, so nothing is missed or repeated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.codec import to_json
from services.client.news import Follow, News, Rewound, Seen, Told, Unfollowed
from services.client.patience import Patience
from services.client.problems import UNREACHABLE, UNREADABLE, ProblemError
from services.client.views import Chapter, view_of

MOST_S: Final = 30.0
"""The longest pause before a new socket."""

LASTING_CLOSES: Final = frozenset({1002, 1003, 1007, 1009, 4000, 4001})
"""Close codes after which coming back changes nothing (docs/reference/live.md)."""

PASSING: Final = frozenset({"store_away", "busy", "not_yet", "rate_limited"})
"""Codes with which a follow may fail now and hold on another socket."""

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
    """

    def __init__(self, wish: Follow) -> None:
        self.wish = wish
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
    it. When the socket is gone, or ``hung_up`` is true, ``lost`` tells how long to wait for the next one. ``done`` is
    true when there is nothing left to follow.
    """

    def __init__(self, follows: Sequence[Follow], *, token: str | None, patience: Patience) -> None:
        self._token = token or ""
        self._threads = [Thread(each) for each in follows]
        self._pauses = patience.begin(most_s=MOST_S)
        self._begin()

    def _begin(self) -> None:
        self._said = 0
        self._unasked: deque[Thread] = deque()
        self._asked: dict[int, Thread] = {}
        self._held: dict[tuple[str, int | None], Thread] = {}
        self._replies: list[str] = []
        self._failed: Heard | None = None
        self._was_good = False
        self.hung_up = False

    @property
    def done(self) -> bool:
        return not self._threads

    def greet(self) -> list[str]:
        """Return what to say first on a new socket."""
        self._begin()
        self._say({"token": self._token})
        for thread in self._threads:
            self._follow(thread)
        return self.replies()

    def replies(self) -> list[str]:
        """Return what is to be said now."""
        replies, self._replies = self._replies, []
        return replies

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
        if code in LASTING_CLOSES:
            failed = self._failed
            if failed is None:
                raise ProblemError(reason or f"closed_{code}", details={"close": code})
            raise ProblemError(failed.code or reason, path=failed.path, details=failed.details)
        if self._was_good:
            self._was_good = False
            self._pauses.again()
        pause = self._pauses.pause()
        if pause is None:
            raise ProblemError(UNREACHABLE, details={"reason": reason or self._why_hung_up})
        return pause

    @property
    def _why_hung_up(self) -> str:
        return self._failed.code or "" if self.hung_up and self._failed is not None else ""

    def _hear(self, heard: Heard) -> list[News]:
        match heard.kind:
            case "following":
                self._holds(heard)
            case "steps" | "view":
                thread = self._held.get((heard.table, heard.seat))
                if thread is not None:
                    return self._told(thread, heard) if heard.kind == "steps" else self._seen(thread, heard)
            case "failed":
                self._failed = heard
                thread = self._answered_follow(heard)
                if thread is not None:
                    return self._ended(thread, heard)
            case "unfollowed":
                thread = self._held.pop((heard.table, heard.seat), None)
                if thread is not None and heard.code:
                    return self._ended(thread, heard)
        return []

    def _say(self, message: dict[str, Any]) -> int:
        self._said += 1
        self._replies.append(to_json(message).decode())
        return self._said

    def _follow(self, thread: Thread) -> None:
        self._unasked.append(thread)
        self._ask_more()

    def _ask_more(self) -> None:
        """Ask for follows, few at once: who only spoke while the service answers would wait for it, and it for them."""
        while self._unasked and len(self._asked) < ASKED_AT_ONCE:
            thread = self._unasked.popleft()
            self._asked[self._say(thread.said())] = thread

    def _answered_follow(self, heard: Heard) -> Thread | None:
        thread = self._asked.pop(heard.re or 0, None)
        self._ask_more()
        return thread

    def _holds(self, heard: Heard) -> None:
        thread = self._answered_follow(heard)
        if thread is None:
            return
        self._was_good = True
        before = self._held.get((heard.table, heard.seat))
        if before is not None and before is not thread:  # the service has one follow of a viewpoint: the newest
            self._threads.remove(before)
        self._held[heard.table, heard.seat] = thread
        if thread.after is None:
            thread.after = heard.after

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
            self._follow(thread)
        return [Seen(table=heard.table, seat=heard.seat, view=view)] if thread.wish.views else []

    def _drop(self, thread: Thread, heard: Heard) -> None:
        """Follow no further, since the table is over."""
        self._threads.remove(thread)
        del self._held[heard.table, heard.seat]
        if heard.seat is not None:
            self._say({"unfollow": heard.table, "seat": heard.seat})
        elif not any(each.wish.table == heard.table for each in self._threads):  # without a seat it ends all of them
            self._say({"unfollow": heard.table})

    def _ended(self, thread: Thread, heard: Heard) -> list[News]:
        table, code = thread.wish.table, heard.code or ""
        seat = thread.wish.seat if heard.seat is None else heard.seat
        if code in PASSING:
            self.hung_up = True
            return []
        if code == "version_ahead":
            thread.after = int(heard.details.get("version", 0))
            thread.seen = None
            self._follow(thread)
            return [Rewound(table=table, seat=seat, version=thread.after)]
        self._threads.remove(thread)
        if self.done:
            raise ProblemError(code, path=heard.path, details={**heard.details, "table": table})
        return [Unfollowed(table=table, seat=seat, code=code, details=heard.details)]
