"""A rule worker with a lease of a given length: ``python -m tests.chaos.worker URL TTL_MS``."""

from __future__ import annotations

import sys

from workers.runtime.work import work

if __name__ == "__main__":
    work(sys.argv[1], ttl_ms=int(sys.argv[2]))
