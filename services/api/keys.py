"""Keys of platforms, arbiters and the service's bots: the store keeps digests, never a key."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import Final

import msgspec

from events.codec import Unpacker
from services.api.problems import Problem

KEY_PREFIX: Final = "fck_"
EVERY_PLATFORM: Final = "*"
"""Whose the service's own bots are."""

BOTS: Final = "bots"
"""The role of the service's own bots, and in place of a platform's name what makes their key: no platform has it."""

ROLES: Final = ("platform", "arbiter", BOTS)

LIVE: Final = "live"
EXPIRED: Final = "expired"
REVOKED: Final = "revoked"
STATES: Final = (LIVE, EXPIRED, REVOKED)
"""What may be the case with a key: it is good, its time is over, or somebody ended it."""


class KeyRecord(msgspec.Struct, frozen=True, array_like=True):
    """
    What is kept of a key.

    Args:
        role: ``platform``; ``arbiter`` for one who may see every seat of the platform's tables and plays at none;
            ``bots`` for the service's own.
        digest: SHA-256 of the secret part.
        label: what its owner calls it.
        made: seconds since 1970, 0 when that was not noted.
        until: seconds since 1970 at which it ends, 0 for never.
        revoked: whether it was ended by hand.
        replaced_by: name of the key that was made in its place, if one was.
    """

    role: str
    platform: str
    digest: bytes
    label: str = ""
    made: int = 0
    until: int = 0
    revoked: bool = False
    replaced_by: str = ""

    def state(self, *, now: float) -> str:
        """Return which of ``STATES`` it is in."""
        if self.revoked:
            return REVOKED
        return EXPIRED if self.until and self.until <= now else LIVE


read_record: Final = Unpacker[KeyRecord](KeyRecord)


def new_key() -> str:
    """Return a new key: whoever holds it may ask in its name."""
    return f"{KEY_PREFIX}{secrets.token_hex(6)}_{secrets.token_urlsafe(32)}"


def kept(key: str, *, role: str, platform: str, label: str = "", until: int = 0) -> tuple[str, KeyRecord]:
    """Return the name a key is kept under, and what is kept of it."""
    return name_of(key), KeyRecord(role, platform, _digest(_secret_of(key)), label, int(time.time()), until)


def name_of(key: str) -> str:
    """Return the name a key is kept under."""
    return key.removeprefix(KEY_PREFIX).partition("_")[0]


def require_key(key: str, record: KeyRecord | None, *, now: float) -> KeyRecord:
    """Return the record if the key fits it and holds; the time taken tells nothing about the secret."""
    digest = record.digest if record else bytes(32)
    if not hmac.compare_digest(digest, _digest(_secret_of(key))) or record is None:
        raise Problem("wrong_token")
    if (state := record.state(now=now)) != LIVE:
        raise Problem(f"token_{state}")
    return record


def _secret_of(key: str) -> str:
    return key.removeprefix(KEY_PREFIX).partition("_")[2]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
