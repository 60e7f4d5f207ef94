"""What ``doctor`` finds on a store that is not well, and what it says to do."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from events.games import GAMES
from events.log.redis_log import RedisLog
from events.log.redis_store import LIBRARY
from events.streams import Partition
from services.cli.doctor import findings
from services.embedded.server import EmbeddedServer


def faults(monkeypatch: pytest.MonkeyPatch, url: str, folder: Path) -> list[str]:
    monkeypatch.setenv("REDIS_URL", url)
    return [sentence for mark, sentence in findings(folder) if mark == "fault"]


def test_every_fault_has_its_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store, no workers, no projections, poison, eviction, a missing library: each is told."""
    with EmbeddedServer(tmp_path / "data", durability="fast") as server:
        empty = faults(monkeypatch, server.url, tmp_path)
        RedisLog(server.url).close()
        lonely = faults(monkeypatch, server.url, tmp_path)
        with redis.Redis.from_url(server.url) as store:
            store.xadd(Partition("nains", 0).dead, {"entry": "1-0"})
            store.config_set("maxmemory-policy", "allkeys-lru")
            store.function_delete(LIBRARY)
        ill = " ".join(faults(monkeypatch, server.url, tmp_path))
        url = server.url
    (away,) = faults(monkeypatch, url, tmp_path)

    assert any("is empty" in each for each in empty)
    missing = [each.partition(": ")[2].partition(" is there")[0] for each in lonely]
    assert ["no rule worker", "no projection"] * len(GAMES) == missing
    assert "1 commands were set aside" in ill
    assert "noeviction" in ill
    assert f"{LIBRARY} is missing" in ill
    assert "cannot be reached" in away
