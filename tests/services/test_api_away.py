"""Doors that open beside a silent node, look at it before they use it, and hear what is pushed from another."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

from structlog.testing import capture_logs

from tests.clusters import MASTERS
from tests.services.house import Client, a_house, client_of, silent
from tests.services.split import STORE_S, TOLD_S, split
from tests.services.test_api_silent import AWAY, WELL, seen, until_seen
from tests.until import PATIENCE_S


async def test_doors_open_beside_a_silent_node(tmp_path: Path) -> None:
    """They say what is away, show what is not, and the rest as soon as it is back."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        with ExitStack() as quiet, capture_logs() as lines:
            quiet.enter_context(parts.silent_node())
            async with client_of(parts.client.house, store_s=STORE_S) as late:
                ready = (await late.ask("GET", "/readyz")).json()
                assert [WELL, AWAY] == [await seen(late, each) for each in (parts.elsewhere, parts.there)]
                quiet.close()
                await until_seen(late, parts.there)

    assert "degraded" == ready["status"]
    assert parts.client.doors.store.partition(parts.there.name).tag in ready["away"]
    assert f"127.0.0.1:{parts.cluster.ports[parts.node]} " in str(lines)


async def test_doors_use_no_node_that_may_evict_histories(tmp_path: Path) -> None:
    """One that could not be looked at before is away until that is mended, and it is said why."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        parts.cluster.ask(parts.node, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        with ExitStack() as quiet, capture_logs() as lines:
            quiet.enter_context(parts.silent_node())
            async with client_of(parts.client.house, store_s=STORE_S) as late:
                quiet.close()
                async with asyncio.timeout(PATIENCE_S):
                    while "noeviction" not in str(lines):
                        await seen(late, parts.there)
                assert [WELL, AWAY] == [await seen(late, each) for each in (parts.elsewhere, parts.there)]
                parts.cluster.ask(parts.node, "CONFIG", "SET", "maxmemory-policy", "noeviction")
                await until_seen(late, parts.there)


async def until_listening(client: Client, *, wanted: bool) -> None:
    """Return as soon as doors hear what is pushed, or do not any more; that has to be in time."""
    async with asyncio.timeout(TOLD_S):
        while client.doors.wakes.listening != wanted:
            await asyncio.sleep(0.02)


async def test_what_is_pushed_is_heard_from_another_node(tmp_path: Path) -> None:
    """When the one it came from falls silent: who waits for an answer is woken, and nobody has to look instead."""
    async with split(tmp_path, store_s=STORE_S) as parts:
        cluster, client = parts.cluster, parts.client
        (post,) = [node for node in range(MASTERS) if cluster.ask(node, "PUBSUB", "CHANNELS")]
        others = [node for node in range(MASTERS) if node != post]
        table = await client.open()
        while cluster.holder(client.doors.store.partition(table.name).cursor) == post:
            table = await client.open()
        legal = (await client.legal(table, 0))[0]
        with silent(cluster.nodes[post].process.pid):
            async with asyncio.timeout(PATIENCE_S):
                while not any(cluster.ask(node, "PUBSUB", "CHANNELS") for node in others):
                    await asyncio.sleep(0.02)
            await until_listening(client, wanted=True)
            with client.doors.wakes.moves_of(table.name) as moved:
                played = await client.play(table, 0, legal)
                async with asyncio.timeout(PATIENCE_S):
                    await moved.wait()
            ready = (await client.ask("GET", "/readyz")).json()

    assert 200 == played.status_code, played.text
    assert ready["listening"]


async def test_a_silent_store_is_not_heard(tmp_path: Path) -> None:
    """Doors know in time that nothing wakes them, and hear again by themselves."""
    with a_house(tmp_path) as house:
        async with client_of(house, store_s=STORE_S) as client:
            with house.silent_store():
                await until_listening(client, wanted=False)
            await until_listening(client, wanted=True)
