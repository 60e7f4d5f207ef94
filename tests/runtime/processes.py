"""Rule workers of the game of echoes in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Workers:
    """Starts workers, and ends them by their own process ids."""

    def __init__(self, url: str, log: Path, ttl_ms: int) -> None:
        self._command = [sys.executable, "-m", "tests.runtime.echo.worker", url, str(ttl_ms)]
        self._log = log
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        """Start one more."""
        with self._log.open("ab") as log:
            process = subprocess.Popen(self._command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603  our own module
        self.running.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End one without warning."""
        process.kill()
        process.wait()
        self.running.remove(process)

    def keep_alive(self) -> None:
        """Start one for each that ended."""
        for process in [each for each in self.running if each.poll() is not None]:
            self.running.remove(process)
            self.start()

    def lines(self) -> str:
        """Return what they logged."""
        return self._log.read_text() if self._log.exists() else ""


@contextmanager
def workers(url: str, folder: Path, *, ttl_ms: int = 500) -> Iterator[Workers]:
    """Give workers, and end them all."""
    group = Workers(url, folder / "workers.log", ttl_ms)
    try:
        yield group
    finally:
        for process in group.running:
            process.kill()
            process.wait()
