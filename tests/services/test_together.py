"""Commands that are sent together are answered each on its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import RedisError

from services.api.line import Command, Line
from services.api.together import Together
from tests.servers import Server


@asynccontextmanager
async def a_line(url: str) -> AsyncIterator[Line]:
    """Give a line to a server."""
    line = Line(url, within_s=5)
    yield line
    await line.close()


async def test_each_hears_its_own_answer(valkey: Server) -> None:
    """Answers come in their order, and one that fails disturbs no other."""
    async with a_line(valkey.url) as line:
        together = Together(line.ask, within_s=5)
        wishes = [("INCR", "counted"), ("HGET", "counted", "field"), ("INCR", "counted"), ("NO_SUCH_COMMAND",)]
        first, wrong, second, unknown = await asyncio.gather(
            *(together(*each) for each in wishes), return_exceptions=True
        )
        await line.ask([("DEL", "counted")])

    assert (1, 2) == (first, second)
    assert isinstance(wrong, RedisError)
    assert isinstance(unknown, RedisError)


async def test_more_than_fit_into_one_round_trip_go_in_several(valkey: Server) -> None:
    """Nobody is left waiting."""
    async with a_line(valkey.url) as line:
        together = Together(line.ask, within_s=5)
        echoed = await asyncio.gather(*(together("ECHO", number) for number in range(1_000)))

    assert [str(number).encode() for number in range(1_000)] == echoed


async def test_a_store_that_is_away_is_told_to_all(tmp_path: object) -> None:
    """And the next ones try again."""
    async with a_line(f"unix://{tmp_path}/nobody.sock") as line:
        together = Together(line.ask, within_s=5)
        for _ in range(2):
            answers = await asyncio.gather(*(together("PING") for _ in range(3)), return_exceptions=True)

            assert all(isinstance(each, BrokenError) for each in answers), answers
        with pytest.raises(BrokenError):
            await together("PING")


async def test_nobody_waits_longer_than_they_may_and_what_they_asked_is_not_sent_then() -> None:
    """Whoever comes while others wait for an answer has the same time as they; who has gone is not asked for."""
    sent: list[Sequence[Command]] = []
    answered = asyncio.Event()

    async def ask(commands: Sequence[Command]) -> list[str]:
        sent.append(commands)
        await answered.wait()
        return ["answer"] * len(commands)

    together = Together(ask, within_s=1.0)
    first = asyncio.create_task(together("first"))
    while not sent:
        await asyncio.sleep(0)
    answers = await asyncio.gather(first, together("second"), return_exceptions=True)
    answered.set()
    third = await together("third")

    assert [TimeoutError, TimeoutError] == [type(each) for each in answers]
    assert "answer" == third
    assert [[("first",)], [("third",)]] == sent
