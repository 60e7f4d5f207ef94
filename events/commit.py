"""
What a table's stream holds: commits, refusals, and the chain that ties them together.

None of them can hold itself, so the collector of cycles leaves them alone (``gc=False``): histories are many objects.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.codec import Unpacker, pack, raw
from events.messages import Event
from events.tables.vocabulary import Actor

NONCE_BYTES: Final = 16
CHAIN_BYTES: Final = 32
START_OF_CHAIN: Final = bytes(CHAIN_BYTES)
"""What stands before a table's first entry."""


class Envelope(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """
    A command on its way: what a door writes to the command stream.

    Args:
        command_id: the 16 bytes of the UUID its client made; the same id is answered once.
        table: the table it is for.
        body: the command, packed.
        expected_version: the version its sender had seen; ``None`` to accept any.
    """

    command_id: bytes
    table: str
    actor: Actor
    body: msgspec.Raw
    expected_version: int | None = None

    @property
    def fingerprint(self) -> bytes:
        """Tell two commands of the same id apart."""
        return _fingerprint(self.actor, self.body)


class Received(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """
    A command as it was received, kept inside the entry that answers it.

    Args:
        entry: id of its entry in the command stream, ``<milliseconds>-<number>``: the recorded time.
        command_id: 16 bytes.
        body: the command, packed.
    """

    entry: str
    command_id: bytes
    actor: Actor
    body: msgspec.Raw
    expected_version: int | None = None

    @property
    def at(self) -> int:
        """Milliseconds since 1970 at which the store took the command in."""
        return int(self.entry.partition("-")[0])

    @property
    def fingerprint(self) -> bytes:
        """Tell two commands of the same id apart."""
        return _fingerprint(self.actor, self.body)


def _fingerprint(actor: Actor, body: msgspec.Raw) -> bytes:
    """Return 16 bytes over who wished and what."""
    return hashlib.blake2b(pack((actor, body)), digest_size=16).digest()


class StoredEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event as it was stored: the schema version of its body, and the body, which bears its kind."""

    schema: int
    body: msgspec.Raw


class Commit(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="commit"):
    """
    One entry of a table's stream: a command and the events it caused, all or nothing.

    Args:
        first: version after its first event; ``last`` after its last.
        rules: version of the rules that decided.
        nonce: 16 random bytes, so that the digest of a guessable command tells nothing.
        chain: 32 bytes over everything up to and with this entry.
    """

    first: int
    last: int
    command: Received
    events: tuple[StoredEvent, ...]
    rules: int
    nonce: bytes
    chain: bytes = b""


class Refusal(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="refusal"):
    """
    One entry of a table's stream: a command that was refused; it changes no version.

    Args:
        version: the table's version when it was refused.
        number: 1 for the first refusal at that version.
        code: the stable name of the refusal, with its ``details``.
    """

    version: int
    number: int
    command: Received
    code: str
    details: dict[str, Any]
    rules: int
    nonce: bytes
    chain: bytes = b""


Entry = Commit | Refusal

read_envelope: Final = Unpacker[Envelope](Envelope)
read_entry: Final = Unpacker[Entry](Entry)


def stored(events: Sequence[Event]) -> tuple[StoredEvent, ...]:
    """Return events in the form in which a commit keeps them."""
    return tuple([StoredEvent(each.schema, raw(each)) for each in events])


def chained(entry: Entry, previous: bytes) -> Entry:
    """
    Return the entry with its chain filled in.

    ``chain = BLAKE2b-256(previous chain + BLAKE2b-256(packed entry with an empty chain))``.
    """
    bare = msgspec.structs.replace(entry, chain=b"")
    digest = hashlib.blake2b(pack(bare), digest_size=CHAIN_BYTES).digest()
    return msgspec.structs.replace(entry, chain=hashlib.blake2b(previous + digest, digest_size=CHAIN_BYTES).digest())


def entry_id(entry: Entry) -> str:
    """Return the entry's id in its table's stream: ``<last version>-0``, or ``<version>-<number>`` of a refusal."""
    return f"{entry.last}-0" if isinstance(entry, Commit) else f"{entry.version}-{entry.number}"


def broken_link(entries: Sequence[Entry]) -> str | None:
    """Return where the chain or the order of a history breaks first, or ``None`` when it is whole."""
    previous, version, refusals = START_OF_CHAIN, 0, 0
    for entry in entries:
        where = f"entry {entry_id(entry)}"
        if chained(entry, previous).chain != entry.chain:
            return f"{where} does not continue the chain"
        if isinstance(entry, Commit):
            if entry.first != version + 1 or entry.last - version != len(entry.events) or not entry.events:
                return f"{where} does not follow version {version}"
            version, refusals = entry.last, 0
        else:
            refusals += 1
            if (entry.version, entry.number) != (version, refusals):
                return f"{where} does not follow version {version}"
        previous = entry.chain
    return None
