"""Whatever is killed, paused, delayed or doubled: nothing acknowledged is lost or done twice, and all tables end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.chaos.faults import EVERY_KIND, Lane, Storm, everything, kills, workers_struck
from tests.chaos.load import Players
from tests.chaos.service import Service, a_service, a_service_on
from tests.chaos.verdict import examine
from tests.chaos.watch import Watch
from tests.clusters import Cluster

TAKEOVER_S = 1.0
"""How much longer than the lease commands may wait when their worker vanished."""

BUSY_S = 20.0
"""As much where other tests share the machine, so that only standing still is noticed."""

MINUTES = 60


Whole = TypeVar("Whole", bound=Service)


def endure(
    service: Whole,
    lanes: Callable[[Whole, Watch], list[Lane]],
    enough: Callable[[Counter[str]], bool],
    *,
    tables: int,
    seed: int,
    more_s: float,
) -> None:
    """Have tables played through a storm and then to their end, and examine everything."""
    watch = Watch(service.connected(), service.partitions)
    storm = Storm(service, lanes(service, watch), seed)
    players = Players(service.ports, platform=service.platform, bots=service.bots, seed=seed, tables=tables)
    players.start()
    try:
        with watch:
            storm.rage(lambda: players.done or enough(storm.counted), timeout=40 * MINUTES)
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

    assert enough(storm.counted)
    assert watch.longest <= service.ttl_ms / 1000 + more_s


@pytest.mark.parametrize(
    ("each", "ttl_ms", "tables", "more_s"),
    [
        pytest.param(2, 1_000, 12, BUSY_S, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(10, 5_000, 50, TAKEOVER_S, marks=[pytest.mark.soak, pytest.mark.timeout(30 * MINUTES)]),
    ],
)
def test_everything_may_be_killed_under_load(
    tmp_path: Path, each: int, ttl_ms: int, tables: int, more_s: float
) -> None:
    """Rule worker, projection worker, API and server are killed so many times each."""
    with a_service(tmp_path, ttl_ms=ttl_ms) as service:

        def enough(counted: Counter[str]) -> bool:
            return len(counted) == 4 and min(counted.values()) >= each

        endure(service, kills, enough, tables=tables, seed=1, more_s=more_s)


@pytest.mark.parametrize(
    ("faults", "each", "tables", "more_s"),
    [
        pytest.param(200, 2, 12, BUSY_S, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(2_000, 20, 50, TAKEOVER_S, marks=[pytest.mark.soak, pytest.mark.timeout(45 * MINUTES)]),
    ],
)
def test_a_storm_of_everything(tmp_path: Path, faults: int, each: int, tables: int, more_s: float) -> None:
    """Kills and pauses beyond the lease, a server that restarts, lines that delay, break and lose replies."""
    with a_service(tmp_path, workers=3) as service:

        def enough(counted: Counter[str]) -> bool:
            return counted.total() >= faults and min(counted[kind] for kind in EVERY_KIND) >= each

        endure(service, everything, enough, tables=tables, seed=2, more_s=more_s)


@pytest.mark.parametrize(
    ("each", "tables", "more_s"),
    [
        pytest.param(1, 6, BUSY_S, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(25, 30, TAKEOVER_S, marks=[pytest.mark.soak, pytest.mark.timeout(30 * MINUTES)]),
    ],
)
def test_workers_struck_on_a_cluster(cluster: Cluster, tmp_path: Path, each: int, tables: int, more_s: float) -> None:
    """Rule workers and projection workers are killed and paused; what they held on three nodes is taken up again."""
    with a_service_on(cluster, tmp_path) as service:

        def enough(counted: Counter[str]) -> bool:
            return len(counted) == 4 and min(counted.values()) >= each

        endure(service, workers_struck, enough, tables=tables, seed=3, more_s=more_s)
