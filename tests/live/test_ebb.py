"""Memory goes back when a crowd has gone, and nobody waits for that on the way."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest

from services.api.wire import BoundedProtocol
from services.cli.serve import _children
from services.embedded.folder import DataFolder
from services.live import live
from services.live.ebb import CROWD, PLAIN, Ebb, settle
from services.live.follow import Follow
from services.live.socket import Socket
from services.live.wire import LiveProtocol
from tests.live.door import Door, a_door
from tests.live.test_connections import GET, raw
from tests.packaging.test_compose import SERVICES
from tests.services.house import House
from tests.until import PATIENCE_S


def given_back(*counts: int) -> list[int]:
    """Return at which looks memory was given back."""
    looks: list[int] = []
    found: list[int] = []
    ebb = Ebb(lambda: found.append(len(looks)))
    for count in counts:
        ebb.rose(count)
        ebb.look(count)
        looks.append(count)
    return found


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ((0, 1_000, 1_000, 300, 300), [4]),
        ((1_000, 600, 400, 200, 10, 10, 10), [5]),
        ((1_000, 0, 0, 1_000, 0, 0), [2, 5]),
        ((CROWD - 1, 0, 0), []),
        ((1_000, 600, 600, 600), []),
    ],
    ids=["once", "not before the last have gone", "for each crowd", "not for a few", "not while many stay"],
)
def test_memory_goes_back(counts: tuple[int, ...], found: list[int]) -> None:
    """When at least half of a crowd is gone, and no more of it go."""
    assert found == given_back(*counts)


def test_a_crowd_that_nobody_saw_is_noticed() -> None:
    """It came and went between two looks."""
    given: list[str] = []
    ebb = Ebb(lambda: given.append("back"))
    ebb.look(0)
    ebb.rose(1_000)
    ebb.look(0)
    ebb.look(0)

    assert ["back"] == given


def those_of(*kinds: type) -> list[object]:
    """Return all objects of some kinds that there are in the process."""
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def counted(door: Door, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many sockets each look finds from now on."""
    looks: list[int] = []
    look = door.live._ebb.look  # noqa: SLF001  what looks at all of them

    def looking(sockets: int) -> None:
        looks.append(sockets)
        look(sockets)

    monkeypatch.setattr(door.live._ebb, "look", looking)  # noqa: SLF001
    return looks


async def test_what_has_ended_is_gone_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nobody has to look for circles of objects that hold each other, which holds up all others.

    Nor does what looks at all of them now and again keep hold of the last that it saw.
    """
    monkeypatch.setattr(live, "LOOK_S", 0.02)
    gc.collect()
    gc.disable()
    try:
        async with a_door(house) as door:
            table = await door.client.open()
            looks = counted(door, monkeypatch)
            async with door.line(house.key) as line, raw(door, GET + b"\r\n") as connection:
                await line.ask(follow=table.name)
                await connection.answer()
                async with asyncio.timeout(PATIENCE_S):
                    while not any(looks) or len(those_of(BoundedProtocol)) > 1:  # that of the handshake is the other
                        await asyncio.sleep(0.005)
                del line, connection
            while left := those_of(Socket, Follow, LiveProtocol, BoundedProtocol):
                del left
                await asyncio.sleep(0.005)
    finally:
        gc.enable()


def test_what_comes_and_goes_makes_no_search_for_garbage() -> None:
    """Some thousands of objects may be there for a moment, as with many messages under way."""
    before = gc.get_threshold()
    try:
        settle()
        searches = gc.get_stats()[0]["collections"]
        under_way = [[number] for number in range(5_000)]
        made = gc.get_stats()[0]["collections"] - searches
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()

    assert 5_000 == len(under_way)
    assert not made


def test_who_starts_the_api_lets_it_give_memory_back(tmp_path: Path) -> None:
    """In containers and on one machine alike."""
    (tmp_path / "logs").mkdir()
    children = _children(DataFolder(tmp_path), {}, host="127.0.0.1", port=8000, workers=1)
    environments = {each.name: each._environment for each in children}  # noqa: SLF001  what it is started with

    assert PLAIN.items() <= SERVICES["api"]["environment"].items()
    assert PLAIN.items() <= environments["api"].items()
