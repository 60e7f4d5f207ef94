"""A flood is told to come back later, and what was taken in is handled."""

from __future__ import annotations

import asyncio

import pytest

from tests.services.house import Client, House, client_of
from tests.until import PATIENCE_S


async def test_above_the_backlog_the_doors_are_busy(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with the time to wait; nothing of what was taken in is lost, and then the doors are open again."""
    async with client_of(house) as client, client_of(house, answer_s=0.05) as hasty:
        table = await client.open()
        legal = await client.legal(table, 0)
        with house.rules_at_rest(), monkeypatch.context() as limits:
            limits.setattr("services.api.store.MAX_BACKLOG", 3)
            sent = [await hasty.play_once(table, 0, legal[0]) for _ in range(5)]

        assert [202, 202, 202, 503, 503] == [each.status_code for each in sent]
        assert {"busy"} == {each.json()["code"] for each in sent[3:]}
        assert all(int(each.headers["Retry-After"]) >= 1 for each in sent[3:])
        answers = [await _answer(client, each.json()["href"], table.tokens[0]) for each in sent[:3]]
        assert ["accepted", "refused", "refused"] == answers
        assert 200 == (await client.play(table, 1, (await client.legal(table, 1))[0])).status_code


async def _answer(client: Client, path: str, token: str) -> str:
    """Return what became of a command, as soon as that is known."""
    async with asyncio.timeout(PATIENCE_S):
        while (found := await client.ask("GET", path, token)).status_code != 200:
            await asyncio.sleep(0.02)
    return str(found.json()["status"])
