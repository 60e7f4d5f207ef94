"""Gives ports of loopback to servers that tests start: each to one process of this machine at a time."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from contextlib import suppress
from pathlib import Path

BUS = 10_000
"""How far above a cluster node's port its bus listens."""
FIRST, LAST = 10_000, 19_999
"""Below what systems give to the near ends of connections, so that none takes a port between its choice and its use."""
_held: list[int] = []


def free_port() -> int:
    """
    Return a port on which nobody listens, nor on its bus port; it is this process's until that ends.

    Raises:
        LookupError: all are taken.
    """
    held = Path(tempfile.gettempdir()) / f"fidchell-ports-{os.getuid()}"
    held.mkdir(exist_ok=True)
    for port in random.sample(range(FIRST, LAST + 1), LAST + 1 - FIRST):
        lock = os.open(held / str(port), os.O_RDWR | os.O_CREAT)
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _listen(port)
            _listen(port + BUS)
            _held.append(lock)
            return port
        os.close(lock)
    raise LookupError("no port is free")


def _listen(port: int) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", port))
