"""Thousands of tables opened, played and finished by one set of processes: their memory stays, no key is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.load import Players
from tests.chaos.service import Service, a_service
from tests.chaos.verdict import Histories, nothing_is_forgotten, settle
from tests.until import until

GROWTH = 1.2
MINUTES = 60
CUT_AFTER = 12_000
"""A command stream is cut to the last 10,000 handled, in steps of a thousand."""


def sizes(service: Service) -> dict[str, int]:
    """Return the memory of each process in megabytes."""
    return {each.name: each.rss() // 1_000_000 for each in service.processes}


@pytest.mark.parametrize(
    ("tables", "warm"),
    [
        pytest.param(300, 150, marks=pytest.mark.timeout(5 * MINUTES)),
        pytest.param(20_000, 5_000, marks=[pytest.mark.soak, pytest.mark.timeout(60 * MINUTES)]),
    ],
)
def test_memory_does_not_grow_with_finished_tables(tmp_path: Path, tables: int, warm: int) -> None:
    """After a warm-up each process keeps its size within a fifth, and each finished table leaves four keys."""
    with a_service(tmp_path, projections=1, apis=1) as service:
        service.keep_the_feed_no_longer()
        players = Players(
            service.ports,
            platform=service.platform,
            bots=service.bots,
            seed=3,
            tables=24,
            limit=tables,
            giving_up=0.7,
            times=1,
        )
        players.start()
        try:
            until(lambda: players.done or len(players.ended) >= warm, what="it is warm", timeout=20 * MINUTES)
            before = sizes(service)
            until(lambda: players.done, what="all tables are over", timeout=50 * MINUTES)
            after = sizes(service)
        finally:
            players.go()
        settle(service)
        histories = Histories(service)
        client = service.client
        kept = {place.tag: (client.xlen(place.commands), client.xlen(place.feed)) for place in service.partitions}
        store = client.info("memory")["used_memory"] // tables
        nothing_is_forgotten(histories)
    print(
        f"\n{tables} tables; megabytes after {warm}: {before}, at the end: {after}; a table in the store: {store} bytes"
    )
    print(f"commands and feed entries kept: {kept}")

    assert tables == len(histories.of)
    assert all(after[name] <= before[name] * GROWTH for name in before)
    assert all(commands <= CUT_AFTER for commands, _ in kept.values())
