"""One command: from the envelope as it came in to what is stored, and what its sender is told."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from events.chance import SECRET_BYTES
from events.codec import MalformedError, command_unpacker, pack
from events.commit import NONCE_BYTES, Envelope
from events.log.records import Answer, DeadLetter
from events.log.store import MAX_ENVELOPE
from events.messages import Command, Event
from events.tables.commands import OpenTable
from events.upcasting import UnknownKindError
from workers.kit.decider import Refused
from workers.runtime.incoming import Incoming, sender_of
from workers.runtime.table import Table
from workers.tables.decide import step
from workers.tables.state import RulesUnavailableError, TableState
from workers.tables.wish import Wish

RandomBytes = Callable[[int], bytes]
Decision = tuple[Sequence[Event], TableState]
Step = Callable[[TableState, Wish], Decision]
"""Decides a wish at a table: the events, and the table after them."""

_NEVER_STORED: Final = frozenset(("unknown_table",))


class Handled(msgspec.Struct, frozen=True):
    """
    What became of a command.

    Args:
        answer: ``None`` when nobody can be told, since not even the command's id could be read.
        size: bytes that it adds to the history.
        dead: the command with the reason, when it is to be set aside.
    """

    answer: Answer | None
    size: int = 0
    dead: DeadLetter | None = None


def unreadable(entry: str, body: bytes, fault: MalformedError) -> Handled:
    """Answer what is no command, if it can be told whom; set it aside otherwise."""
    sender = sender_of(body)
    if sender is None:
        return Handled(None, 0, DeadLetter(entry=entry, envelope=body[:MAX_ENVELOPE], reason=str(fault)))
    return Handled(Answer(*sender, 0, 0, "malformed", fault.details))


def unknown_table(envelope: Envelope) -> Handled:
    """Answer a command to a table that is not here."""
    return Handled(Answer(envelope.command_id, envelope.table, 0, 0, "unknown_table", fingerprint=envelope.fingerprint))


class Handler:
    """
    Handles commands of tables, one after another.

    Args:
        random: where secrets and nonces come from.
        step: what decides; it may raise whatever it likes, and the command is set aside.
    """

    def __init__(self, random: RandomBytes, step: Step = step) -> None:
        self._random = random
        self._step = step

    def handle(self, table: Table, incoming: Incoming) -> Handled:
        """Decide a command at a table; whatever the rules do, the table ends up whole."""
        if (again := _repeated(table, incoming)) is not None:
            return again
        if table.needs_newer is not None:
            return _unstored(table, incoming.envelope, "needs_newer_program")
        try:
            command = command_unpacker(table.game)(incoming.envelope.body)
        except MalformedError as fault:
            return _unstored(table, incoming.envelope, "malformed", fault.details)
        return self._judged(table, command, incoming)

    def _poison(self, table: Table, incoming: Incoming, reason: str) -> Handled:
        """Set a command aside that the rules could not survive; its sender is told, the table goes on."""
        letter = DeadLetter(entry=incoming.entry, envelope=incoming.body, reason=reason)
        handled = self._refuse(table, incoming, "internal_error", {})
        return msgspec.structs.replace(handled, dead=letter)

    def _judged(self, table: Table, command: Command, incoming: Incoming) -> Handled:
        if table.broken is not None or table.state is None:
            return self._poison(table, incoming, table.broken or "")
        if table.version == 0 and not isinstance(command, OpenTable):
            return unknown_table(incoming.envelope)
        try:
            return self._decided(table, table.state, command, incoming)
        except (UnknownKindError, RulesUnavailableError):
            return _unstored(table, incoming.envelope, "needs_newer_program")
        except Exception:  # noqa: BLE001  whatever the rules raise stays with this command
            return self._poison(table, incoming, traceback.format_exc())

    def _decided(self, table: Table, state: TableState, command: Command, incoming: Incoming) -> Handled:
        received = incoming.received
        secret = self._random(SECRET_BYTES) if table.version == 0 else state.secret or table.secret
        if secret is None:
            raise AssertionError("the secret of a running table is not in the store")
        wish = Wish(
            command=command,
            actor=received.actor,
            at=received.at,
            secret=secret,
            expected_version=received.expected_version,
        )
        try:
            events, after = self._step(state, wish)
        except Refused as refused:
            return self._refuse(table, incoming, refused.code, refused.details)
        if not events:
            raise AssertionError("the rules accepted a command that causes nothing")
        answer, size = table.accept(
            received,
            events=events,
            after=after,
            secret=secret,
            rules=_rules_of(after),
            nonce=self._random(NONCE_BYTES),
        )
        return Handled(answer, size)

    def _refuse(self, table: Table, incoming: Incoming, code: str, details: dict[str, Any]) -> Handled:
        if table.version == 0 or code in _NEVER_STORED:
            pack(details)  # what cannot be packed is the rules' fault, and is found here
            return _unstored(table, incoming.envelope, code, details)
        if not table.may_store_refusal(incoming.envelope.actor):
            return _unstored(table, incoming.envelope, "rate_limited", {"refused": code})
        answer, size = table.refuse(
            incoming.received, code=code, details=details, rules=_rules_of(table.state), nonce=self._random(NONCE_BYTES)
        )
        return Handled(answer, size)


def _repeated(table: Table, incoming: Incoming) -> Handled | None:
    """Return the answer that the command already had, if it had one."""
    told = table.told(incoming.envelope.command_id)
    if told is None:
        return None
    if told.fingerprint == incoming.envelope.fingerprint:
        return Handled(told)
    return _unstored(table, incoming.envelope, "command_id_reused")


def _rules_of(state: TableState | None) -> int:
    return state.rules.version if state is not None and state.rules is not None else 0


def _unstored(table: Table, envelope: Envelope, code: str, details: dict[str, Any] | None = None) -> Handled:
    fingerprint = envelope.fingerprint
    return Handled(Answer(envelope.command_id, envelope.table, table.version, 0, code, details or {}, fingerprint))
