"""What a token proves: looked up in the store, and believed for a few seconds at most."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec
import structlog

from events.log.errors import StoreUnusableError
from services.api.headers import token_in
from services.api.keys import EVERY_PLATFORM, KEY_PREFIX, KeyRecord, name_of, require_key
from services.api.line import PASSING
from services.api.platforms import PlatformRecord
from services.api.problems import Problem
from services.api.signing import SIGNING_BYTES, SigningKeys, given
from services.api.store import ApiStore
from services.api.tokens import (
    Claim,
    GuestClaim,
    InviteClaim,
    SeatClaim,
    WatchClaim,
    read_token,
    signer_of,
    stranger_of,
    token_of,
)

BELIEVED_S: Final = 5.0
"""How long a process goes by what it read of keys and revocations: a revoked token ends within that time."""

REMEMBERED: Final = 10_000
"""Keys, and tables, of which a process remembers that."""

LONGEST_TOKEN: Final = 1_024

SPECTATORS: Final = "spectators"
INVITATIONS: Final = "invitations"

T = TypeVar("T")

log = structlog.get_logger()


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """
    Who asks, as their token proves.

    Args:
        role: of a key ``platform``, ``arbiter`` or ``bots``; of a token ``seat``, ``spectator``, ``invited`` or
            ``guest``; ``visitor`` without either.
        platform: whose key or token it is; ``*`` for the service's own bots, empty for a visitor.
        claim: what a token says.
    """

    role: str
    platform: str
    claim: Claim | None = None

    def may_know(self, platform: str) -> bool:
        """Whether the caller has a key that is good at a platform's tables."""
        return self.claim is None and self.platform in (EVERY_PLATFORM, platform)

    def may_be_at(self, table: str) -> bool:
        """Whether what the caller shows is not for one other table alone."""
        return not isinstance(self.claim, SeatClaim | WatchClaim | InviteClaim) or self.claim.table == table


ROLES: Final = {SeatClaim: "seat", WatchClaim: "spectator", InviteClaim: "invited", GuestClaim: "guest"}
VISITOR: Final = Caller(role="visitor", platform="")


class Credentials:
    """
    Knows keys and tokens.

    Args:
        signing: the operator's own keys for tokens, the newest first; none where those of the store are to be used.
    """

    def __init__(self, store: ApiStore, *, signing: Sequence[bytes] = ()) -> None:
        self._store = store
        self._given = given(signing) if signing else None
        self._signing = self._given
        self._signing_read = float("-inf")
        self._reading_signing = asyncio.Lock()
        self._keys = Believed[KeyRecord]()
        self._revoked = Believed[Mapping[str, int]]()
        self._platforms = Believed[PlatformRecord]()

    @property
    def knows_signing(self) -> bool:
        """Whether it can tell good tokens from bad ones without asking the store for the key that signs them."""
        return self._signing is not None

    async def signing(self, *, believed_s: float = BELIEVED_S) -> SigningKeys:
        """
        Return the keys that sign tokens, from the store when the operator gave none.

        ``believed_s`` is how long ago the store may have been asked. When it cannot tell, it is as it was.
        """
        if self._given is not None:
            return self._given
        asked = clock()
        if self._signing is None or self._signing_read <= asked - believed_s:
            async with self._reading_signing:
                if self._signing is None or self._signing_read <= asked - believed_s:
                    self._signing = await self._read_signing(self._signing)
        return self._signing

    async def _read_signing(self, before: SigningKeys | None) -> SigningKeys:
        began = clock()
        try:
            return await self._store.signing_keys(secrets.token_bytes(SIGNING_BYTES))
        except (*PASSING, Problem, StoreUnusableError) as fault:
            if before is None:
                raise
            log.warning("signing_keys_were_not_read", reason=type(fault).__name__)
            return before
        finally:
            self._signing_read = began

    async def _signing_of(self, token: str, believed_s: float) -> SigningKeys:
        """Return the keys that may prove a token; another process may know a new one a little earlier."""
        keys = await self.signing(believed_s=believed_s)
        signer = signer_of(token)
        return keys if signer is None or signer in keys.by_name else await self.signing(believed_s=0)

    async def stranger(self, *asked: str | bytes | int | None) -> str:
        """Return a name for whoever has none, which nobody can guess: the same for what is asked the same."""
        return stranger_of(asked, (await self.signing()).newest)

    async def caller(self, header: str | None, *, believed_s: float = BELIEVED_S) -> Caller:
        """
        Return who a request's ``Authorization`` header proves its sender to be.

        ``believed_s`` is how long ago the store may have been asked.
        """
        scheme, token = token_in(header or "")
        if not token:
            raise Problem("no_token")
        if scheme != "bearer":
            raise Problem("wrong_token")
        return await self.holder(token, believed_s=believed_s)

    async def holder(self, token: str, *, believed_s: float = BELIEVED_S) -> Caller:
        """Return who a token proves its holder to be; ``believed_s`` as in ``caller``."""
        if len(token) > LONGEST_TOKEN or not token.isascii():
            raise Problem("wrong_token")
        if token.startswith(KEY_PREFIX):
            record = require_key(token, await self._record(name_of(token), believed_s), now=time.time())
            return Caller(role=record.role, platform=record.platform)
        claim = read_token(token, await self._signing_of(token, believed_s), now=time.time())
        await self._require_not_revoked(claim, believed_s)
        return Caller(role=ROLES[type(claim)], platform=claim.platform, claim=claim)

    async def token(self, claim: Claim, *, generation: int | None = None) -> str:
        """Return the token of a claim, of the newest generation of its kind unless an older one is named."""
        if generation is None:
            generation = await self._generation(claim)
        return token_of(msgspec.structs.replace(claim, generation=generation), (await self.signing()).newest)

    async def generation(self, table: str, *fields: str) -> int:
        """Return the newest generation of tokens of a table's seat, of its spectators or its invitations."""
        return _newest(await self._store.revoked(table), fields)

    async def revoke(self, table: str, field: str) -> None:
        """End all tokens of a table's seat, of its spectators or its invitations, that were made until now."""
        revoked = await self._store.revoked(table)
        await self._store.revoke(table, field, after(_newest(revoked, revoked)))
        self._revoked.forget(table)

    async def _generation(self, claim: Claim) -> int:
        if isinstance(claim, GuestClaim):
            return (await self._store.platform(claim.platform)).guests
        return await self.generation(claim.table, *_fields(claim))

    async def _record(self, name: str, believed_s: float) -> KeyRecord | None:
        known = self._keys.get(name, believed_s)
        if known is None and (known := await self._store.key(name)) is not None:
            self._keys.put(name, known)
        return known

    async def _platform(self, name: str, believed_s: float) -> PlatformRecord:
        known = self._platforms.get(name, believed_s)
        if known is None:
            known = await self._store.platform(name)
            self._platforms.put(name, known)
        return known

    async def _require_not_revoked(self, claim: Claim, believed_s: float) -> None:
        if isinstance(claim, GuestClaim):
            if claim.generation < (await self._platform(claim.platform, believed_s)).guests:
                raise Problem("token_revoked")
            return
        revoked = self._revoked.get(claim.table, believed_s)
        if revoked is None:
            revoked = await self._store.revoked(claim.table)
            self._revoked.put(claim.table, revoked)
        if claim.generation < _newest(revoked, _fields(claim)):
            raise Problem("token_revoked")


def _fields(claim: SeatClaim | WatchClaim | InviteClaim) -> Sequence[str]:
    """Return by what a token may end, each with a generation of its own."""
    match claim:
        case SeatClaim():
            return (str(claim.seat),)
        case WatchClaim():
            return (SPECTATORS,)
        case InviteClaim():
            return (INVITATIONS, invitations_of(claim.player))


def invitations_of(player: str) -> str:
    """Return by what the invitations of one player end, beside all those of the table."""
    return f"{INVITATIONS}:{player}"


def _newest(revoked: Mapping[str, int], fields: Iterable[str]) -> int:
    return max((revoked.get(each, 0) for each in fields), default=0)


def after(generation: int) -> int:
    """Return the generation that follows one now: a time in milliseconds, and always more."""
    return max(generation + 1, time.time_ns() // 1_000_000)


def clock() -> float:
    """Return seconds that never go back."""
    return time.monotonic()


class Believed(Generic[T]):
    """What was read a moment ago; as much as fits, the oldest goes first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, T]] = OrderedDict()

    def get(self, name: str, believed_s: float) -> T | None:
        """Return it if it was read so recently."""
        at, value = self._kept.get(name, (0.0, None))
        return value if clock() < at + believed_s else None

    def put(self, name: str, value: T) -> None:
        """Note that it was read now."""
        self._kept[name] = (clock(), value)
        self._kept.move_to_end(name)
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)

    def forget(self, name: str) -> None:
        """Read it again the next time."""
        self._kept.pop(name, None)
