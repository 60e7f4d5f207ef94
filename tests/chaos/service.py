"""The whole service as processes of their own: on a cluster, or on one server over lines that can be broken."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import redis

from events.codec import pack
from events.log.redis_log import RedisLog
from events.streams import PLATFORM_KEYS, Partition
from services.api.keys import kept, new_key
from services.embedded.server import EmbeddedServer
from services.embedded.tether import tethered
from services.live.ebb import PLAIN
from tests.clusters import Cluster
from tests.ports import free_port
from tests.servers import short_folder
from tests.services.house import UNPACED
from tests.until import PATIENCE_S, until

ROOT = Path(__file__).parents[2]
WITNESS = "witness@1"
"""A projection that reads nothing, so that the feed is kept whole until it is looked at."""


class Process:
    """
    One process of the service.

    Args:
        name: what it is called, and its line.
        words: of its command line.
        up: what it logs once it is at work.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        environment: dict[str, str],
        log: Path,
        *,
        up: bytes = b"store_opened",
    ) -> None:
        self.name = name
        self._words = words
        self._environment = {**os.environ, **UNPACED, **environment}
        self._log = log
        self._up = up
        self._process: subprocess.Popen[bytes] | None = None
        self.paused_until: float | None = None
        self._said_before = 0

    @property
    def is_up(self) -> bool:
        """Whether it has come to work since it was started, and is not paused."""
        if not self.alive or self.paused_until is not None:
            return False
        with self._log.open("rb") as log:
            log.seek(self._said_before)
            return self._up in log.read(65_536)

    @property
    def pid(self) -> int:
        """Return the id of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it; it ends with this thread."""
        with self._log.open("ab") as log:
            self._said_before = log.tell()
            self._process = subprocess.Popen(  # noqa: S603  our own program
                tethered(sys.executable, *self._words),
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.paused_until = None

    def kill(self) -> None:
        """End it without warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def pause(self, seconds: float) -> None:
        """Stop it where it stands, until ``wake`` finds that the time is over."""
        os.kill(self.pid, signal.SIGSTOP)
        self.paused_until = time.monotonic() + seconds

    def wake(self) -> None:
        """Let it go on when its pause is over."""
        if self.paused_until is not None and time.monotonic() > self.paused_until:
            self.paused_until = None
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGCONT)

    def rss(self) -> int:
        """Return the bytes it has in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def lines(self) -> str:
        """Return what it logged."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""


class Service:
    """
    Everything that runs over a store.

    Args:
        url: of the store, which may be a cluster.
        logs: folder for what the processes say.
        ttl_ms: length of a lease.
        sizes: how many rule workers, projection workers and APIs.
        games: whose partitions are watched and examined; all are served.
        beside: processes that others started, and that are kept up and ended as the service's own.
    """

    def __init__(
        self,
        url: str,
        logs: Path,
        *,
        ttl_ms: int,
        sizes: tuple[int, int, int],
        games: Sequence[str] = ("nains",),
    ) -> None:
        self.url = url
        self.ttl_ms = ttl_ms
        workers, projections, apis = sizes
        self.ports = [free_port() for _ in range(apis)]
        self.workers = [
            self._process(f"w{n}", ["-m", "tests.chaos.worker", self._line(f"w{n}"), str(ttl_ms)], logs)
            for n in range(workers)
        ]
        self.projections = [self._process(f"p{n}", ["-m", "services.cli", "project"], logs) for n in range(projections)]
        self.apis = [
            self._process(f"a{n}", ["-m", "services.cli", "api", "--port", str(port)], logs, **PLAIN)
            for n, port in enumerate(self.ports)
        ]
        self.beside: list[Process] = []
        self._games = games
        self.log = RedisLog(url, games=list(games))
        self.client = self.connected()
        self.platform, self.bots = self._key("platform", "chaos"), self._key("bots", "*")
        for partition in self.partitions:
            self.log.position(partition, WITNESS)

    def connected(self) -> Any:  # noqa: ANN401  the clients' types say less than they know
        """Return a client of the whole store."""
        kind = redis.RedisCluster if self.log.is_cluster else redis.Redis
        return kind.from_url(self.url, socket_timeout=PATIENCE_S)

    def _line(self, _name: str) -> str:
        """Return where a process finds the store."""
        return self.url

    def _process(self, name: str, words: list[str], logs: Path, **environment: str) -> Process:
        return Process(name, words, {"REDIS_URL": self._line(name), **environment}, logs / f"{name}.log")

    def _key(self, role: str, platform: str) -> str:
        key = new_key()
        name, record = kept(key, role=role, platform=platform)
        self.client.hset(PLATFORM_KEYS, name, pack(record))
        return key

    @property
    def processes(self) -> list[Process]:
        """Return all but the server."""
        return [*self.workers, *self.projections, *self.apis, *self.beside]

    @property
    def partitions(self) -> Sequence[Partition]:
        """Return where tables lie."""
        return [partition for game in self._games for partition in self.log.partitions(game)]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run everything while the block is alive."""
        try:
            for process in self.processes:
                process.start()
            self.until_ready()
            yield
        finally:
            for process in self.processes:
                process.kill()
            self.client.close()
            self.log.close()

    def until_ready(self) -> None:
        """Wait until every API answers and hears."""
        until(lambda: all(map(_ready, self.ports)), what="every API is ready")

    def keep_the_feed_no_longer(self) -> None:
        """Let the feed be cut behind the projections that there are."""
        for partition in self.partitions:
            self.client.hdel(partition.positions, WITNESS)

    def mend(self) -> None:
        """Wake who slept long enough, and start who died, as a supervisor would."""
        for process in self.processes:
            process.wake()
            if not process.alive:
                process.start()

    def lines(self) -> str:
        """Return everything that was logged."""
        return "".join(each.lines() for each in self.processes)


class LinedService(Service):
    """The same on one server, each process over a line of its own; and the means to break them."""

    def __init__(
        self,
        server: EmbeddedServer,
        sockets: Path,
        *,
        ttl_ms: int,
        sizes: tuple[int, int, int],
        games: Sequence[str] = ("nains",),
    ) -> None:
        self.server = server
        self._sockets = sockets
        super().__init__(server.url, server.folder.path, ttl_ms=ttl_ms, sizes=sizes, games=games)

    def _line(self, name: str) -> str:
        return f"unix://{self._sockets / name}.sock"

    @contextmanager
    def running(self) -> Iterator[None]:
        names = [each.name for each in self.processes]
        words = ["-m", "tests.chaos.proxy", self.url.removeprefix("unix://"), str(self._sockets), *names]
        with subprocess.Popen(  # noqa: S603  our own program
            tethered(sys.executable, *words), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as self._proxy:
            assert self._proxy.stdout is not None
            assert self._proxy.stdout.readline() == b"ready\n"
            try:
                with super().running():
                    yield
            finally:
                self._proxy.kill()

    def order(self, *words: object) -> None:
        """Tell the lines what to do."""
        assert self._proxy.stdin is not None
        self._proxy.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        self._proxy.stdin.flush()

    def restart_server(self) -> None:
        """Kill the server and start it again over what it had written."""
        os.kill(self.server.pid, signal.SIGKILL)
        until(self.server.revive, what="the server runs again")


def _ready(port: int) -> bool:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        line.request("GET", "/readyz")
        return bool(json.loads(line.getresponse().read()).get("listening"))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        line.close()


@contextmanager
def a_service(
    folder: Path,
    *,
    ttl_ms: int = 1_000,
    workers: int = 2,
    projections: int = 2,
    apis: int = 2,
    games: Sequence[str] = ("nains",),
) -> Iterator[LinedService]:
    """Give a running service over an empty store, each command on disk before it is answered."""
    with short_folder() as sockets, EmbeddedServer(folder / "data", tell=lambda _: None) as server:
        service = LinedService(server, sockets, ttl_ms=ttl_ms, sizes=(workers, projections, apis), games=games)
        with service.running():
            yield service


@contextmanager
def a_service_on(
    cluster: Cluster, folder: Path, *, ttl_ms: int = 1_000, workers: int = 2, projections: int = 2, apis: int = 1
) -> Iterator[Service]:
    """Give a running service over an emptied cluster."""
    cluster.flush()
    service = Service(cluster.url, folder, ttl_ms=ttl_ms, sizes=(workers, projections, apis))
    with service.running():
        yield service
