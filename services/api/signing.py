"""The keys that sign tokens: the newest signs, and those before it prove for a while what they signed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.codec import MalformedError, Unpacker

SIGNING_BYTES: Final = 32
NAME: Final = "[0-9a-f]{8}"
"""How the name of a key looks: the part of a token that says which key signed it."""


class SigningRecord(msgspec.Struct, frozen=True, array_like=True):
    """
    What is kept of a key that signs tokens.

    Args:
        made: seconds since 1970; 0 of the first one, which a process of the doors made.
        until: seconds since 1970 when it proves nothing any more; 0 while it is the newest.
    """

    secret: bytes
    made: int
    until: int = 0


class SigningKeys(msgspec.Struct, frozen=True):
    """
    The keys that prove tokens.

    Args:
        newest: the secret that signs.
        by_name: the secret of each key by its name; the newest comes first.
        first: that of tokens which name none, as all did before keys could be replaced; ``None`` when it has ended.
    """

    newest: bytes
    by_name: Mapping[str, bytes]
    first: bytes | None


def name_of(secret: bytes) -> str:
    """Return the name of a key, which tells nothing of it."""
    return hashlib.sha256(b"signing key 1" + secret).hexdigest()[:8]


def given(secrets: Sequence[bytes]) -> SigningKeys:
    """Return the keys that an operator gave, the newest first."""
    return SigningKeys(secrets[0], {name_of(each): each for each in secrets}, secrets[-1])


def kept(records: Mapping[str, SigningRecord], *, now: float) -> SigningKeys | None:
    """Return the keys of records that have not ended; ``None`` where there is none."""
    good = [each for each in records.values() if not each.until or each.until > now]
    good.sort(key=lambda each: (each.until == 0, each.made, each.secret), reverse=True)
    first = next((each.secret for each in good if each.made == 0), None)
    return SigningKeys(good[0].secret, {name_of(each.secret): each.secret for each in good}, first) if good else None


def all_records(first: bytes | None, others: Mapping[bytes, bytes]) -> dict[str, SigningRecord]:
    """
    Return the records by name, out of what the store holds.

    Raises ``MalformedError`` for what is none: whoever knows a key makes tokens of anybody.
    """
    require_signing(first)
    found = {} if first is None else {name_of(first): SigningRecord(first, made=0)}
    found |= {name.decode(errors="replace"): read_signing(body) for name, body in others.items()}
    if any(name != name_of(record.secret) for name, record in found.items()):
        raise MalformedError("$", "a key that signs tokens under another's name", "invalid_value")
    return found


def require_signing(secret: bytes | None) -> None:
    """``MalformedError`` for what is no secret of a key that signs tokens, as all are of one length."""
    if secret is not None and len(secret) != SIGNING_BYTES:
        raise MalformedError("$", "no key that signs tokens", "invalid_value")


def read_signing(body: bytes) -> SigningRecord:
    """Return what is kept of a key."""
    record = _read(body)
    require_signing(record.secret)
    return record


_read: Final = Unpacker[SigningRecord](SigningRecord)
