"""A store that lost its last moments: whoever saw more than there is hears so, and sees all once they follow again."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import redis

from services.live import feeds
from tests.live.door import Door, Json, Line, a_door
from tests.live.test_late import DELAY_MS, Hour, late_table, one_move
from tests.services.house import House, Table, a_house

NEVER_S = 3_600.0


def copied(house: House) -> dict[bytes, bytes]:
    """Return all that a house keeps."""
    with redis.Redis.from_url(house.url) as store:
        return {key: store.dump(key) for key in store.scan_iter()}


def set_back(house: House, copy: dict[bytes, bytes]) -> None:
    """Have a store keep what it kept once, from one moment to the next."""
    with redis.Redis.from_url(house.url) as store, store.pipeline(transaction=True) as at_once:
        at_once.flushall()
        for key, value in copy.items():
            at_once.restore(key, 0, value)
        at_once.execute()


async def is_as_over_http(door: Door, line: Line, told: list[Json], *, table: Table, token: str, last: int) -> None:
    """Assert that what a line was told and shown of a table up to a version is what HTTP tells and shows."""
    shown = await line.version(last)
    over_http = await door.client.ask("GET", f"/v1/tables/{table.name}/view", token)

    assert await door.history(table, token) == told
    assert over_http.json() == shown["view"]


@pytest.mark.parametrize("sure_s", [0.05, NEVER_S], ids=["found by looking round", "found when it is read"])
async def test_who_saw_more_than_there_is_hears_so_and_follows_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sure_s: float
) -> None:
    """A seat, a spectator and one who sees the table late, each with the version that there is."""
    hour = Hour(monkeypatch)
    monkeypatch.setattr(feeds, "SURE_S", sure_s)
    with a_house(tmp_path) as house:
        async with a_door(house) as door, late_table(door) as (table, before), AsyncExitStack() as lines:
            # 1. all see what will be lost
            house.stop()
            there, copy = before[-1]["last"], copied(house)
            house.start()
            for _ in range(2):
                lost = await one_move(door, table)
            hour.now += 2 * DELAY_MS
            viewpoints = (table.tokens[0], 0), (house.arbiter, None), (house.key, None)
            followers = [(await lines.enter_async_context(door.line(token)), token, seat) for token, seat in viewpoints]
            for line, token, seat in followers:
                await line.ask(follow=table.name, after=0)
                await line.told(table.name, seat, lost)
                told = line.chapters(table.name, seat)
                await is_as_over_http(door, line, told, table=table, token=token, last=lost)
            # 2. it is lost
            house.stop()
            set_back(house, copy)
            if sure_s == NEVER_S:
                door.live.feeds.heard(None)
            ends = [await line.kind("unfollowed", table=table.name) for line, _, _ in followers]
            house.start()
            # 3. other things happen
            for _ in range(3):
                last = await one_move(door, table)
            hour.now += 2 * DELAY_MS
            for line, token, seat in followers:
                gone = len(line.chapters(table.name, seat))
                await line.ask(follow=table.name, after=there)
                await line.told(table.name, seat, last)
                told = line.chapters(table.name, seat)
                whole = [each for each in told[:gone] if each["last"] <= there] + told[gone:]
                await is_as_over_http(door, line, whole, table=table, token=token, last=last)

    assert [("version_ahead", {"version": there})] * 3 == [(each["code"], each["details"]) for each in ends]
    assert there < lost < last
