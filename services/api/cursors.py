"""Says where a page of the lobby ended, sealed: the last row looked at may be one that its reader may not know of."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from events.codec import MalformedError, Unpacker, pack
from services.api.base64url import bytes_of, text_of
from services.api.problems import malformed

NONCE_BYTES: Final = 12
SEALED_BYTES: Final = 64
"""Bytes of a place before it is sealed; all have as many, since the length would tell that of a name."""

LONGEST: Final = 128
"""Characters of a cursor; it has 123."""

DOMAIN: Final = b"lobby cursor 1"


class Place(msgspec.Struct, frozen=True, array_like=True, order=True):
    """Where a row stands in the lobby: when its table was opened, in milliseconds since 1970, and what it is called."""

    at: int
    table: str


_read: Final = Unpacker[Place](Place)


def cursor_of(place: Place, signing: bytes) -> str:
    """Return the cursor of what is behind a row; ``signing`` is what signs tokens."""
    body = pack(place)
    nonce = secrets.token_bytes(NONCE_BYTES)
    padded = bytes((len(body),)) + body.ljust(SEALED_BYTES - 1, b"\0")
    return text_of(nonce + _key(signing).encrypt(nonce, padded, DOMAIN))


def read_cursor(cursor: str, signing: Iterable[bytes]) -> Place:
    """
    Return behind which row the next page begins; a problem for what is no cursor of this service.

    ``signing`` is all that may have sealed it.
    """
    for each in signing:
        with suppress(ValueError, InvalidTag, MalformedError):
            sealed = bytes_of(cursor)
            padded = _key(each).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], DOMAIN)
            return _read(padded[1 : 1 + padded[0]])
    raise malformed("query.cursor", "not a cursor of this list", "invalid_value", status=400)


def _key(signing: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), length=32, salt=None, info=DOMAIN).derive(signing))
