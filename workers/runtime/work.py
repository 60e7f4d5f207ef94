"""A rule worker as a process: until it is told to stop."""

from __future__ import annotations

from collections.abc import Sequence

from events.codec import command_unpacker, event_codec
from events.games import GAMES
from events.process import collect_rarely, log_to_stderr, opened, owner_name, stop_on_signals
from workers.games import GamesShelf
from workers.runtime.leases import TTL_MS, Leases
from workers.runtime.limits import Limits, limited
from workers.runtime.loop import run
from workers.tables.state import RulesShelf


def work(
    url: str,
    games: Sequence[str] = GAMES,
    *,
    shelf: RulesShelf | None = None,
    ttl_ms: int = TTL_MS,
    limits: Limits | None = None,
) -> None:
    """
    Decide the commands of some games until SIGTERM or SIGINT, then hand the partitions over.

    Args:
        url: of the store, such as ``redis://localhost:6379/0``.
        games: all of this program by default.
        shelf: where the rules stand; those of this program by default.
        ttl_ms: how long others wait for a worker that vanished.
        limits: what rules may take; those of a process by default.

    Raises ``StoreUnusableError`` with what to do when the store is not fit.
    """
    owner = owner_name()
    log_to_stderr(owner)
    stop = stop_on_signals()
    store = opened(url, games, stop)
    if store is None:
        return
    rules = shelf or GamesShelf()
    for game in games:  # before a lease is taken, not while commands wait
        rules.current(game)
        command_unpacker(game)
        event_codec(game)
    collect_rarely()
    try:
        leases = Leases(store, games, owner=owner, ttl_ms=ttl_ms)
        run(store, rules, leases, stop, limits=limits or limited())
    finally:
        store.close()
