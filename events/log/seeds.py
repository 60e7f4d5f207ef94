"""Where a store is looked for: at one address, or at several nodes of a cluster of which some may be down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Final
from urllib.parse import urlsplit

import redis

from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.redis_store import client_of, hasty, reaching

ANSWER_S: Final = 2.0
"""How long to wait for an address before the next is tried."""

LAST_S: Final = 5.0
"""The same for the last, or the only one."""

_BETWEEN: Final = re.compile(r",(?=[a-z]+://)")


USUAL_PORT: Final = 6379


def seeds(url: str) -> Sequence[str]:
    """
    Return the addresses of a setting such as ``redis://a:6379,redis://b:6379``.

    Raises ``StoreUnusableError`` for what is none, and repeats nothing of it: it may hold a password.
    """
    places = _BETWEEN.split(url)
    for place in places:
        try:
            redis.ConnectionPool.from_url(place)
        except (ValueError, TypeError, redis.RedisError):
            told = "its address (REDIS_URL) is none: give redis://HOST:PORT, rediss://HOST:PORT or unix:///PATH"
            raise StoreUnusableError(f"{told}, or several with commas between") from None
    return places


def named(url: str) -> str:
    """Return where a setting leads, as a person is told it: without user, password and all else."""
    return ", ".join(map(_named, seeds(url)))


def _named(place: str) -> str:
    parts = urlsplit(place)
    if parts.scheme == "unix":
        return parts.path
    host = parts.hostname or "localhost"
    return f"{f'[{host}]' if ':' in host else host}:{parts.port or USUAL_PORT}"


def living_seed(url: str) -> tuple[str, bool]:
    """Return the first address that answers, and whether it is a node of a cluster; ``StoreAwayError`` if none does."""
    places = seeds(url)
    for place in places[:-1]:
        with suppress(StoreAwayError):
            return place, _is_node(place, ANSWER_S)
    return places[-1], _is_node(places[-1], LAST_S)


def _is_node(url: str, within_s: float) -> bool:
    with closing(client_of(url, **hasty(within_s))) as client:
        try:
            with reaching():
                return bool(client.info("cluster").get("cluster_enabled"))
        except redis.InvalidResponse:
            raise StoreUnusableError(f"what answers at {named(url)} is no Redis or Valkey server") from None
        except redis.exceptions.NoPermissionError as fault:
            raise StoreUnusableError(f"the server at {named(url)} does not let this user in: {fault}") from None
