"""How much one sender may ask: a bucket of requests for each key, token and address, in this process."""

from __future__ import annotations

import hashlib
import ipaddress
import math
import time
from collections import OrderedDict
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from services.api.buckets import BUCKETS, Buckets
from services.api.credentials import Caller
from services.api.doorkeeper import BOTS
from services.api.headers import token_in
from services.api.problems import Problem, answer
from services.api.settings import ApiSettings
from services.api.tokens import GUEST_PREFIX, GuestClaim, SeatClaim

UNLIMITED: Final = ("/healthz", "/readyz")

NETWORK_BITS: Final = 64
"""An address of version 6 stands for its network: whoever has one has all of it."""

REFUSALS: Final = 100
"""How often an address may be refused at once before its connections are closed as well."""

REFUSALS_PER_S: Final = 10
"""How many of those come back in a second."""


class Rates:
    """
    What each sender may still ask of a process, over HTTP and over sockets.

    A token counts by itself once it has proved good, and for its sender's address before: whoever tries tokens out
    pays for each of them. Guests always count for their address: who likes has as many tokens of them as they want,
    and of seats that they took. The service's own bots ask as much as they like.
    """

    def __init__(self, settings: ApiSettings) -> None:
        burst_s = settings.rate_burst_s
        self._keys = Buckets(rate=settings.rate_key, burst_s=burst_s)
        self._tokens = Buckets(rate=settings.rate_token, burst_s=burst_s)
        self._bots = Buckets(rate=0, burst_s=burst_s)
        self._addresses = Buckets(rate=settings.rate_address, burst_s=burst_s)
        self._good: OrderedDict[bytes, Buckets] = OrderedDict()

    def require(self, token: bytes, address: bytes) -> None:
        """Count a request of whoever shows a token, if any; a problem when they ask too much."""
        self._count(_digest(token), address)

    def require_of(self, caller: Caller, token: bytes, address: bytes) -> None:
        """Count a request of a caller who has proved who they are; a problem when they ask too much."""
        sender = _digest(token)
        self._note(caller, sender)
        self._count(sender, address)

    def remember(self, caller: Caller, token: bytes) -> None:
        """Note that a token is good, so that it counts by itself from now on."""
        self._note(caller, _digest(token))

    def _count(self, sender: bytes, address: bytes) -> None:
        buckets = self._good.get(sender)
        if buckets is None:
            buckets, sender = self._addresses, address
        if wait := buckets.take(sender, now=time.monotonic()):
            raise too_fast(wait)

    def _note(self, caller: Caller, sender: bytes) -> None:
        if _is_guest(caller):
            return
        keys = self._bots if caller.role == BOTS else self._keys
        self._good[sender] = keys if caller.claim is None else self._tokens
        self._good.move_to_end(sender)
        while len(self._good) > BUCKETS:
            self._good.popitem(last=False)


class Paced:
    """Answers 429 to whoever asks too much over HTTP, and hangs up on those who go on and on."""

    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self._app = app
        self._rates = rates
        self._refused = Buckets(rate=REFUSALS_PER_S, burst_s=REFUSALS / REFUSALS_PER_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNLIMITED:
            await self._app(scope, receive, send)
            return
        token, address = _token(scope), address_of(scope)
        try:
            self._rates.require(token, address)
        except Problem as problem:
            scope.setdefault("state", {})["code"] = problem.code
            response = answer(problem)
            if self._refused.take(address, now=time.monotonic()):
                response.headers["Connection"] = "close"
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)
        caller = scope.get("state", {}).get("caller")
        if token and caller is not None:
            self._rates.remember(caller, token)


def sender_of(caller: Caller, token: bytes, address: bytes) -> bytes:
    """Return who counts for what a caller asks: whoever holds the token, or all guests of an address."""
    return address if _is_guest(caller) else _digest(token)


def too_fast(wait: float) -> Problem:
    """Return the no to who may come back after so many seconds."""
    return Problem("rate_limited", details={"wait_ms": math.ceil(wait * 1000)}, retry_after=math.ceil(wait))


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _is_guest(caller: Caller) -> bool:
    match caller.claim:
        case GuestClaim():
            return True
        case SeatClaim() as claim:
            return claim.player.startswith(GUEST_PREFIX)
        case _:
            return False


def _token(scope: Scope) -> bytes:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    found = next((value for name, value in headers if name == b"authorization"), b"")
    return token_in(found.decode("latin-1"))[1].encode("latin-1")


def address_of(scope: Scope) -> bytes:
    """Return who sends, as far as the connection tells; behind a proxy that is trusted, as the proxy tells."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.encode()[:64]
    packed = address.packed
    return packed[: NETWORK_BITS // 8] if address.version == 6 else packed  # noqa: PLR2004  the version
