"""Who speaks is asked at the beginning and again and again; what no longer holds ends what it was good for."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from types import SimpleNamespace

import pytest
import redis

from events.streams import PLATFORM_KEYS
from services.api import credentials
from services.api.credentials import Caller
from services.api.doorkeeper import Look
from services.api.keys import name_of
from services.api.problems import Problem
from services.live.access import BELIEVED_S, FRESH_S, Access
from services.live.closing import Closing
from services.live.live import LOOK_S
from services.live.settings import LiveSettings
from tests.live.door import Door, a_door
from tests.services.house import House, client_of

FIRST = [
    ('{"token": "fst_bm8.bm8"}', Closing.BAD_TOKEN, "wrong_token", "$.token"),
    ('{"token": "fck_no_no"}', Closing.BAD_TOKEN, "wrong_token", "$.token"),
    ('{"token": "\\u00e9"}', Closing.BAD_TOKEN, "wrong_token", "$.token"),
    ('{"token": " "}', Closing.BAD_TOKEN, "wrong_token", "$.token"),
    ('{"token": ""}', Closing.BAD_FIRST_MESSAGE, "malformed", "$.token"),
    ('{"token": 1}', Closing.BAD_FIRST_MESSAGE, "malformed", "$.token"),
    ('{"ping": 1}', Closing.BAD_FIRST_MESSAGE, "no_token", "$.token"),
    ("{", Closing.BAD_FIRST_MESSAGE, "malformed", "$"),
    ("", Closing.BAD_FIRST_MESSAGE, "malformed", "$"),
]


@pytest.mark.parametrize(("text", "closing", "code", "path"), FIRST)
async def test_a_bad_first_message_is_told_and_ends_it(
    door: Door, text: str, closing: Closing, code: str, path: str
) -> None:
    """With the code, the place of the fault, and a close code that stays."""
    async with door.socket() as line:
        answer = await line.answer(await line.say_text(text))

        assert ("failed", code, path) == (answer["kind"], answer["code"], answer["path"])
        assert (closing.value, closing.reason) == await line.closed()


async def test_who_says_nothing_is_not_waited_for(house: House) -> None:
    """A socket without a token costs something, so it does not stay."""
    async with a_door(house, live={"first_s": 0.2}) as door, door.socket() as line:
        assert (Closing.NO_FIRST_MESSAGE.value, "no_first_message") == await line.closed()


async def test_a_binary_message_ends_it(door: Door) -> None:
    """Messages are text."""
    async with door.line(door.client.house.key) as line:
        await line.say_text(b"{}")

        assert (Closing.UNSUPPORTED.value, "unsupported") == await line.closed()


async def test_a_message_beyond_the_size_ends_it(door: Door) -> None:
    """Before it is read whole."""
    async with door.line(door.client.house.key) as line:
        await line.say_text("x" * 100_000)

        assert 1009 == (await line.closed())[0]


async def test_more_sockets_than_may_be_are_turned_away(house: House) -> None:
    """And there is room again as soon as one has gone."""
    async with a_door(house, live={"sockets": 2}) as door:
        async with door.line(house.key), door.line(house.key), door.socket() as third:
            assert (Closing.TOO_MANY_SOCKETS.value, "too_many_sockets") == await third.closed()
        async with door.socket() as line:
            assert "welcome" == (await line.ask(token=house.key))["kind"]


async def test_nobody_takes_all_sockets(house: House) -> None:
    """One address, and one token, has so many and no more; the bots have as many as they like."""
    async with a_door(house, live={"sockets_of_token": 1, "sockets_of_address": 3}) as door:
        async with door.line(house.key) as one, door.socket() as other:
            beyond = await other.ask(token=house.key)
            closed = await other.closed()
            again = await one.ask(token=house.key)

            assert ("failed", "too_many_sockets", "$.token") == (beyond["kind"], beyond["code"], beyond["path"])
            assert (Closing.TOO_MANY_SOCKETS.value, "too_many_sockets") == closed
            assert "welcome" == again["kind"]
        async with door.line(house.key), door.line(house.bots), door.line(house.bots), door.socket() as fourth:
            assert (Closing.TOO_MANY_SOCKETS.value, "too_many_sockets") == await fourth.closed()
        async with door.line(house.key):
            assert 1 == len(door.live.sockets)


async def test_nobody_takes_all_follows(house: House) -> None:
    """What an address follows counts over all its sockets and tokens, and is given back."""
    async with a_door(house, live={"follows_of_sender": 2}) as door:
        tables = [(await door.client.open()).name for _ in range(3)]
        async with door.line(house.key) as one, door.line(house.arbiter) as other:
            kinds = [
                (await line.ask(follow=table))["kind"] for line, table in zip((one, other, one), tables, strict=True)
            ]
            await other.ask(unfollow=tables[1])
            after = await one.ask(follow=tables[2])

            assert ["following", "following", "failed"] == kinds
            assert "following" == after["kind"]


async def test_tokens_are_not_tried_out_over_a_socket(house: House) -> None:
    """
    A few wrong ones end it, and its address has to wait as over HTTP; a good one on another socket goes on.

    As many tries as the reserve holds, here the five of one socket, and not one more.
    """
    wrong = {"token": "fst_bm8.bm8"}
    async with a_door(house, rate_address=0.01, rate_burst_s=500) as door, door.line(house.key) as good:
        table = await door.client.open()
        async with door.line(house.key) as line:
            for message in (wrong, {"follow": table.name, **wrong}, wrong, wrong):
                assert "wrong_token" == (await line.ask(**message))["code"]
            await line.say(send={"kind": "concede", "seat": 0}, table=table.name, id=str(uuid.uuid4()), **wrong)

            assert (Closing.BAD_TOKEN.value, "bad_token") == await line.closed()
        async with door.socket() as line:
            answer = await line.ask(**wrong)

            assert ("failed", "rate_limited") == (answer["kind"], answer["code"])
            assert (Closing.RATE_LIMITED.value, "rate_limited") == await line.closed()
        assert "following" == (await good.ask(follow=table.name))["kind"]


async def test_more_follows_than_may_be_are_refused(house: House) -> None:
    """Of a socket, and of all together; one that takes another's place needs no room."""
    async with a_door(house, live={"follows_of_socket": 2, "follows": 3}) as door:
        tables = [(await door.client.open()).name for _ in range(3)]
        async with door.line(house.key) as one, door.line(house.key) as other:
            for table in tables[:2]:
                await one.ask(follow=table)
            beyond = await one.ask(follow=tables[2])
            again = await one.ask(follow=tables[0])
            kinds = [(await other.ask(follow=table))["kind"] for table in tables[:2]]

            assert ("failed", "too_many_follows", {"limit": 2}) == (beyond["kind"], beyond["code"], beyond["details"])
            assert "following" == again["kind"]
            assert ["following", "failed"] == kinds


async def test_what_cannot_be_followed_is_told_with_its_place(door: Door, house: House) -> None:
    """And the socket goes on."""
    table = await door.client.open()
    hidden = await door.client.open(private=True)
    async with door.line(house.key) as line:
        for message, code, path in (
            ({"follow": "chess-unknown"}, "unknown_table", "$.follow"),
            ({"follow": "nains-" + "a" * 60}, "unknown_table", "$.follow"),
            ({"unfollow": "nains-" + "a" * 60}, "not_following", "$.unfollow"),
            ({"follow": "nains-unknown"}, "unknown_table", "$.follow"),
            ({"follow": table.name, "seat": 0}, "not_your_seat", "$.seat"),
            ({"follow": table.name, "seat": 9}, "unknown_seat", "$.seat"),
            ({"follow": table.name, "token": "fst_bm8.bm8"}, "wrong_token", "$.token"),
            ({"follow": hidden.name, "token": house.other}, "unknown_table", "$.follow"),
            ({"token": "fst_bm8.bm8"}, "wrong_token", "$.token"),
        ):
            answer = await line.ask(**message)

            assert ("failed", code, path) == (answer["kind"], answer["code"], answer["path"]), message
        assert "following" == (await line.ask(follow=table.name))["kind"]


async def test_a_place_that_is_told_is_one_that_the_message_has(door: Door) -> None:
    """A token that is not for the table, or no longer for its seat, whether the message or the socket showed it."""
    table, other = await door.client.open(start=False), await door.client.open(start=False)
    gone, stays = table.tokens
    await door.client.ask("DELETE", f"/v1/tables/{table.name}/seats/0", gone)
    command = {"kind": "set_ready", "seat": 1}
    async with door.line(gone) as line, door.line(stays) as second:
        for asker, message, path in (
            (second, {"follow": other.name}, "$.follow"),
            (second, {"follow": other.name, "seat": 0}, "$.follow"),
            (second, {"follow": table.name, "token": other.tokens[0]}, "$.follow"),
            (second, {"follow": table.name, "token": gone}, "$.token"),
            (second, {"follow": table.name, "seat": 0}, "$.seat"),
            (line, {"follow": table.name}, None),
            (line, {"follow": table.name, "seat": 0}, "$.seat"),
            (line, {"send": command, "table": table.name, "id": str(uuid.uuid4())}, None),
            (second, {"send": command, "table": other.name, "id": str(uuid.uuid4())}, "$.table"),
            (second, {"send": command, "table": table.name, "id": str(uuid.uuid4()), "token": gone}, "$.token"),
        ):
            answer = await asker.ask(**message)

            assert ("not_your_seat", path) == (answer["code"], answer.get("path")), message


async def test_a_pace_that_is_too_fast_names_the_token_and_nothing_of_the_command(house: House) -> None:
    """What a command holds is named behind ``$.send``; the token stands beside it."""
    wrong = {"token": "fst_bm8.bm8"}
    async with a_door(house, rate_address=0.01, rate_burst_s=300) as door, door.line(house.key) as line:
        for _ in range(3):
            assert "wrong_token" == (await line.ask(**wrong))["code"]
        answer = await line.ask(
            send={"kind": "concede", "seat": 0}, table="nains-unknown", id=str(uuid.uuid4()), **wrong
        )

        assert ("refused", "rate_limited", "$.token") == (answer["kind"], answer["code"], answer.get("path"))


async def test_a_client_that_has_seen_what_the_store_lost_is_told(door: Door) -> None:
    """It cannot go on from a version that is no longer there."""
    table = await door.client.open()
    async with door.line(table.tokens[0]) as line:
        version = (await line.ask(follow=table.name))["version"]
        answer = await line.ask(follow=table.name, after=99)

        assert ("failed", "version_ahead", "$.from") == (answer["kind"], answer["code"], answer["path"])
        assert {"version": version} == answer["details"]


async def test_a_token_that_expires_ends_its_follow(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other follows of the socket go on."""
    later_s = 0
    monkeypatch.setattr(credentials, "time", SimpleNamespace(**{**vars(time), "time": lambda: time.time() + later_s}))
    async with a_door(house, live={"check_s": 0.2}, seat_token_s=600) as door:
        table = await door.client.open()
        async with door.line(house.key) as line:
            await line.ask(follow=table.name, token=table.tokens[0])
            await line.ask(follow=table.name)
            later_s = 600
            ended = await line.kind("unfollowed")
            refused = await line.ask(follow=table.name, token=table.tokens[0])

            assert (0, "token_expired") == (ended["seat"], ended["code"])
            assert "token_expired" == refused["code"]
            assert "unfollowed" == (await line.ask(unfollow=table.name))["kind"]


async def test_a_follow_without_a_token_goes_by_the_sockets_newest(house: House) -> None:
    """It goes on where that sees the same, and ends where it looks from elsewhere or may not know of the table."""
    async with a_door(house, live={"check_s": 0.2}) as door:
        table = await door.client.open(private=True)
        again = await door.client.settled(f"/v1/tables/{table.name}/seats/0/token", {"scope": "watch"})
        async with door.line(table.tokens[0]) as line:
            await line.ask(follow=table.name)
            await line.ask(token=again["token"])
            (follow,) = (each for socket in door.live.sockets for each in socket.follows.values())
            checked = follow.checked
            while follow.checked == checked:
                await asyncio.sleep(0.005)
            await line.version(await door.play(table, 0))
            await line.ask(token=table.tokens[1])
            from_elsewhere = await line.kind("unfollowed")
            await line.ask(follow=table.name)
            await line.ask(token=house.other)
            unknown = await line.kind("unfollowed")

        assert (0, "not_your_seat") == (from_elsewhere["seat"], from_elsewhere["code"])
        assert (1, "unknown_table") == (unknown["seat"], unknown["code"])


async def test_a_key_that_is_taken_back_ends_its_follows(house: House) -> None:
    """Within seconds, though the socket stays."""
    async with a_door(house, live={"check_s": 0.2}) as door:
        table = await door.client.open()
        with house.a_key() as key:
            line_of_key = door.line(key)
            line = await line_of_key.__aenter__()
            await line.ask(follow=table.name)
        ended = await line.kind("unfollowed")
        await line_of_key.__aexit__(None, None, None)

        assert (None, "wrong_token") == (ended["seat"], ended["code"])


async def test_a_key_whose_record_cannot_be_read_ends_its_follows_alone(house: House) -> None:
    """The tokens of all others are looked at again as before."""
    async with a_door(house, live={"check_s": 0.2}) as door:
        table = await door.client.open()
        with house.a_key() as broken, house.a_key() as ended:
            async with door.line(broken) as line, door.line(ended) as other:
                await line.ask(follow=table.name)
                await other.ask(follow=table.name)
                with redis.Redis.from_url(house.url) as client:
                    client.hset(PLATFORM_KEYS, name_of(broken), b"\xc1")

                assert "wrong_token" == (await line.kind("unfollowed"))["code"]
                with redis.Redis.from_url(house.url) as client:
                    client.hdel(PLATFORM_KEYS, name_of(ended))

                assert "wrong_token" == (await other.kind("unfollowed"))["code"]


async def test_a_token_that_cannot_be_looked_at_ends_its_follow_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault nobody thought of does not end the looking."""
    async with a_door(house, live={"check_s": 0.2}) as door:
        table = await door.client.open()
        look = door.app.state.doors.keeper.look

        async def fails(caller: Caller, name: str, seat: int | None) -> Look:
            if caller.claim is not None:
                raise ZeroDivisionError
            looks: Look = await look(caller, name, seat)
            return looks

        with house.a_key() as key:
            async with door.line(table.tokens[0]) as line, door.line(key) as other:
                await line.ask(follow=table.name)
                await other.ask(follow=table.name)
                monkeypatch.setattr(door.app.state.doors.keeper, "look", fails)

                assert "internal_error" == (await line.kind("unfollowed"))["code"]
                with redis.Redis.from_url(house.url) as client:
                    client.hdel(PLATFORM_KEYS, name_of(key))

                assert "wrong_token" == (await other.kind("unfollowed"))["code"]


async def test_a_revoked_token_is_told_as_any_bad_one(door: Door) -> None:
    """As a first message it ends the socket with the code that means: come back with a new token."""
    table = await door.client.open()
    await door.client.ask("DELETE", f"/v1/tables/{table.name}/seats/0/token", door.client.house.key)
    async with door.socket() as line:
        answer = await line.ask(token=table.tokens[0])

        assert ("failed", "token_revoked", "$.token") == (answer["kind"], answer["code"], answer["path"])
        assert (Closing.BAD_TOKEN.value, "bad_token") == await line.closed()
    async with door.line(door.client.house.key) as line:
        answer = await line.ask(follow=table.name, token=table.tokens[0])

        assert ("failed", "token_revoked", "$.token") == (answer["kind"], answer["code"], answer["path"])


async def test_who_left_a_seat_no_longer_sees_it(door: Door) -> None:
    """At once, before anything of its next player is told; that player follows it from then on."""
    table = await door.client.open(start=False)
    path = f"/v1/tables/{table.name}"
    async with door.line(table.tokens[0]) as line:
        await line.ask(follow=table.name)
        await line.kind("view")
        await door.client.play(table, 0, {"kind": "leave_seat", "seat": 0})
        ended = await line.kind("unfollowed")
        taken = await door.client.ask("POST", f"{path}/seats/0", door.client.house.key, body={"player": "other"})
        started = await door.client.ask(
            "POST", f"{path}/start", door.client.house.key, headers={"Idempotency-Key": str(uuid.uuid4())}
        )
        refused = await line.ask(follow=table.name)
        async with door.line(taken.json()["token"]) as new:
            await new.ask(follow=table.name)

            assert 0 == (await new.kind("view"))["view"]["viewpoint"]

        assert started.status_code == 200, started.text
        assert (0, "not_your_seat") == (ended["seat"], ended["code"])
        assert "not_your_seat" == refused["code"]
        assert "legal" not in json.dumps([each for each in line.heard if each["kind"] == "steps"])
        assert all(each["version"] <= 3 for each in line.heard if each["kind"] == "view")


async def test_a_revoked_token_is_believed_five_seconds_at_most(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """However what each layer remembers adds up."""
    now = 1_000.0
    monkeypatch.setattr(credentials, "clock", lambda: now)
    async with client_of(house) as revoking, client_of(house) as other:
        table = await revoking.open()
        found = Access(other.doors.keeper, fresh_s=FRESH_S, clock=lambda: now)
        await found.look(table.tokens[0], table.name, None)
        now += BELIEVED_S * 0.9
        later = Access(other.doors.keeper, fresh_s=FRESH_S, clock=lambda: now)
        await revoking.ask("DELETE", f"/v1/tables/{table.name}/seats/0/token", revoking.house.key)
        await later.look(table.tokens[0], table.name, None)
        now += FRESH_S
        with pytest.raises(Problem, match="token_revoked"):
            await later.look(table.tokens[0], table.name, None)

    assert 5 >= LiveSettings().check_s + LOOK_S + FRESH_S + BELIEVED_S


async def test_what_a_token_proved_is_forgotten_when_it_is_no_longer_believed(house: House) -> None:
    """Of thousands who were there once nothing stays, whether others come or not."""
    now = 1_000.0
    async with client_of(house) as client:
        table = await client.open()
        access = Access(client.doors.keeper, fresh_s=FRESH_S, clock=lambda: now)
        await access.caller(table.tokens[0])
        now += FRESH_S / 2
        await access.caller(table.tokens[1])
        access.let_go()
        fresh = len(access)
        now += FRESH_S / 2
        access.let_go()
        later = len(access)
        now += FRESH_S / 2
        access.let_go()

    assert [2, 1, 0] == [fresh, later, len(access)]
