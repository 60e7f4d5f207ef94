"""Many at once: over several API processes each command happens once and everybody hears the same."""

from __future__ import annotations

import asyncio
import uuid

from tests.services.house import Client, House, client_of
from tests.until import PATIENCE_S


async def test_all_seats_bet_at_the_same_instant(client: Client) -> None:
    """Where all are asked at once nobody's answer makes another's stale."""
    table = await client.open(seats=5)
    version = (await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])).headers["etag"]
    first = [(await client.legal(table, seat))[0] for seat in range(5)]
    played = await asyncio.gather(
        *(client.play(table, seat, command, If_Match=version) for seat, command in enumerate(first))
    )

    assert [200] * 5 == [each.status_code for each in played]
    assert 5 == len({each.json()["first"] for each in played})


async def test_where_one_is_asked_one_click_counts(client: Client) -> None:
    """Of five clicks on the same question one is taken, the others are told that it is gone."""
    table = await client.open(seats=2)
    for seat in (0, 1):
        await client.play(table, seat, (await client.legal(table, seat))[0])
    view = (await client.ask("GET", f"/v1/tables/{table.name}/view", client.house.key)).json()
    (seat,) = [each["seat"] for each in view["asked"]]
    command = (await client.legal(table, seat))[0]
    clicks = [client.play(table, seat, command, If_Match=str(view["version"])) for _ in range(5)]
    answers = sorted(await asyncio.gather(*clicks), key=lambda each: each.status_code)
    accepted, late = answers[0].json(), [each.json() for each in answers[1:]]

    assert [200] + [409] * 4 == [each.status_code for each in answers]
    assert [("stale_version", {"version": accepted["last"]})] * 4 == [(each["code"], each["details"]) for each in late]


async def test_one_command_sent_a_hundred_times_over_two_processes(house: House) -> None:
    """One outcome, a hundred equal answers."""
    async with client_of(house) as one, client_of(house) as other:
        table = await one.open()
        command = (await one.legal(table, 0))[0]
        key = str(uuid.uuid4())
        before = house.streams()
        answers = await asyncio.gather(
            *((one, other)[number % 2].play(table, 0, command, Idempotency_Key=key) for number in range(100))
        )
        after = house.streams()
    truth = next(name for name in before if name.endswith(f":t:{table.name}".encode()))

    assert {200} == {each.status_code for each in answers}
    assert 1 == len({each.content for each in answers})
    assert before[truth] + 1 == after[truth]


async def test_a_table_opened_by_one_process_is_played_by_another(house: House) -> None:
    """No process keeps anything of its own."""
    async with client_of(house) as one, client_of(house) as other:
        table = await one.open()
        played = await other.play(table, 0, (await other.legal(table, 0))[0])
        seen = [
            await each.ask("GET", f"/v1/tables/{table.name}/view?at_least={played.json()['version']}", table.tokens[1])
            for each in (one, other)
        ]

    assert 200 == played.status_code
    assert seen[0].content == seen[1].content


async def test_three_hundred_wait_for_one_table(client: Client) -> None:
    """Waiting costs the store nothing, and all are woken."""
    table = await client.open()
    path = f"/v1/tables/{table.name}/view"
    version = (await client.ask("GET", path, table.tokens[0])).json()["version"]
    waiting = [
        asyncio.create_task(client.ask("GET", f"{path}?at_least={version + 1}", table.tokens[number % 2]))
        for number in range(300)
    ]
    await client.play(table, 1, (await client.legal(table, 1))[0])

    assert {200} == {each.status_code for each in await asyncio.gather(*waiting)}


async def test_a_store_that_was_killed_is_found_again(house: House) -> None:
    """After the server's death the same process answers again, by push as before."""
    async with client_of(house) as client:
        table = await client.open()
        command = (await client.legal(table, 0))[0]
        house.kill_store()
        key = str(uuid.uuid4())
        while (played := await client.play(table, 0, command, Idempotency_Key=key)).status_code != 200:
            assert 503 == played.status_code, played.text
            await asyncio.sleep(0.05)
        while not client.doors.wakes.listening:
            await asyncio.sleep(0.01)
        second = await client.play(table, 1, (await client.legal(table, 1))[0])

    assert 200 == second.status_code


async def test_a_listener_that_fails_listens_again(client: Client) -> None:
    """Whatever the fault was: a process that never listened again would answer late for ever."""
    wakes, failed, heard = client.doors.wakes, asyncio.Event(), asyncio.Event()

    def fail(_tables: object) -> None:
        wakes.tell_no_more(fail)
        wakes.tell(lambda _: heard.set())
        failed.set()
        raise ZeroDivisionError

    table = await client.open()
    wakes.tell(fail)
    await client.play(table, 0, (await client.legal(table, 0))[0])
    async with asyncio.timeout(PATIENCE_S):
        await failed.wait()
        await heard.wait()

    assert wakes.listening
