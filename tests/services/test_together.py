"""Commands that are sent together are answered each on its own."""

from __future__ import annotations

import asyncio

import pytest
import redis.asyncio as redis
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import RedisError

from services.api.together import Together
from tests.servers import Server


async def test_each_hears_its_own_answer(valkey: Server) -> None:
    """Answers come in their order, and one that fails disturbs no other."""
    async with redis.Redis.from_url(valkey.url) as client:
        together = Together(lambda: client, within_s=5)
        wishes = [("INCR", "counted"), ("HGET", "counted", "field"), ("INCR", "counted"), ("NO_SUCH_COMMAND",)]
        first, wrong, second, unknown = await asyncio.gather(
            *(together(*each) for each in wishes), return_exceptions=True
        )
        await together.idle.wait()
        await client.delete("counted")

    assert (1, 2) == (first, second)
    assert isinstance(wrong, RedisError)
    assert isinstance(unknown, RedisError)


async def test_more_than_fit_into_one_round_trip_go_in_several(valkey: Server) -> None:
    """Nobody is left waiting."""
    async with redis.Redis.from_url(valkey.url) as client:
        together = Together(lambda: client, within_s=5)
        echoed = await asyncio.gather(*(together("ECHO", number) for number in range(1_000)))

    assert [str(number).encode() for number in range(1_000)] == echoed


async def test_a_store_that_is_away_is_told_to_all(tmp_path: object) -> None:
    """And the next ones try again."""
    async with redis.Redis.from_url(f"unix://{tmp_path}/nobody.sock") as client:
        together = Together(lambda: client, within_s=5)
        for _ in range(2):
            answers = await asyncio.gather(*(together("PING") for _ in range(3)), return_exceptions=True)

            assert all(isinstance(each, BrokenError) for each in answers), answers
        with pytest.raises(BrokenError):
            await together("PING")
