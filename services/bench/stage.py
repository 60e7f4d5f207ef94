"""What measurements with processes of their own have in common."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

WAIT_S: Final = 120.0


def until(condition: Callable[[], bool]) -> None:
    """Return once a condition holds."""
    end = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"the measurement did not come to its end within {WAIT_S:.0f} s")
        time.sleep(0.005)


@contextmanager
def process(*words: str, environment: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a module of this program while the block is alive."""
    with subprocess.Popen(  # noqa: S603  this program
        [sys.executable, *words], stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})}
    ) as running:
        try:
            yield running
        finally:
            running.terminate()
            running.wait(30)
