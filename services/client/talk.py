"""A line that stays open, without input and output: what it follows may change, and commands are sent over it."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from services.client.line import PASSING, Heard, Line, Thread
from services.client.news import Follow, News, Unfollowed
from services.client.patience import Patience
from services.client.problems import PENDING, ProblemError
from services.client.results import Accepted


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a command: it happened, or the answer is no, which may be ``pending``."""

    id: str
    result: Accepted | ProblemError


class Talk(Line):
    """
    A line as ``Line`` says, on which nothing is ever done.

    Each follow that fails ends with ``Unfollowed`` and leaves the others alone, also where trying again would help.
    What was sent and not answered is said again on the next socket, with its id.

    Args:
        most: how many follows the service lets a socket have, 0 until it said so.
        largest: bytes that a message may have; one that is larger would end the socket for all.
        answers: what became of commands, to be taken after each ``hear``.
    """

    def __init__(self, *, token: str | None, patience: Patience) -> None:
        super().__init__([], token=token, patience=patience)
        self._sent: dict[str, dict[str, Any]] = {}
        self._sent_as: dict[int, str] = {}
        self.most = 0
        self.largest = 0
        self.answers: list[Answered] = []

    @property
    def done(self) -> bool:
        return False

    @property
    def room(self) -> int:
        """Return how many follows more there may be."""
        return self.most - len(self._threads)

    def greet(self) -> list[str]:
        said = super().greet()
        self._sent_as = {}
        for each in self._sent:
            self._say_command(each)
        return [*said, *self.replies()]

    def follow(self, wish: Follow) -> None:
        """Follow a table, too."""
        thread = Thread(wish)
        self._threads.append(thread)
        self._follow(thread)

    def unfollow(self, table: str) -> None:
        """End all follows of a table without a word."""
        ended = [each for each in self._threads if each.wish.table == table]
        for each in ended:
            self._forget(each)
        if ended:
            self._say({"unfollow": table})

    def send(self, command_id: str, message: dict[str, Any]) -> None:
        """Send a command, and again on each further socket until it is answered or dropped."""
        self._sent[command_id] = message
        self._say_command(command_id)

    def drop(self, command_id: str) -> None:
        """Send a command no more."""
        self._sent.pop(command_id, None)

    def _say_command(self, command_id: str) -> None:
        self._sent_as[self._say(self._sent[command_id])] = command_id

    def _forget(self, thread: Thread) -> None:
        self._threads.remove(thread)
        self._unasked = deque(each for each in self._unasked if each is not thread)
        self._asked = {number: each for number, each in self._asked.items() if each is not thread}
        self._held = {place: each for place, each in self._held.items() if each is not thread}
        self._ask_more()

    def _hear(self, heard: Heard) -> list[News]:
        if heard.kind == "welcome":
            self.most = heard.limits.get("follows", 0)
            self.largest = heard.limits.get("message_bytes", 0)
            self._was_good = self._was_good or not self._threads
        command_id = self._sent_as.pop(heard.re or 0, None)
        if command_id is not None:
            self._answered(command_id, heard)
            return []
        return super()._hear(heard)

    def _answered(self, command_id: str, heard: Heard) -> None:
        message = self._sent.pop(command_id, None)
        if message is None:
            return
        result: Accepted | ProblemError
        if heard.kind == "accepted":
            result = Accepted(command_id=command_id, table=heard.table, first=heard.first, last=heard.last)
        else:
            code = PENDING if heard.kind == "pending" else heard.code or ""
            result = ProblemError(code, path=heard.path, details=heard.details)
        self.answers.append(Answered(id=command_id, result=result))

    def _ended(self, thread: Thread, heard: Heard) -> list[News]:
        if heard.code not in PASSING:
            return super()._ended(thread, heard)
        self._forget(thread)
        wish = thread.wish
        return [Unfollowed(table=wish.table, seat=wish.seat, code=heard.code or "", details=heard.details)]
