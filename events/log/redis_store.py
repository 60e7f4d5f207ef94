"""A connection to Redis or Valkey: fit to be used, with the function library in place."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final

import redis
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.retry import Retry

from events.log.errors import (
    BusyError,
    ConflictError,
    DamagedError,
    FencedError,
    GapError,
    NodeAwayError,
    OrderError,
    StaleError,
    StoreAwayError,
    StoreLostError,
    StoreUnusableError,
    TooLargeError,
)
from events.streams import META, Partition

LIBRARY: Final = "fidchell_1"
LIBRARY_PARTS: Final = ("commands", "positions", "views")
LAYOUT: Final = "1"
OLDEST_SERVER: Final = (7, 0)
LONGEST_BLOCK_MS: Final = 10_000
SOCKET_TIMEOUT: Final = 30.0
"""Seconds; well above the longest block, so that an idle read is never taken for a dead server."""

Call = tuple[str, Sequence[str], Sequence[str | bytes | int]]
"""A function of the library, its keys and its arguments."""

Command = Sequence[str | bytes | int]
"""A plain command: its name, then its arguments; a key stands first among them."""

_ERRORS: Final[dict[str, type[Exception]]] = {
    "FENCED": FencedError,
    "GAP": GapError,
    "CONFLICT": ConflictError,
    "ORDER": OrderError,
    "STALE": StaleError,
    "BACKLOG": BusyError,
    "TOOLARGE": TooLargeError,
}

_AWAY: Final[dict[str, str]] = {
    "OOM": "the server is full: give it more memory (`maxmemory`)",
    "MISCONF": "the server cannot write its files: look at its disk and its log",
    "READONLY": "the server is a replica, which takes no writes: a failover is under way, or the address is wrong",
    "NOREPLICAS": "the server misses its replicas (`min-replicas-to-write`): bring them back",
    "MASTERDOWN": "the server is a replica that has lost its master: wait for the failover, or bring the master back",
    "CLUSTERDOWN": "the cluster does not serve all slots: bring the missing nodes back",
    "LOADING": "the server reads its files",
}
"""What a server says, first of all, when it can take nothing for a while; and what to do."""

_AWAY_KINDS: Final[Sequence[tuple[type[Exception], str]]] = (
    (redis.exceptions.OutOfMemoryError, "OOM"),
    (redis.exceptions.ReadOnlyError, "READONLY"),
    (redis.exceptions.MasterDownError, "MASTERDOWN"),
    (redis.exceptions.ClusterDownError, "CLUSTERDOWN"),
)
"""Complaints of which the client has cut off the first word; the narrower first."""

_IN_SCRIPT: Final = re.compile(rf"(?:^|[\s:-])({'|'.join(_AWAY)}) .*\bscript: ", re.DOTALL)
"""The same said inside a function, wrapped in what the server has to say about the function."""


@cache
def library_code() -> str:
    """Return the source of the function library, of all its files."""
    parts = (LIBRARY, *(f"{LIBRARY}_{part}" for part in LIBRARY_PARTS))
    return "\n".join((files("events.log") / f"{part}.lua").read_text() for part in parts)


@contextmanager
def reaching() -> Iterator[None]:
    """Tell a store that cannot be reached, or takes nothing for a while, apart from one that says no."""
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as fault:
        raise StoreAwayError(str(fault)) from fault
    except redis.ResponseError as fault:
        away = away_of(fault)
        if away is None:
            raise
        raise away from fault


def hasty(seconds: float) -> dict[str, Any]:
    """Return settings of a client that does not wait for long; only a connection that broke is made anew at once."""
    again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    return {"socket_timeout": seconds, "socket_connect_timeout": seconds, "retry": again}


def client_of(url: str, **settings: Any) -> Any:  # noqa: ANN401  the client's types say less than they know
    """Return a client that waits longer than the longest block; ``settings`` may name another host, port, patience."""
    client: Any = redis.Redis.from_url(
        url,
        protocol=2,
        socket_timeout=SOCKET_TIMEOUT,
        retry=Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.5), 6),
        health_check_interval=0,
    )
    client.connection_pool.connection_kwargs.update(settings)
    for command in ("XREAD", "XRANGE", "XREVRANGE"):
        client.set_response_callback(command, lambda reply, **_: reply)
    return client


def pipelined(client: Any, commands: Sequence[Command]) -> list[Any]:  # noqa: ANN401  as client_of
    """Return the answers of commands sent to one server in one round trip, complaints among them."""
    with reaching(), client.pipeline(transaction=False) as pipeline:
        for command in commands:
            pipeline.execute_command(*command)
        answers: list[Any] = pipeline.execute(raise_on_error=False)
        return answers


class RedisStore:
    """
    Calls the functions of the library, many in one round trip, and puts the library back when it is gone.

    Once checked it says whether it is ``durable``, and which nodes of a cluster are ``away``, and why; once prepared
    which ``epoch`` the store is of, and whether it was ``created`` just now.
    """

    def __init__(self, url: str) -> None:
        self.client: Any = client_of(url)
        self.epoch = ""
        self.durable = True
        self.created = False
        self.away: Sequence[NodeAwayError] = ()

    def close(self) -> None:
        """Give the connections back."""
        self.client.close()

    def call(self, name: str, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:  # noqa: ANN401  what the function answers
        """Return a function's answer, or raise what it complains of."""
        (answer,) = self.calls([(name, keys, args)])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def calls(self, calls: Sequence[Call]) -> list[Any]:
        """Return the answers of many functions; what one complains of stands in its place."""
        answers = self._send(calls)
        again = [number for number, answer in enumerate(answers) if _is_gone(answer)]
        if again:
            self.load_library()
            for number, answer in zip(again, self._send([calls[number] for number in again]), strict=True):
                answers[number] = answer
        return [_translated(answer) if isinstance(answer, redis.ResponseError) else answer for answer in answers]

    def commands(self, *commands: Command) -> list[Any]:
        """Return the answers of plain commands sent in one round trip."""
        return self.obeyed(self.round_trip(commands))

    def command(self, *command: str | bytes | int) -> Any:  # noqa: ANN401  what the command answers
        """Return the answer of one plain command."""
        (answer,) = self.commands(command)
        return answer

    def read_streams(self, after: Mapping[str, str], *, count: int, block_ms: int) -> Mapping[str, Sequence[Any]]:
        """Return up to ``count`` entries of each stream behind an entry id, waiting so long for the first."""
        block = min(max(block_ms, 1), LONGEST_BLOCK_MS)
        reply = self.command("XREAD", "COUNT", count, "BLOCK", block, "STREAMS", *after, *after.values())
        return {key.decode(): entries for key, entries in reply or ()}

    @staticmethod
    def obeyed(answers: list[Any]) -> list[Any]:
        """Return the answers, or raise the first complaint among them."""
        return _obeyed(answers)

    def round_trip(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands together and return their answers; a complaint stands in its answer's place."""
        return pipelined(self.client, commands)

    def types(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Return of what type each key is, ``none`` where there is none; those of a node that is away are left out."""
        answers = self.round_trip([("TYPE", key) for key in keys])
        told = {key: answer for key, answer in zip(keys, answers, strict=True) if not isinstance(answer, NodeAwayError)}
        return {key: kind.decode() for key, kind in zip(told, self.obeyed([*told.values()]), strict=True)}

    def nodes(self) -> Iterable[Any]:
        """Return a client of every server that holds a part of the store."""
        return (self.client,)

    def _send(self, calls: Sequence[Call]) -> list[Any]:
        return self.round_trip([("FCALL", f"{LIBRARY}_{name}", len(keys), *keys, *args) for name, keys, args in calls])

    def load_library(self) -> None:
        """Put the function library in place on the server, if it is not as this program has it."""
        load_library_at(self.client)

    def check(self) -> None:
        """Raise ``StoreUnusableError`` unless the server is such as this program can rely on."""
        self._look_at(self.client)

    def _look_at(self, client: Any) -> None:  # noqa: ANN401  as client_of
        """Raise ``StoreUnusableError`` unless a server is fit; put the function library in place."""
        with reaching():
            about = client.info()
        require_fit(about)
        self.durable = self.durable and bool(about["aof_enabled"])
        try:
            load_library_at(client)
        except redis.exceptions.NoPermissionError as fault:
            raise StoreAwayError("the store has no function library yet: a rule worker puts it there") from fault
        except redis.ResponseError as fault:
            raise StoreUnusableError(
                f"the server does not take the function library ({fault}): "
                "allow FUNCTION and FCALL to this user, on Redis 7.0, Valkey 8 or later"
            ) from fault

    def prepare(self, games: Sequence[str], partitions: int, epoch: str | None) -> dict[str, tuple[Partition, ...]]:
        """
        Return the partitions of each game, creating what the store does not know yet; nothing is written otherwise.

        Where an ``epoch`` is given, a store of another one, or an empty one, is a lost one.
        """
        meta = self._meta()
        if epoch is not None and meta.get("epoch") != epoch:
            found = f"its epoch is {meta['epoch']}" if "epoch" in meta else "it is empty"
            raise lost(f"{found}, and epoch {epoch} is expected")
        new = [field for field in ("layout", *map(_field_of, games)) if field not in meta]
        if new:
            meta = self._create(games, partitions)
        if meta["layout"] != LAYOUT:
            raise other_layout(meta["layout"])
        self.created = "layout" in new
        self.epoch = meta["epoch"]
        return {game: tuple(Partition(game, n) for n in range(int(meta[_field_of(game)]))) for game in games}

    def _create(self, games: Sequence[str], partitions: int) -> dict[str, str]:
        try:
            self.command("HSETNX", META, "layout", LAYOUT)
            self.command("HSETNX", META, "epoch", secrets.token_hex(8))
            meta = self._meta()
            for game in games:
                if _field_of(game) not in meta:
                    cursors = [Partition(game, number).cursor for number in range(partitions)]
                    self.commands(*(("HSETNX", cursor, "epoch", meta["epoch"]) for cursor in cursors))
                    self.commands(*(("HSETNX", cursor, "pos", "0-0") for cursor in cursors))
                    self.command("HSETNX", META, _field_of(game), partitions)
        except redis.exceptions.NoPermissionError as fault:
            raise StoreAwayError("the store is not laid out yet: a rule worker does that") from fault
        return self._meta()

    def _meta(self) -> dict[str, str]:
        try:
            found = self.command("HGETALL", META)
        except NodeAwayError as fault:
            raise NodeAwayError(f"{fault}, and holds {META}, without which nothing starts: it is waited for") from fault
        return {name.decode(): value.decode() for name, value in _pairs(found)}


def load_library_at(client: Any) -> None:  # noqa: ANN401  as client_of
    """Put the function library in place on a server, if it is not as this program has it."""
    listed, *_ = _obeyed(pipelined(client, [("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY, "WITHCODE")]))
    if library_code().encode() not in _flat(listed):
        _obeyed(pipelined(client, [("FUNCTION", "LOAD", "REPLACE", library_code())]))


def _field_of(game: str) -> str:
    return f"partitions:{game}"


def about_of(info: bytes) -> dict[str, str]:
    """Return what a server tells about itself, of its answer to ``INFO`` as it came."""
    lines = (line.partition(":") for line in info.decode(errors="replace").splitlines())
    return {name: value for name, colon, value in lines if colon}


def require_fit(about: Mapping[str, Any]) -> None:
    """Raise ``StoreUnusableError`` unless a server that tells this about itself can be relied on."""
    if int(about.get("loading", 0)):  # it keeps no file meanwhile, and says so
        raise StoreAwayError("the server reads its files")
    version = tuple(int(part) for part in str(about["redis_version"]).split(".")[:2])
    if version < OLDEST_SERVER:
        raise StoreUnusableError(f"the server is Redis {about['redis_version']}; use Redis 7.0, Valkey 8 or later")
    policy = about.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise StoreUnusableError(
            f"the server may evict histories (maxmemory-policy {policy}): "
            "set `maxmemory-policy noeviction` in its configuration and start again"
        )


def _obeyed(answers: list[Any]) -> list[Any]:
    """Return the answers, or raise the first complaint among them."""
    for answer in answers:
        if isinstance(answer, redis.ResponseError):
            raise away_of(answer) or damage_of(answer) or answer
        if isinstance(answer, Exception):
            raise answer
    return answers


def lost(detail: str) -> StoreLostError:
    """Return the complaint that what was in the store is gone."""
    return StoreLostError(
        f"the store was lost or emptied ({detail}): restore it from its append-only file or a replica; "
        "to begin with an empty store, start the program anew",
        detail,
    )


def other_layout(found: str) -> StoreUnusableError:
    """Return the complaint that another release laid the store out."""
    return StoreUnusableError(
        f"the store has layout {found}, this program needs {LAYOUT}: use the release that wrote it, or another store"
    )


def _pairs(reply: Mapping[bytes, bytes] | Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    if isinstance(reply, Mapping):
        return list(reply.items())
    return list(zip(reply[::2], reply[1::2], strict=True))


def _flat(reply: object) -> list[object]:
    if isinstance(reply, dict):
        reply = [*reply.keys(), *reply.values()]
    if isinstance(reply, list):
        return [leaf for each in reply for leaf in _flat(each)]
    return [reply]


def _is_gone(answer: object) -> bool:
    return isinstance(answer, redis.ResponseError) and "function not found" in str(answer).lower()


def _translated(fault: redis.ResponseError) -> Exception:
    word, _, rest = str(fault).partition(" ")
    if word == "LOST":
        return lost(rest)
    if word == "DAMAGED":
        table, _, detail = rest.partition(" ")
        return DamagedError(detail, table="" if table == "-" else table)
    kind = _ERRORS.get(word)
    return kind(rest) if kind else away_of(fault) or damage_of(fault) or fault


def damage_of(reply: object) -> DamagedError | None:
    """Return the complaint that a key is of another type, ``None`` when the reply is no such one."""
    wrong = isinstance(reply, redis.ResponseError) and str(reply).startswith("WRONGTYPE")
    return DamagedError(str(reply)) if wrong else None


def away_of(fault: redis.ResponseError) -> StoreAwayError | None:
    """Return the complaint of a server that can take nothing for a while, ``None`` when it complains of the command."""
    text = str(fault)
    word = next((name for kind, name in _AWAY_KINDS if isinstance(fault, kind)), text.partition(" ")[0])
    if word not in _AWAY:
        wrapped = _IN_SCRIPT.search(text)
        word = wrapped[1] if wrapped else ""
    return StoreAwayError(f"{_AWAY[word]}; all goes on by itself ({word})") if word in _AWAY else None
