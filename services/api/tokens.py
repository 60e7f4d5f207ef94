"""Signed tokens, which carry their own proof: of seats, spectators, invitations and guests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import uuid
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from events.codec import MalformedError, Unpacker, pack
from services.api.base64url import bytes_of, text_of
from services.api.problems import Problem
from services.api.signing import NAME, SigningKeys, name_of

LONGEST_LIFE_S: Final = 365 * 86_400
"""No token holds longer, whatever is set: what was revoked is remembered that long."""

PLAY: Final = "play"
WATCH: Final = "watch"

GUEST_PREFIX: Final = "guest:"
"""How the names begin of players to whom the service gave them."""


class SeatClaim(msgspec.Struct, frozen=True, array_like=True):
    """
    Its holder sits at a seat.

    Args:
        player: who sat there when it was made; it ends when somebody else does.
        until: seconds since 1970.
        scope: ``play``, or ``watch`` for one who sees what the seat sees and sends nothing.
        generation: how often tokens of the seat had been revoked, as a time; it ends when that rises.
    """

    table: str
    seat: int
    platform: str
    player: str
    until: int
    scope: str = PLAY
    generation: int = 0


class WatchClaim(msgspec.Struct, frozen=True, array_like=True):
    """
    Its holder may watch a table as a spectator; members as in ``SeatClaim``.

    Args:
        nonce: tells apart those who hold tokens that end in the same second, so that each counts by themselves.
    """

    table: str
    platform: str
    until: int
    generation: int = 0
    nonce: bytes = b""


class InviteClaim(msgspec.Struct, frozen=True, array_like=True):
    """
    Its holder may sit down at a table as a certain player, until the platform frees their seat again.

    Args:
        seat: the only seat that is meant, if one is.
    """

    table: str
    seat: int | None
    platform: str
    player: str
    until: int
    generation: int = 0


class GuestClaim(msgspec.Struct, frozen=True, array_like=True):
    """Its holder plays at public tables of a platform without being known to it; members as in ``SeatClaim``."""

    platform: str
    player: str
    until: int
    generation: int = 0


Claim = SeatClaim | WatchClaim | InviteClaim | GuestClaim
KINDS: Final[dict[str, type[Claim]]] = {
    "fst_": SeatClaim,
    "fwt_": WatchClaim,
    "fit_": InviteClaim,
    "fgt_": GuestClaim,
}
_DOMAINS: Final[dict[type[Claim], bytes]] = {
    SeatClaim: b"seat token ",
    WatchClaim: b"watch token ",
    InviteClaim: b"invitation ",
    GuestClaim: b"guest token ",
}
"""Stands before what is signed, with the number of the form, so that no token is taken for one of another kind."""

_STRANGER: Final = b"stranger 1"
"""As ``_DOMAINS``, of names that are given to people without one."""

_READERS: Final[dict[type[Claim], Unpacker[Any]]] = {kind: Unpacker(kind) for kind in KINDS.values()}
_TOKEN: Final = re.compile(rf"(f[a-z]t_)([\w-]+)\.(?:({NAME})\.)?([\w-]+)", re.ASCII)


def token_of(claim: Claim, signing: bytes) -> str:
    """Return the claim with its proof, and the name of the key that proves it between both."""
    prefix = next(each for each, kind in KINDS.items() if kind is type(claim))
    body, name = pack(claim), name_of(signing)
    return f"{prefix}{text_of(body)}.{name}.{text_of(_proof(type(claim), body, signing, name))}"


def signer_of(token: str) -> str | None:
    """Return the name of the key that a token says it was signed with; ``None`` for one that names none."""
    found = _TOKEN.fullmatch(token)
    return found[3] if found else None


def read_token(token: str, keys: SigningKeys, *, now: float) -> Claim:
    """Return what a token says, if this service said it and it still holds."""
    found = _TOKEN.fullmatch(token)
    kind = KINDS.get(found[1]) if found else None
    if found is None or kind is None:
        raise Problem("wrong_token")
    name: str | None = found[3]
    signing = keys.first if name is None else keys.by_name.get(name)
    try:
        body, proof = bytes_of(found[2]), bytes_of(found[4])
    except ValueError:
        raise Problem("wrong_token") from None
    if signing is None or not hmac.compare_digest(proof, _proof(kind, body, signing, name)):
        raise Problem("wrong_token")
    try:
        claim: Claim = _READERS[kind](body)
    except MalformedError:
        raise Problem("wrong_token") from None
    if claim.until <= now or claim.until > now + LONGEST_LIFE_S:
        raise Problem("token_expired")
    return claim


def _proof(kind: type[Claim], body: bytes, signing: bytes, name: str | None) -> bytes:
    """Return the proof of a claim: in the second form, which names the key, or the first, which did not."""
    form = b"1" if name is None else b"2" + name.encode()
    return hmac.new(signing, _DOMAINS[kind] + form + body, hashlib.sha256).digest()


def stranger_of(asked: Sequence[object], signing: bytes) -> str:
    """Return the name that is given to whoever asks so: 16 hexadecimal digits."""
    return hmac.new(signing, _STRANGER + pack(asked), hashlib.sha256).hexdigest()[:16]


def table_of(platform: str, key: bytes, game: str) -> str:
    """Return the name of the table that an idempotency key opens: the same each time it is sent."""
    digest = hashlib.sha256(pack((platform, key, game))).digest()
    return f"{game}-{base64.b32encode(digest).decode().lower()[:10]}"


def opening_key(platform: str, key: bytes) -> str:
    """Return what tells an idempotency key of a platform from every other, whatever game it is sent with."""
    return hashlib.sha256(pack((platform, key))).hexdigest()[:32]


def own_id(purpose: str, signing: bytes) -> uuid.UUID:
    """Return an id of the service's own that nobody foresees: the same for a purpose each time."""
    digest = hmac.new(signing, b"own id 1" + purpose.encode(), hashlib.sha256).digest()
    return uuid.UUID(bytes=digest[:16], version=4)
