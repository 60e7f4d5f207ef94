"""Commands that were set aside: looked at, sent once more, or dropped, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

from events.codec import MalformedError, pack
from events.commit import Envelope, read_envelope
from events.log.records import DeadLetter
from events.log.traces import traces
from events.streams import Partition

ID_BYTES: Final = 16


class DeadLetters(Protocol):
    """What a store does with commands that were set aside."""

    def dead(self, partition: Partition) -> Sequence[DeadLetter]:
        """Return them, the oldest first."""

    def drop_dead(self, partition: Partition, entry: str) -> int:
        """Remove those of a command entry, and return how many there were."""


class _Kind(msgspec.Struct):
    kind: str


def envelope_of(letter: DeadLetter) -> Envelope | None:
    """Return what was sent, or ``None`` when it was no command."""
    try:
        return read_envelope(letter.envelope)
    except MalformedError:
        return None


def kind_of(envelope: Envelope) -> str:
    """Return the kind of a command, if it says one."""
    try:
        return msgspec.msgpack.decode(envelope.body, type=_Kind).kind
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "?"


def retry_of(envelope: Envelope) -> bytes:
    """
    Return the envelope with which a command is sent once more.

    Its own id has its answer already, ``internal_error``, for ever. The new id is made of the old one, so that a
    history shows whose second try a command is, and sending it twice does it once.
    """
    return pack(msgspec.structs.replace(envelope, command_id=retry_id(envelope.command_id)))


def why_not(letter: DeadLetter) -> str | None:
    """Return why a command cannot be sent once more, or ``None`` when it can."""
    envelope = envelope_of(letter)
    if envelope is None:
        return "It is no command and cannot be sent"
    if len(envelope.command_id) != ID_BYTES:
        return f"Its id has {len(envelope.command_id)} bytes where a command's has {ID_BYTES}: no door sent it"
    return None


def retry_id(command_id: bytes) -> bytes:
    """Return the id of a command's second try: BLAKE2b over ``retry`` and its id, 16 bytes."""
    return blake2b(b"retry" + command_id, digest_size=16).digest()


def why(letter: DeadLetter) -> str:
    """
    Return why a command was set aside, in a line that may be shown to anybody.

    Of a traceback the kind of the exception and its place: the message may hold what a seat must not know.
    """
    found = traces(letter.reason)
    return f"{found[-1].kind} in {found[-1].place}" if found else _reason(letter)


def trace(letter: DeadLetter) -> Sequence[str]:
    """
    Return how the rules failed, in lines that may be shown to anybody who may see the program.

    They are files, lines of the program and kinds of exceptions: never what an exception says, nor a value.
    """
    found = traces(letter.reason)
    return [line for each in found for line in each.told()] or [_reason(letter)]


def _reason(letter: DeadLetter) -> str:
    reason = letter.reason.strip()
    return reason.splitlines()[0] if reason else "no reason was given"
