"""Reads what stands in the command stream, whoever wrote it."""

from __future__ import annotations

from typing import Final

import msgspec

from events.codec import MalformedError, pack
from events.commit import Envelope, Received, read_envelope
from events.log.store import MAX_ENVELOPE

ID_BYTES: Final = 16

_HEAD: Final = pack([None] * 5)[:1] + pack(bytes(ID_BYTES))[:-ID_BYTES]
"""How every envelope begins: five parts, the first of 16 bytes."""

_SHORT_TEXT: Final = range(0xA0, 0xC0)
"""First bytes of a text of up to 31 bytes in MessagePack; the rest is its length."""


class Incoming(msgspec.Struct, frozen=True):
    """A command as it stands in the command stream: id of its entry, its bytes, and what they say."""

    entry: str
    body: bytes
    envelope: Envelope

    @property
    def received(self) -> Received:
        """What the history will hold of it."""
        sent = self.envelope
        return Received(self.entry, sent.command_id, sent.actor, sent.body, sent.expected_version)


def read_incoming(entry: str, body: bytes) -> Incoming:
    """Return the command; ``MalformedError`` when it is none."""
    if len(body) > MAX_ENVELOPE:
        raise MalformedError("$", f"more than {MAX_ENVELOPE} bytes", "out_of_range")
    envelope = read_envelope(body)
    if len(envelope.command_id) != ID_BYTES:
        raise MalformedError("$[0]", f"a command id has {ID_BYTES} bytes", "out_of_range")
    return Incoming(entry, body, envelope)


def sender_of(body: bytes) -> tuple[bytes, str] | None:
    """Return the id and the table of a command of which nothing else can be read, or ``None``."""
    start = len(_HEAD) + ID_BYTES
    if len(body) > MAX_ENVELOPE or not body.startswith(_HEAD) or body[start : start + 1] < b"\xa0":
        return None
    if body[start] not in _SHORT_TEXT:
        return None
    name = body[start + 1 : start + 1 + body[start] - _SHORT_TEXT.start]
    return body[len(_HEAD) : start], name.decode(errors="replace")
