"""Keeps processes running: one that dies is started again, all are stopped in order."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Final

from services.embedded.tether import tethered

LOOK_S: Final = 0.2
STEADY_S: Final = 10.0
"""A process that ran so long is started again at once; one that dies sooner waits longer each time."""

LONGEST_PAUSE_S: Final = 10.0
STOP_S: Final = 15.0
OFTEN: Final = 2
"""So many short lives, one behind the other, are no accident."""
LOG_LIMIT: Final = 8_000_000
LAST_BYTES: Final = 4_096
"""Of a log, among which its last line is looked for."""
LAST_LETTERS: Final = 500
"""Of that line, which are told."""


class Child:
    """
    One process that is to run.

    Args:
        command: what runs; it ends with this process, however that ends.
        log: file that takes what it prints.
    """

    def __init__(self, name: str, command: Sequence[str], *, environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.log = log
        self._command = tethered(*command)
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = 0.0
        self._next = 0.0
        self._short_lives = 0

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, in a session of its own, so that Ctrl-C is for this process alone."""
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603  our own program, no shell
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._started = time.monotonic()

    def mend(self, tell: Callable[[str], None]) -> None:
        """Start it again if it has died, later each time when it dies at once; keep its log short."""
        self._trim_log()
        now = time.monotonic()
        if self._process is not None and (code := self._process.poll()) is not None:
            self._process = None
            is_steady = now - self._started > STEADY_S
            self._short_lives = 0 if is_steady else self._short_lives + 1
            self._pause = 0.0 if is_steady else min(self._pause * 2 or 0.5, LONGEST_PAUSE_S)
            self._next = now + self._pause
            tell(self._ended(code))
        if self._process is None and now >= self._next:
            self.start()

    def _ended(self, code: int) -> str:
        """Return what is told of its end: why as well, when it ends at once not for the first time."""
        if self._short_lives < OFTEN:
            return f"The process {self.name} ended with code {code} and is started again; see {self.log}."
        told = (
            f"The process {self.name} ends again and again at once, {self._short_lives} times by now, with code {code}"
        )
        return f"{told}; see {self.log}, which ends: {self._last_line()}"

    def _last_line(self) -> str:
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - LAST_BYTES))
            lines = log.read().decode("utf-8", "replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "(it is empty)")
        return "".join(letter if letter.isprintable() else "?" for letter in said[:LAST_LETTERS])

    def _trim_log(self) -> None:
        """Put a long log aside; the process goes on writing to the same file, which it opened to append."""
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            shutil.copyfile(self.log, self.log.with_suffix(".log.1"))
            os.truncate(self.log, 0)

    def stop(self) -> None:
        """Ask it to end, and wait; what does not end in time is killed."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def supervise(
    children: Sequence[Child], stop: Event, tell: Callable[[str], None], *, also: Callable[[], object]
) -> None:
    """Look after all children until told to stop; ``also`` is called at every look."""
    while not stop.wait(LOOK_S):
        also()
        for child in children:
            child.mend(tell)


def stop_all(children: Sequence[Child]) -> None:
    """Stop the children, the last first."""
    for child in reversed(children):
        child.stop()
