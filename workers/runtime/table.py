"""What a worker remembers of a table: its state, and whom it has answered what."""

from __future__ import annotations

import struct
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from events.codec import MalformedError, event_codec
from events.commit import Commit, Entry, Received, Refusal, entry_id, read_entry, stored
from events.log.answers import answer_of
from events.log.records import Answer, Loaded, TableWrite
from events.messages import Event, Seat, TableId
from events.tables.vocabulary import Actor
from events.upcasting import UnknownKindError
from workers.runtime.seal import sealed
from workers.tables.evolve import apply
from workers.tables.state import RulesShelf, RulesUnavailableError, TableState, unopened

Fold = Callable[[TableState, Sequence[Event], Seat | None, int], TableState]
"""Makes of a table what it is after a commit: its events, the seat whose command caused it, the time."""

_ACCEPTED: Final = struct.Struct(">QQ")
"""First and last version of a commit; its command's fingerprint stands behind: an answer in less than half the room."""

MAX_REFUSALS: Final = 200
"""Refusals that are stored of one seat at one table; then it is told that it asks too often."""


class Table:
    """
    One table in a worker's hands; changes as commands are decided, and is thrown away when they cannot be committed.

    ``state`` is missing when this program cannot tell it: ``needs_newer`` says that a newer one can, ``broken`` is the
    traceback of rules that could not apply their own events, or why nobody lets them try: then it is only
    ``recalled``, for one command.
    """

    def __init__(self, game: str, name: str, shelf: RulesShelf, secret: bytes | None) -> None:
        self.game = game
        self.name = TableId(name)
        self.version = 0
        self.chain = b""
        self.secret = secret
        self.state: TableState | None = unopened(self.name, shelf)
        self.needs_newer: str | None = None
        self.broken: str | None = None
        self.recalled = False
        self._status = ""
        self._accepted: dict[bytes, bytes] = {}
        self._refused: dict[bytes, Answer] = {}
        self._refusals_here = 0
        self._refusals_of: dict[Actor, int] = {}
        self._stored_chain = b""
        self._pending: list[tuple[str, bytes]] = []
        self._opened: int | None = None

    @property
    def weight(self) -> int:
        """How much memory it takes, in commands."""
        return 1 + len(self._accepted) + len(self._refused)

    @property
    def pending(self) -> bool:
        """Whether something was decided that is not committed yet."""
        return bool(self._pending)

    @property
    def over(self) -> bool:
        """Whether nothing more can happen at it."""
        return self.state is not None and self.state.status == "over"

    def told(self, command_id: bytes) -> Answer | None:
        """Return what a command was answered, if it was."""
        accepted = self._accepted.get(command_id)
        if accepted is None:
            return self._refused.get(command_id)
        first, last = _ACCEPTED.unpack_from(accepted)
        return Answer(command_id, self.name, last, first, fingerprint=accepted[_ACCEPTED.size :])

    def may_store_refusal(self, actor: Actor) -> bool:
        """Whether the history still takes refusals of this actor."""
        return self._refusals_of.get(actor, 0) < MAX_REFUSALS

    def accept(
        self, command: Received, *, events: Sequence[Event], after: TableState, secret: bytes, rules: int, nonce: bytes
    ) -> tuple[Answer, int]:
        """Add a commit; return the answer and the bytes it takes."""
        first, last = self.version + 1, self.version + len(events)
        entry = Commit(first, last, command, stored(events), rules, nonce)
        size = self._seal(entry)
        if self.version == 0:
            self._opened = command.at
        self.state, self._status = after, after.status
        self.secret = secret if after.status != "over" else b""
        return self._remember(entry), size

    def refuse(
        self, command: Received, *, code: str, details: Mapping[str, Any], rules: int, nonce: bytes
    ) -> tuple[Answer, int]:
        """Add a refusal; return the answer and the bytes it takes."""
        entry = Refusal(self.version, self._refusals_here + 1, command, code, dict(details), rules, nonce)
        size = self._seal(entry)
        return self._remember(entry), size

    def _seal(self, entry: Entry) -> int:
        body, self.chain = sealed(entry, self.chain)
        self._pending.append((entry_id(entry), body))
        return len(body)

    def _remember(self, entry: Entry) -> Answer:
        answer = answer_of(self.name, entry)
        if isinstance(entry, Commit):
            self.version, self._refusals_here = entry.last, 0
            accepted = _ACCEPTED.pack(entry.first, entry.last) + answer.fingerprint
            self._accepted[answer.command_id] = accepted
        else:
            self._refusals_here += 1
            actor = entry.command.actor
            self._refusals_of[actor] = self._refusals_of.get(actor, 0) + 1
            self._refused[answer.command_id] = answer
        return answer

    def write(self) -> TableWrite:
        """Return what is to be committed."""
        opened = self._opened is not None
        forgotten = b"" if self.secret == b"" else None
        return TableWrite(
            table=self.name,
            expected=self._stored_chain,
            entries=tuple(self._pending),
            version=self.version,
            status=self._status,
            chain=self.chain,
            opened=self._opened,
            secret=self.secret if opened else forgotten,
        )

    def committed(self) -> None:
        """Take what was decided for stored."""
        self._stored_chain = self.chain
        self._pending.clear()
        self._opened = None

    def replay(self, loaded: Loaded, *, fold: Fold = apply, beat: Callable[[], None]) -> None:
        """
        Take in a stored history, its state too; a fold that raises makes the table a broken one.

        Args:
            loaded: the history.
            fold: applies a commit, and may raise whatever it likes.
            beat: called after each entry, to show that there is progress.
        """
        for entry in self._recalled(loaded):
            if isinstance(entry, Commit) and self.state is not None:
                self._fold(fold, self.state, entry)
            beat()

    def recall(self, loaded: Loaded, *, broken: str) -> None:
        """Take in a stored history without its state: answers can be looked up and refusals added, no more."""
        self.state, self.broken, self.recalled = None, broken, True
        for _ in self._recalled(loaded):
            pass

    def _recalled(self, loaded: Loaded) -> Iterator[Entry]:
        try:
            for body in loaded.entries:
                entry = read_entry(body)
                self._remember(entry)
                self.chain = entry.chain
                yield entry
        except MalformedError as fault:  # an entry of a shape that is not known here: nothing may be added
            self.state, self.needs_newer = None, str(fault)
        self._stored_chain = self.chain

    def _fold(self, fold: Fold, state: TableState, entry: Commit) -> None:
        codec = event_codec(self.game)
        try:
            events = [codec.read(each.schema, each.body) for each in entry.events]
            self.state = fold(state, events, entry.command.actor.seat, entry.command.at)
        except (UnknownKindError, RulesUnavailableError, MalformedError) as fault:
            self.state, self.needs_newer = None, str(fault)
        except Exception:  # noqa: BLE001  the rules' own fault stays with this table
            self.state, self.broken = None, traceback.format_exc()
        self._status = "" if self.state is None else self.state.status
