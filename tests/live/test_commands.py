"""Commands over a socket are answered as over HTTP, and happen once however often they are sent."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from tests.live.door import Door, Json, a_door
from tests.live.test_following import is_whole
from tests.services.house import House


def named() -> str:
    return str(uuid.uuid4())


async def test_a_command_is_answered_and_its_steps_follow(door: Door) -> None:
    """Accepted with the versions it made; the others hear of it, too."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as ann, door.line(table.tokens[1]) as bo:
        for line in (ann, bo):
            await line.ask(follow=table.name)
        view = (await ann.kind("view"))["view"]
        answer = await ann.ask(
            send=view["legal"][0], table=table.name, id=(key := named()), expected_version=view["version"]
        )
        for seat, line in enumerate((ann, bo)):
            await line.told(table.name, seat, answer["last"])

            assert is_whole(line.chapters(table.name, seat), after=view["version"], last=answer["last"])

        assert ("accepted", key, table.name) == (answer["kind"], answer["id"], answer["table"])
        assert view["version"] + 1 == answer["first"] <= answer["last"]


async def test_the_same_id_happens_once_and_is_told_the_same(door: Door) -> None:
    """On one socket, on another, and over HTTP; with another command the id is used up."""
    table = await door.client.open()
    command, other, *_ = await door.client.legal(table, 0)
    key = named()
    async with door.line(table.tokens[0]) as line:
        first = await line.ask(send=command, table=table.name, id=key)
        again = await line.ask(send=command, table=table.name, id=key)
        reused = await line.ask(send=other, table=table.name, id=key)
    async with door.line(table.tokens[0]) as line:
        later = await line.ask(send=command, table=table.name, id=key)
    over_http = (await door.client.play(table, 0, command, Idempotency_Key=key)).json()

    assert {("accepted", first["first"], first["last"])} == {
        (each["kind"], each["first"], each["last"]) for each in (first, again, later)
    }
    assert (first["first"], first["last"]) == (over_http["first"], over_http["last"])
    assert ("refused", "command_id_reused") == (reused["kind"], reused["code"])


REFUSED: list[tuple[Json, str, str | None]] = [
    ({"send": {"kind": "dance", "seat": 0}}, "malformed", "$.send.kind"),
    ({"send": {"kind": "concede"}}, "malformed", "$.send"),
    ({"send": {"kind": "concede", "seat": "0"}}, "malformed", "$.send.seat"),
    ({"send": {"kind": "concede", "seat": 1}}, "not_your_seat", "$.send.seat"),
    ({"send": {"kind": "start_table"}}, "not_allowed", "$.send.kind"),
    ({"send": {"kind": "concede", "seat": 0}, "table": "nains-unknown"}, "not_your_seat", "$.table"),
    ({"send": {"kind": "concede", "seat": 0}, "table": "chess-unknown"}, "unknown_table", "$.table"),
    ({"send": {"kind": "concede", "seat": 0}, "table": "x" * 65}, "unknown_table", "$.table"),
    ({"send": {"kind": "concede", "seat": 0}, "token": "fst_no.no"}, "wrong_token", "$.token"),
    ({"send": {"kind": "concede", "seat": 0, "text": "x" * 65_536}}, "too_large", "$.send"),
]


@pytest.mark.parametrize(("message", "code", "path"), REFUSED)
async def test_a_command_that_cannot_be_is_refused_with_code_and_path(
    door: Door, message: Json, code: str, path: str | None
) -> None:
    """As over HTTP; the path leads into the message."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        answer = await line.ask(**{"table": table.name, "id": named(), **message})

        assert ("refused", code, path) == (answer["kind"], answer["code"], answer.get("path"))


async def test_what_is_no_uuid_is_told_as_over_http(door: Door) -> None:
    """In a path, in a header and in a message, it has one reason."""
    table = await door.client.open()
    path = f"/v1/tables/{table.name}/commands"
    command: Json = {"kind": "concede", "seat": 0}
    over_http = [
        await door.client.ask("GET", f"{path}/no", table.tokens[0]),
        await door.client.play(table, 0, command, Idempotency_Key="no"),
    ]
    async with door.line(table.tokens[0]) as line:
        told = await line.ask(send=command, table=table.name, id="no")

    assert "$.id" == told["path"]
    assert {"invalid_value"} == {each["details"]["reason"] for each in (told, *(each.json() for each in over_http))}


async def test_rules_refuse_as_over_http(door: Door) -> None:
    """The same code and the same details."""
    table = await door.client.open()
    command, other = (await door.client.legal(table, 0))[0], (await door.client.legal(table, 1))[0]
    await door.client.play(table, 0, command)
    over_http = (await door.client.play(table, 0, command)).json()
    stale = (await door.client.play(table, 1, other, If_Match='"1"')).json()
    async with door.line(table.tokens[0]) as line:
        refused = await line.ask(send=command, table=table.name, id=named())
    async with door.line(table.tokens[1]) as line:
        late = await line.ask(send=other, table=table.name, id=named(), expected_version=1)

    assert ("already_bet", {}) == (over_http["code"], over_http["details"]) == (refused["code"], refused["details"])
    assert ("stale_version", stale["details"]) == (late["code"], late["details"])


async def test_an_arbiter_plays_no_seat(door: Door) -> None:
    """They see every seat and send for none, as over HTTP."""
    table = await door.client.open()
    command = (await door.client.legal(table, 0))[0]
    async with door.line(door.client.house.arbiter) as line:
        answer = await line.ask(send=command, table=table.name, id=str(uuid.uuid4()))

        assert ("refused", "not_allowed", {"role": "seat"}) == (answer["kind"], answer["code"], answer["details"])


async def test_a_platform_plays_no_seat(door: Door) -> None:
    """Its key opens tables, and follows them; who plays is a seat."""
    table = await door.client.open()
    async with door.line(door.client.house.key) as line:
        answer = await line.ask(send={"kind": "concede", "seat": 0}, table=table.name, id=named())

        assert ("refused", "not_allowed", {"role": "seat"}) == (answer["kind"], answer["code"], answer["details"])


async def test_a_command_goes_in_the_name_of_the_follow_of_its_seat(door: Door) -> None:
    """One socket for several seats, each with its own token."""
    tables = [await door.client.open() for _ in range(2)]
    async with door.line(tables[0].tokens[0]) as line:
        for table in tables:
            for token in table.tokens:
                assert "following" == (await line.ask(follow=table.name, token=token, views=False))["kind"]
        for table in tables:
            for seat in (0, 1):
                command = (await door.client.legal(table, seat))[0]

                assert "accepted" == (await line.ask(send=command, table=table.name, id=named()))["kind"]


async def test_bots_play_their_seats(door: Door) -> None:
    """And no others."""
    table = await door.client.open(bots=1)
    async with door.line(door.client.house.bots) as line:
        await line.ask(follow=table.name, seat=1)
        view = (await line.kind("view"))["view"]
        played = await line.ask(send=view["legal"][0], table=table.name, id=named())
        other = await line.ask(send={"kind": "concede", "seat": 0}, table=table.name, id=named())

        assert "accepted" == played["kind"]
        assert ("refused", "not_your_seat") == (other["kind"], other["code"])


async def test_no_answer_in_time_is_pending_and_comes_when_it_is_asked_again(house: House) -> None:
    """While the rules rest, commands wait; sent again with the same id nothing happens twice."""
    async with a_door(house, answer_s=0.05) as door:
        table = await door.client.open()
        command = (await door.client.legal(table, 0))[0]
        message: dict[str, Any] = {"send": command, "table": table.name, "id": named()}
        async with door.line(table.tokens[0]) as line:
            followed = await line.ask(follow=table.name)
            with house.rules_at_rest():
                assert "pending" == (await line.ask_once(**message))["kind"]
            answer = await line.ask(**message)
            await line.told(table.name, 0, answer["last"])

            assert "accepted" == answer["kind"]
            assert is_whole(line.chapters(table.name, 0), after=followed["after"], last=answer["last"])


async def test_more_commands_than_may_be_on_their_way_wait(house: House) -> None:
    """A burst is answered whole, one way or the other."""
    async with a_door(house, live={"commands_at_once": 2}) as door:
        table = await door.client.open()
        command = (await door.client.legal(table, 0))[0]
        async with door.line(table.tokens[0]) as line:
            messages = [{"send": command, "table": table.name, "id": named()} for _ in range(40)]
            for number in [await line.say(**each) for each in messages]:
                await line.answer(number)
            kinds = [(await line.ask(**each))["kind"] for each in messages]

            assert 1 == kinds.count("accepted")
            assert 39 == kinds.count("refused")


async def test_what_is_no_json_is_told_with_its_place(door: Door) -> None:
    """As strict as over HTTP; the socket goes on."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        for text, reason, path in (
            ("{", "not_json", "$"),
            ("[]", "wrong_type", "$"),
            ("{}", "unknown_kind", "$"),
            ('{"ping": 1, "ping": 2}', "duplicate_key", "$.ping"),
            ('{"ping": NaN}', "not_a_number", "$.ping"),
            ('{"ping": 1, "pong": 2}', "unknown_field", "$"),
            ('{"ping": "1"}', "wrong_type", "$.ping"),
            ('{"ping": -1}', "out_of_range", "$.ping"),
            (json.dumps({"follow": table.name, "from": -1}), "out_of_range", "$.from"),
            ('{"ping": "\\ud800"}', "not_utf8", "$.ping"),
            (
                json.dumps({"send": {"kind": "concede", "seat": 0}, "table": table.name, "id": "1"}),
                "invalid_value",
                "$.id",
            ),
        ):
            answer = await line.answer(await line.say_text(text))

            assert ("failed", "malformed") == (answer["kind"], answer["code"]), (text, answer)
            assert (reason, path) == (answer["details"]["reason"], answer["path"]), (text, answer)


async def test_a_member_name_is_not_repeated(door: Door) -> None:
    """Whoever pastes a key where a name should be does not hear it again."""
    table = await door.client.open()
    key = door.client.house.key
    async with door.line(table.tokens[0]) as line:
        for text in (
            '{"ping": 1, "%s": 2}',
            '{"ping": 1, "%s": 1, "%s": 2}',
            '{"ping": 1, "%s": NaN}',
            '{"ping": 1, "%s": "\\ud800"}',
            '{"follow": "nains-a1", "%s": {"%s": 1}}',
            '{"send": {"kind": "concede", "%s": 1}, "table": "TABLE", "id": "ID"}',
            '{"send": {"kind": "concede", "seat": 0, "%s": 1}, "table": "TABLE", "id": "ID"}',
            '{"send": {"kind": "%s"}, "table": "TABLE", "id": "ID"}',
            '{"send": {"kind": "open_table", "seats": 2, "options": {"%s": []}}, "table": "TABLE", "id": "ID"}',
            '{"send": {"kind": "concede", "seat": 0}, "table": "%s", "id": "ID"}',
            '{"follow": "%s"}',
            '{"unfollow": "%s"}',
        ):
            said = text.replace("%s", key).replace("TABLE", table.name).replace("ID", named())
            answer = await line.answer(await line.say_text(said))

            assert answer["code"] in {"malformed", "unknown_table", "not_following"}, (text, answer)
            assert key not in json.dumps(answer), text


async def test_a_leave_that_is_sent_again_is_answered_again(door: Door) -> None:
    """Its sender may not have heard that they left, and sits there no more."""
    table = await door.client.open(start=False)
    wish = {"send": {"kind": "leave_seat", "seat": 0}, "table": table.name, "id": named()}
    async with door.line(table.tokens[0]) as line:
        first = await line.ask(**wish)
    async with door.line(table.tokens[0]) as line:
        again = await line.ask(**wish)
        other = await line.ask(**{**wish, "id": named()})

    assert ("accepted", first["last"]) == (again["kind"], again["last"])
    assert ("refused", "not_your_seat") == (other["kind"], other["code"])
