"""What sockets hear while the store is silent, or one node of a cluster."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import pytest

from services.live import feeds
from tests.live.door import Json, Line, a_door
from tests.services.house import a_house
from tests.services.split import PATIENT_S, STORE_S, TOLD_S, split
from tests.until import PATIENCE_S


async def followed(line: Line, table: str) -> None:
    """Return as soon as a table can be followed."""
    async with asyncio.timeout(PATIENCE_S):
        while (await line.ask(follow=table))["kind"] != "following":
            await asyncio.sleep(0.02)


def said(answer: Json) -> tuple[str, str]:
    """Return of what kind a no is, and which."""
    return answer["kind"], answer["code"]


@pytest.fixture(autouse=True)
def _only_the_store_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a follow waits for besides is no reason why it hears in time."""
    monkeypatch.setattr(feeds, "KNOWN_S", 3_600.0)


async def test_wishes_on_a_socket_hear_in_time_that_the_store_is_silent(tmp_path: Path) -> None:
    """New follows and commands, each with the id it came with; what was followed goes on when the store wakes."""
    with a_house(tmp_path) as house:
        async with a_door(house, store_s=STORE_S) as door:
            kept, other = [await door.client.open() for _ in range(2)]
            async with door.line(house.key) as line:
                for table in (kept, other):
                    await line.ask(follow=table.name)
                await line.ask(unfollow=other.name)
                command, command_id = (await door.client.legal(kept, 0))[0], str(uuid.uuid4())
                with house.silent_store():
                    async with asyncio.timeout(TOLD_S):
                        follow, send = await asyncio.gather(
                            line.say(follow=other.name),
                            line.say(send=command, table=kept.name, id=command_id, token=kept.tokens[0]),
                        )
                        assert ("failed", "store_away") == said(await line.answer(follow))
                        refused = await line.answer(send)
                        assert ("refused", "store_away", command_id) == (*said(refused), refused["id"])
                        assert "pong" == (await line.ask(ping=1))["kind"]
                await followed(line, other.name)
                await line.told(kept.name, None, await door.play(kept, 0))


async def test_tables_of_other_nodes_go_on_beside_one_that_is_silent(tmp_path: Path) -> None:
    """They are read while the follow of a table there waits to hear of it, also those behind it on its socket."""
    async with split(tmp_path, store_s=PATIENT_S) as parts:
        door, there, elsewhere, key = parts.door, parts.there.name, parts.elsewhere.name, parts.client.house.key
        command = (await door.client.legal(parts.elsewhere, 0))[0]
        wish = {"send": command, "table": elsewhere, "id": str(uuid.uuid4()), "token": parts.elsewhere.tokens[0]}
        async with door.line(key) as line, door.line(key) as beside:
            with parts.silent_node():
                waiting = await line.say(follow=there)
                for each in (line, beside):
                    assert "following" == (await each.ask(follow=elsewhere, after=0))["kind"]
                    await each.version(1, table=elsewhere)
                assert "accepted" == (await line.ask(**wish))["kind"]
                assert not [each for each in line.heard if each.get("re") == waiting]
            assert "following" == (await line.answer(waiting))["kind"]


async def test_a_follow_of_a_silent_nodes_table_hears_so_in_time(tmp_path: Path) -> None:
    """And can be had when the node wakes."""
    async with split(tmp_path, store_s=STORE_S) as parts, parts.door.line(parts.client.house.key) as line:
        with parts.silent_node():
            async with asyncio.timeout(TOLD_S):
                assert ("failed", "store_away") == said(await line.ask(follow=parts.there.name))
        await followed(line, parts.there.name)
