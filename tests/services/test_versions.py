"""What is live is asked for beside what is read of it."""

from __future__ import annotations

import redis

from services.api.line import Command, Line
from services.api.versions import LiveVersions, Read
from tests.servers import Server

LIVE = "versions:live"


def read(projection: str) -> Read:
    """Return how the live version of a projection says its name."""
    return Read(LIVE, projection, lambda live: ("HGET", f"versions:{live}", "name"))


async def test_what_is_live_of_a_partition_is_asked_for_once(valkey: Server) -> None:
    """However much is read of however many projections; and what is live no longer is read again."""
    line = Line(valkey.url, within_s=5)
    asked: list[list[Command]] = []

    async def ask(commands: list[Command]) -> list[object]:
        asked.append(commands)
        return await line.ask(commands)

    versions = LiveVersions(ask)  # type: ignore[arg-type]
    with redis.Redis.from_url(valkey.url) as store:
        names = {name: name.encode() for name in ("views@1", "views@2", "story@1")}
        for name in names:
            store.hset(f"versions:{name}", "name", name)
        try:
            before = await versions.read_all([read("views"), read("story"), read("views")])
            store.hset(LIVE, "views", 2)
            after = await versions.read_all([read("views"), read("story"), read("views")])
            store.hset(LIVE, "story", "?")
            damaged = await versions.read_all([read("story"), read("views")])
        finally:
            store.delete(LIVE, *(f"versions:{name}" for name in names))
            await line.close()

    assert [b"views@1", b"story@1", b"views@1"] == before
    assert [b"views@2", b"story@1", b"views@2"] == after
    assert isinstance(damaged[0], Exception)
    assert b"views@2" == damaged[1]
    assert [1, 1, 1, 1] == [sum(LIVE in each for each in commands) for commands in asked]
