"""A line that stays open, without input and output: what it follows may change, and commands are sent over it."""

from __future__ import annotations

from typing import Any

import msgspec

from services.client.given import json_body
from services.client.line import Heard, Line, Thread
from services.client.news import Follow, News
from services.client.patience import Patience
from services.client.problems import PENDING, ProblemError
from services.client.results import Accepted


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a command: it happened, or the answer is no, which may be ``pending``."""

    id: str
    result: Accepted | ProblemError


class _Command(msgspec.Struct, frozen=True):
    """A command on its way, as it is said."""

    table: str
    text: bytes


class Talk(Line):
    """
    A line as ``Line`` says, on which nothing is ever done: each follow that fails ends with ``Unfollowed``.

    What was sent and not answered is said again on the next socket, with its id.

    Args:
        most: how many follows the service lets a socket have, 0 until it said so.
        largest: bytes that a message may have; one that is larger would end the socket for all.
        answers: what became of commands, to be taken after each ``hear`` and each ``replies``.
    """

    def __init__(self, *, token: str, patience: Patience) -> None:
        self._sent: dict[str, _Command] = {}
        super().__init__([], token=token, patience=patience)
        self.most = 0
        self.largest = 0
        self.answers: list[Answered] = []

    def _begin(self) -> None:
        super()._begin()
        self._unsaid = dict.fromkeys(self._sent)
        self._sent_as: dict[int, str] = {}

    @property
    def done(self) -> bool:
        return False

    @property
    def room(self) -> int:
        """Return how many follows more there may be."""
        return self.most - len(self._threads)

    def follow(self, wish: Follow) -> None:
        """Follow a table, too; a follow of the same viewpoint gives way to it."""
        thread = Thread(wish)
        self._threads[thread] = None
        self._unasked[thread] = None

    def unfollow(self, table: str) -> None:
        """End all follows of a table without a word."""
        ended = [each for each in self._threads if each.wish.table == table]
        for each in ended:
            self._forget(each)
        if ended:
            self._unfollows[table, None] = None

    def send(self, command_id: str, message: dict[str, Any]) -> None:
        """
        Send a command, and again on each further socket until it is answered or dropped; sent twice it is sent once.

        ``command_id_reused`` while another command of that id is on its way.
        """
        command = _Command(table=message["table"], text=json_body(message))
        if command_id not in self._sent:
            self._sent[command_id] = command
            self._unsaid[command_id] = None
        elif command != self._sent[command_id]:
            raise ProblemError("command_id_reused")

    def drop(self, command_id: str) -> None:
        """Send a command no more."""
        self._sent.pop(command_id, None)
        self._unsaid.pop(command_id, None)

    def _say_all(self) -> None:
        """Say commands behind the follows of their table whose token the service takes for theirs, too."""
        super()._say_all()
        if not self._unsaid or not self._welcome:
            return
        late = {each.wish.table for each in (*self._unasked, *self._waiting) if each.wish.token is not None}
        for command_id in [each for each in self._unsaid if self._sent[each].table not in late]:
            del self._unsaid[command_id]
            text = self._sent[command_id].text
            if self.largest and len(text) > self.largest:
                self._answer(command_id, ProblemError("too_large", details={"limit": self.largest}))
            else:
                self._sent_as[self._say(text)] = command_id

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
        if heard.kind == "accepted":
            accepted = Accepted(command_id=command_id, table=heard.table, first=heard.first, last=heard.last)
            self._answer(command_id, accepted)
        elif heard.kind == "pending":
            details = {"table": heard.table, "command_id": command_id}
            self._answer(command_id, ProblemError(PENDING, details=details))
        else:
            self._answer(command_id, ProblemError(heard.code or "", path=heard.path, details=heard.details))

    def _answer(self, command_id: str, result: Accepted | ProblemError) -> None:
        if self._sent.pop(command_id, None) is not None:
            self.answers.append(Answered(id=command_id, result=result))

    def _gives_way(self, thread: Thread, heard: Heard) -> None:
        self._forget(thread)
