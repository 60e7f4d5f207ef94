"""Whatever is killed, paused, delayed or doubled: nothing acknowledged is lost or done twice, and all tables end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos.faults import Lane, Storm, everything, kills
from tests.chaos.load import Players
from tests.chaos.service import Service, a_service
from tests.chaos.verdict import examine
from tests.chaos.watch import Watch

TAKEOVER_S = 1.0
"""How much longer than the lease commands may wait when their worker vanished."""

MINUTES = 60


def endure(
    service: Service, lanes: list[Lane], enough: Callable[[Counter[str]], bool], *, tables: int, seed: int
) -> None:
    """Have tables played through a storm and then to their end, and examine everything."""
    storm = Storm(service, lanes, seed)
    players = Players(service.ports, platform=service.platform, bots=service.bots, seed=seed, tables=tables)
    players.start()
    try:
        with Watch(service.server.url, service.partitions) as watch:
            storm.rage(lambda: players.done or enough(storm.counted), timeout=30 * MINUTES)
            players.stop()
            storm.calm(lambda: players.done, timeout=3 * MINUTES)
        found = examine(service, players.told, players.opened)
    finally:
        players.go()
    assert players.doors is not None
    silence = players.doors.silence
    print(f"\n{storm.counted.total()} faults: {dict(storm.counted)}")
    print(f"{found}; {dict(players.doors.counted)}")
    print(f"longest wait of a command: {watch.longest:.2f} s (lease {service.ttl_ms / 1000:g} s), in {watch.where}")
    print(f"server away (not counted as waiting): {watch.away:.1f} s; longest without any answer: {silence:.2f} s")

    assert watch.longest <= service.ttl_ms / 1000 + TAKEOVER_S


@pytest.mark.parametrize(
    ("each", "ttl_ms", "tables"),
    [(2, 1_000, 12), pytest.param(10, 5_000, 50, marks=[pytest.mark.soak, pytest.mark.timeout(30 * MINUTES)])],
)
def test_everything_may_be_killed_under_load(tmp_path: Path, each: int, ttl_ms: int, tables: int) -> None:
    """Rule worker, projection worker, API and server are killed so many times each."""
    with a_service(tmp_path, ttl_ms=ttl_ms) as service:
        lanes = kills(service, (ttl_ms / 1000 + 1.2, ttl_ms / 1000 + 1.8))
        endure(
            service, lanes, lambda counted: len(counted) == 4 and min(counted.values()) >= each, tables=tables, seed=1
        )


@pytest.mark.parametrize(
    ("faults", "tables"),
    [(50, 12), pytest.param(2_000, 50, marks=[pytest.mark.soak, pytest.mark.timeout(45 * MINUTES)])],
)
def test_a_storm_of_everything(tmp_path: Path, faults: int, tables: int) -> None:
    """Kills and pauses beyond the lease, a server that restarts, lines that delay, break and lose replies."""
    with a_service(tmp_path, workers=3) as service:
        endure(service, everything(service), lambda counted: counted.total() >= faults, tables=tables, seed=2)
