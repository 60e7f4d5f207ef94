"""A rule worker for the game of echoes in a process of its own: ``python -m tests.runtime.echo.worker URL TTL_MS``."""

from __future__ import annotations

import sys

from tests.runtime.echo import learn
from tests.runtime.echo.rules import EchoShelf
from workers.runtime.work import work

if __name__ == "__main__":
    learn()
    work(sys.argv[1], ["echo"], shelf=EchoShelf(), ttl_ms=int(sys.argv[2]))
