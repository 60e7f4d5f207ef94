"""One command id through many doors while its worker is killed: one effect, equal answers; another body is refused."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from events.codec import command_from_json, raw, to_json
from events.commit import read_entry
from events.streams import partition_of
from tests.chaos.asking import Http
from tests.chaos.load import REUSED, Doors
from tests.chaos.service import Service, a_service

SENT = 100


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Return a service with four API processes."""
    with a_service(tmp_path, apis=4, projections=1) as service:
        yield service


@asynccontextmanager
async def doors_of(service: Service) -> AsyncIterator[Doors]:
    """Give a client of all doors."""
    http = Http()
    yield Doors(service.ports, http, Random(5))
    http.close()


async def running_table(doors: Doors, service: Service) -> str:
    """Open a table of two seats and start it."""
    opening = {"game": "nains", "seats": 2, "bots": [{"seat": seat, "bot": "random"} for seat in range(2)]}
    opened = await doors.send("", "/v1/tables", service.platform, uuid.uuid4(), opening)
    table = str(opened["table"])
    await doors.send(table, f"/v1/tables/{table}/start", service.platform, uuid.uuid4(), None)
    return table


async def legal(doors: Doors, service: Service, table: str, seat: int) -> list[dict[str, Any]]:
    """Return what a seat may wish for."""
    return list((await doors.ask("GET", f"/v1/tables/{table}/view?seat={seat}&at_least=3", service.bots))["legal"])


def bodies(service: Service, table: str, command_id: uuid.UUID) -> list[bytes]:
    """Return the commands of an id that the table's history holds."""
    place = partition_of(table, len(service.partitions))
    entries = [read_entry(body) for body in service.log.history(place, table)]
    return [bytes(each.command.body) for each in entries if each.command.command_id == command_id.bytes]


async def test_one_command_a_hundred_times_across_a_takeover(service: Service) -> None:
    """One effect and a hundred equal answers, whoever was asked and whoever decided."""
    async with doors_of(service) as doors:
        table = await running_table(doors, service)
        command, *others = await legal(doors, service, table, 0)
        key, path = uuid.uuid4(), f"/v1/tables/{table}/commands"
        sending = [asyncio.create_task(doors.send(table, path, service.bots, key, command)) for _ in range(SENT // 2)]
        await asyncio.wait(sending, return_when=asyncio.FIRST_COMPLETED)
        for each in service.workers:
            each.kill()
        sending += [asyncio.create_task(doors.send(table, path, service.bots, key, command)) for _ in range(SENT // 2)]
        service.mend()
        answers = await asyncio.gather(*sending)
        reused = [await doors.send(table, path, service.bots, key, others[0]) for _ in range(4)]

    assert SENT == len(answers)
    assert 1 == len({to_json(each) for each in answers})
    assert answers[0].get("code") is None
    assert [bytes(raw(command_from_json("nains", to_json(command))))] == bodies(service, table, key)
    assert [REUSED] * 4 == [each["code"] for each in reused]


async def test_two_commands_of_one_id_at_once_are_not_told_each_other_s_answer(service: Service) -> None:
    """One of them happens, and all who sent the other hear that the id was used."""
    async with doors_of(service) as doors:
        for _ in range(10):
            table = await running_table(doors, service)
            two = (await legal(doors, service, table, 0))[:2]
            key, path = uuid.uuid4(), f"/v1/tables/{table}/commands"
            answers = await asyncio.gather(
                *(doors.send(table, path, service.bots, key, two[number % 2]) for number in range(16))
            )
            (done,) = bodies(service, table, key)
            won = [bytes(raw(command_from_json("nains", to_json(each)))) for each in two].index(done)

            assert {None} == {each.get("code") for each in answers[won::2]}
            assert {REUSED} == {each.get("code") for each in answers[1 - won :: 2]}
