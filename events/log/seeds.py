"""Where a store is looked for: at one address, or at several nodes of a cluster of which some may be down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Final

from events.log.errors import StoreAwayError
from events.log.redis_store import client_of, hasty, reaching

ANSWER_S: Final = 2.0
"""How long to wait for an address before the next is tried."""

LAST_S: Final = 5.0
"""The same for the last, or the only one."""

_BETWEEN: Final = re.compile(r",(?=[a-z]+://)")


def seeds(url: str) -> Sequence[str]:
    """Return the addresses of a setting such as ``redis://a:6379,redis://b:6379``."""
    return _BETWEEN.split(url)


def living_seed(url: str) -> tuple[str, bool]:
    """Return the first address that answers, and whether it is a node of a cluster; ``StoreAwayError`` if none does."""
    places = seeds(url)
    for place in places[:-1]:
        with suppress(StoreAwayError):
            return place, _is_node(place, ANSWER_S)
    return places[-1], _is_node(places[-1], LAST_S)


def _is_node(url: str, within_s: float) -> bool:
    with closing(client_of(url, **hasty(within_s))) as client, reaching():
        return bool(client.info("cluster").get("cluster_enabled"))
