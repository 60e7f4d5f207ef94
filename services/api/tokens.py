"""Who may ask: platform keys that are only kept as digests, and seat tokens that carry their own proof."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Final

import msgspec

from events.codec import MalformedError, Unpacker, pack
from services.api.problems import Problem

KEY_PREFIX: Final = "fck_"
SEAT_PREFIX: Final = "fst_"
SIGNING_BYTES: Final = 32
EVERY_PLATFORM: Final = "*"
"""Whose the service's own bots are."""


class KeyRecord(msgspec.Struct, frozen=True, array_like=True):
    """
    What is kept of a key.

    Args:
        role: ``platform``, or ``bots`` for the service's own.
        digest: SHA-256 of the secret part.
    """

    role: str
    platform: str
    digest: bytes


class SeatClaim(msgspec.Struct, frozen=True, array_like=True):
    """
    What a seat token says.

    Args:
        player: who sat there when it was made; it ends when somebody else does.
        until: seconds since 1970.
    """

    table: str
    seat: int
    platform: str
    player: str
    until: int


read_record: Final = Unpacker[KeyRecord](KeyRecord)
_read_claim: Final = Unpacker[SeatClaim](SeatClaim)


def new_key() -> str:
    """Return a new key: whoever holds it may ask in its name."""
    return f"{KEY_PREFIX}{secrets.token_hex(6)}_{secrets.token_urlsafe(32)}"


def kept(key: str, *, role: str, platform: str) -> tuple[str, KeyRecord]:
    """Return the name a key is kept under, and what is kept of it."""
    return name_of(key), KeyRecord(role, platform, _digest(_secret_of(key)))


def name_of(key: str) -> str:
    """Return the name a key is kept under."""
    return key.removeprefix(KEY_PREFIX).partition("_")[0]


def require_key(key: str, record: KeyRecord | None) -> KeyRecord:
    """Return the record if the key fits it; the time taken tells nothing about the secret."""
    digest = record.digest if record else bytes(32)
    if not hmac.compare_digest(digest, _digest(_secret_of(key))) or record is None:
        raise Problem("wrong_token")
    return record


def seat_token(claim: SeatClaim, signing: bytes) -> str:
    """Return the claim with its proof."""
    body = pack(claim)
    return f"{SEAT_PREFIX}{_text(body)}.{_text(_proof(body, signing))}"


def read_seat_token(token: str, signing: bytes, *, now: float) -> SeatClaim:
    """Return what a token says, if this service said it and it still holds."""
    first, _, second = token.removeprefix(SEAT_PREFIX).partition(".")
    try:
        body, proof = _bytes(first), _bytes(second)
    except (binascii.Error, ValueError):
        raise Problem("wrong_token") from None
    if not hmac.compare_digest(proof, _proof(body, signing)):
        raise Problem("wrong_token")
    try:
        claim = _read_claim(body)
    except MalformedError:
        raise Problem("wrong_token") from None
    if claim.until <= now:
        raise Problem("token_expired")
    return claim


def _secret_of(key: str) -> str:
    return key.removeprefix(KEY_PREFIX).partition("_")[2]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _proof(body: bytes, signing: bytes) -> bytes:
    return hmac.new(signing, b"seat token 1" + body, hashlib.sha256).digest()


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def table_of(platform: str, key: bytes, game: str) -> str:
    """Return the name of the table that an idempotency key opens: the same each time it is sent."""
    digest = hashlib.sha256(pack((platform, key, game))).digest()
    return f"{game}-{base64.b32encode(digest).decode().lower()[:10]}"
