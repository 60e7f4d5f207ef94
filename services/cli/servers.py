"""What the doctor looks at in a server: whether it is fit, keeps what it takes, and takes anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import redis

from events.log.redis_store import LIBRARY, OLDEST_SERVER
from services.cli.finding import Finding

NEARLY: Final = 0.8
"""Share of its memory a server may use before it is worth a word."""


class Servers:
    """
    The servers of a store.

    Args:
        store: a client of the only one, or of their cluster.
    """

    def __init__(self, store: redis.Redis | redis.RedisCluster) -> None:
        self._store: Any = store
        self._is_cluster = isinstance(store, redis.RedisCluster)
        self._away: set[str] = set()

    def findings(self) -> Iterator[Finding]:
        """Give what is found at each, and take note of nodes of a cluster that do not answer."""
        if not self._is_cluster:
            yield from of_server(self._store)
            return
        for node in self._store.get_primaries():
            try:
                for mark, sentence in of_server(node.redis_connection):
                    yield mark, f"{node.name}: {sentence}"
            except redis.RedisError as fault:
                self._away.add(node.name)
                told = f"{node.name} does not answer ({type(fault).__name__})"
                yield "fault", f"{told}: bring it back, or a replica of it. What lies there is not looked at."

    def hold(self, key: str) -> bool:
        """Whether the node of a key answered."""
        return not self._is_cluster or self._store.get_node_from_key(key).name not in self._away


def of_server(store: redis.Redis) -> Iterator[Finding]:
    """Give what is found at one server."""
    about: Any = store.info()
    name = "Valkey" if about.get("server_name") == "valkey" else "Redis"
    version = str(about.get("valkey_version") or about["redis_version"])
    fit = tuple(map(int, str(about["redis_version"]).split(".")[:2])) >= OLDEST_SERVER
    yield ("ok" if fit else "fault"), f"{name} {version}, up {about['uptime_in_seconds']} s."
    yield from _of_files(store, about)
    yield from _of_memory(about)
    yield from _of_replicas(store, about)
    if store.function_list(LIBRARY):
        yield "ok", f"The function library {LIBRARY} is loaded."
    else:
        yield "fault", f"The function library {LIBRARY} is missing. Any worker or API loads it when it starts."


def _of_files(store: redis.Redis, about: Mapping[str, Any]) -> Iterator[Finding]:
    if not about["aof_enabled"]:
        yield "fault", "The append-only file is off: a restart loses everything. Set `appendonly yes`."
    elif about["aof_last_write_status"] != "ok":
        yield "fault", "The append-only file cannot be written, and every write is refused. Is the disk full?"
    elif about.get("aof_last_bgrewrite_status", "ok") != "ok":
        yield "fault", "The append-only file could not be rewritten, and grows. Is the disk full?"
    else:
        yield "ok", "The append-only file is written."
    if about.get("rdb_last_bgsave_status", "ok") != "ok" and _set(store, "save") not in (None, ""):
        stops = _set(store, "stop-writes-on-bgsave-error") == "yes"
        refused = ", and every write is refused" if stops else ""
        yield "fault", f"The last snapshot could not be saved{refused}. Is the disk full?"


def _of_memory(about: Mapping[str, Any]) -> Iterator[Finding]:
    policy = about.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        yield "fault", f"maxmemory-policy is {policy}: histories may vanish. Set `maxmemory-policy noeviction`."
    most = int(about.get("maxmemory", 0))
    counted = int(about["used_memory"]) - int(about.get("mem_not_counted_for_evict", 0))
    told = f"{about['used_memory_human']} in memory" + (f" of {about['maxmemory_human']}" if most else "")
    if most and counted >= most:
        yield "fault", f"The server is full, and every write is refused: {told}. Give it more memory (`maxmemory`)."
    elif most and counted >= NEARLY * most:
        yield "note", f"The server is nearly full: {told}. Give it more memory (`maxmemory`)."
    elif policy == "noeviction":
        yield "ok", f"Nothing is evicted; {told}."


def _of_replicas(store: redis.Redis, about: Mapping[str, Any]) -> Iterator[Finding]:
    if about["role"] != "master":
        link = "" if about.get("master_link_status") == "up" else ", and has lost its master"
        told = f"The server is a replica{link}: every write is refused."
        yield "fault", f"{told} Name the master in REDIS_URL, or let a failover make this one the master."
        return
    good, wanted = about.get("min_slaves_good_slaves"), _set(store, "min-replicas-to-write")
    if good is not None and wanted is not None and int(good) < int(wanted):
        told = f"{good} replicas follow, {wanted} must (`min-replicas-to-write`): every write is refused."
        yield "fault", f"{told} Bring them back."


def _set(store: redis.Redis, name: str) -> str | None:
    """Return a setting of a server, unless it does not tell its settings."""
    with suppress(redis.ResponseError):
        settings: Any = store.config_get(name)
        return None if name not in settings else str(settings[name])
    return None
