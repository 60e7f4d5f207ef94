"""Keys that sign tokens take each other's place, and nobody who plays notices."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from events.codec import pack
from events.log.errors import StoreAwayError
from events.log.redis_cluster import open_store
from events.streams import SIGNING, SIGNING_KEYS
from services.api import credentials
from services.api.base64url import text_of
from services.api.problems import Problem
from services.api.settings import ApiSettings
from services.api.signing import SigningRecord, given, kept, name_of
from services.api.tokens import SeatClaim, read_token, signer_of, token_of
from services.cli.__main__ import program
from tests.services.house import Client, House, Table, client_of

NOW = int(time.time())
CLAIM = SeatClaim("nains-x", 0, "tests", "ann", NOW + 9_999)
OLD, NEW, NEWER = (bytes([number]) * 32 for number in (1, 2, 3))

Rotate = Callable[..., str]


@pytest.fixture(autouse=True)
def no_keys(house: House) -> None:
    """Let each test begin in a store in which nothing was signed yet."""
    with closing(open_store(house.url)) as store:
        store.command("DEL", SIGNING)
        store.command("DEL", SIGNING_KEYS)


@pytest.fixture
def rotate(house: House) -> Rotate:
    """Return the word that puts a new key in front."""

    def typed(*words: str) -> str:
        result = CliRunner().invoke(program(), ["rotate-signing-key", *words], env={"REDIS_URL": house.url})
        assert 0 == result.exit_code, result.output
        return result.output

    return typed


class Clock:
    """The clock by which processes of the doors believe what they read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        monkeypatch.setattr(credentials, "clock", lambda: self.now)

    def five_seconds_later(self) -> None:
        self.now += credentials.BELIEVED_S


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def nameless(claim: SeatClaim, secret: bytes) -> str:
    """Return a token as they all were before keys had names."""
    body = pack(claim)
    return f"fst_{text_of(body)}.{text_of(hmac.new(secret, b'seat token 1' + body, hashlib.sha256).digest())}"


async def code(client: Client, table: Table, token: str) -> str:
    """Return what comes of looking at a table with a token."""
    answer = await client.ask("GET", f"/v1/tables/{table.name}/view", token)
    return "good" if answer.status_code == 200 else str(answer.json()["code"])


async def new_token(client: Client, table: Table) -> str:
    made = await client.ask("POST", f"/v1/tables/{table.name}/seats/0/token", client.house.key)
    return str(made.json()["token"])


def test_a_token_names_the_key_that_signed_it() -> None:
    """And is good while that one is known, whichever signs now."""
    token = token_of(CLAIM, OLD)

    assert name_of(OLD) == signer_of(token)
    assert CLAIM == read_token(token, given([NEW, OLD]), now=NOW)
    with pytest.raises(Problem, match="wrong_token"):
        read_token(token, given([NEW]), now=NOW)


def test_a_token_that_names_no_key_is_of_the_first() -> None:
    """As all were that were made before; no other key proves one."""
    assert CLAIM == read_token(nameless(CLAIM, OLD), given([NEWER, NEW, OLD]), now=NOW)
    with pytest.raises(Problem, match="wrong_token"):
        read_token(nameless(CLAIM, NEW), given([NEWER, NEW, OLD]), now=NOW)


def test_the_name_of_the_key_is_proved_as_well() -> None:
    """Without it, or under another, a token is none."""
    head, _, proof = token_of(CLAIM, OLD).split(".")
    for other in (f"{head}.{proof}", f"{head}.{name_of(NEW)}.{proof}", f"{head}.{name_of(OLD).upper()}.{proof}"):
        with pytest.raises(Problem, match="wrong_token"):
            read_token(other, given([NEW, OLD]), now=NOW)


def test_keys_that_have_ended_prove_nothing() -> None:
    """The newest of those without an end signs; the first is the first until it ends."""
    records = [SigningRecord(OLD, 0, NOW + 5), SigningRecord(NEW, NOW - 9, NOW + 9), SigningRecord(NEWER, NOW - 1)]
    by_name = {name_of(each.secret): each for each in records}
    before, after = kept(by_name, now=NOW), kept(by_name, now=NOW + 5)

    assert before is not None
    assert after is not None
    assert (NEWER, OLD, {NEWER, NEW, OLD}) == (before.newest, before.first, set(before.by_name.values()))
    assert (NEWER, None, {NEWER, NEW}) == (after.newest, after.first, set(after.by_name.values()))
    assert kept({}, now=NOW) is None


async def test_a_new_key_signs_within_seconds_and_the_old_one_proves(
    house: House, rotate: Rotate, clock: Clock
) -> None:
    """In every process that runs, and what one of them knows a little earlier is proved by all at once."""
    async with client_of(house) as first, client_of(house) as second:
        table = await first.open()
        await code(second, table, table.tokens[0])
        said = rotate()
        async with client_of(house) as third:
            early = await new_token(third, table)
            at_once = await code(first, table, early)
        clock.five_seconds_later()
        late = await new_token(second, table)
        codes = [await code(each, table, token) for each in (first, second) for token in (*table.tokens, early, late)]

    assert "good" == at_once
    assert signer_of(table.tokens[0]) != signer_of(early) == signer_of(late)
    assert str(signer_of(late)) in said
    assert ["good"] * 8 == codes


async def test_tokens_without_a_name_hold_on_after_a_new_key(house: House, rotate: Rotate) -> None:
    """Those that were given out by an earlier program."""
    async with client_of(house) as client:
        table = await client.open()
        with closing(open_store(house.url)) as store:
            secret = store.command("GET", SIGNING)
        token = nameless(SeatClaim(table.name, 0, "tests", "p0", NOW + 9_999), secret)
        before = await code(client, table, token)
        rotate()
        async with client_of(house) as other:
            after = await code(other, table, token)

    assert ["good", "good"] == [before, after]


async def test_pages_of_the_lobby_go_on_after_a_new_key(house: House, rotate: Rotate, clock: Clock) -> None:
    """What was sealed with the key before can be read."""
    async with client_of(house) as client:
        for _ in range(2):
            await client.open()
        page = (await client.ask("GET", "/v1/tables?limit=1")).json()
        rotate()
        clock.five_seconds_later()
        behind = await client.ask("GET", f"/v1/tables?limit=1&cursor={page['next']}")

    assert 200 == behind.status_code
    assert page["tables"] != behind.json()["tables"]


async def test_a_key_that_is_known_to_others_is_ended_at_once(house: House, rotate: Rotate, clock: Clock) -> None:
    """Whatever it signed is no token any more, within seconds; nor is what keys before it signed."""
    async with client_of(house) as client:
        table = await client.open()
        rotate()
        clock.five_seconds_later()
        middle = await new_token(client, table)
        rotate("--days", "0")
        clock.five_seconds_later()
        codes = [await code(client, table, token) for token in (table.tokens[0], middle)]
        new = await code(client, table, await new_token(client, table))

    assert ["wrong_token"] * 2 == codes
    assert "good" == new


async def test_what_has_ended_is_thrown_away_and_never_comes_back(house: House, rotate: Rotate) -> None:
    """The next new key does so; no process makes a first key again."""
    async with client_of(house) as client:
        await client.open()
    rotate("--days", "0")
    rotate()
    with closing(open_store(house.url)) as store:
        first, others = store.command("GET", SIGNING), store.command("HGETALL", SIGNING_KEYS)
    async with client_of(house) as client:
        table = await client.open()
        known = await code(client, table, table.tokens[0])
    with closing(open_store(house.url)) as store:
        again = store.command("GET", SIGNING)

    assert first is None
    assert again is None
    assert 2 == len(others)
    assert "good" == known


async def test_what_was_known_holds_while_the_store_cannot_tell(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again later, and whoever has a token notices nothing."""
    async with client_of(house) as client:
        table = await client.open()

        async def away(_: bytes) -> None:
            raise StoreAwayError("away")

        monkeypatch.setattr(client.doors.store, "signing_keys", away)
        clock.five_seconds_later()
        with capture_logs() as logged:
            codes = [await code(client, table, token) for token in table.tokens]

    assert ["good"] * 2 == codes
    assert ["StoreAwayError"] == [each["reason"] for each in logged if each["event"] == "signing_keys_were_not_read"]


async def test_keys_of_the_operators_own_overlap(house: House) -> None:
    """Of several that are set the first signs, the others prove; the last is that of tokens without a name."""
    old, new = OLD.hex(), NEW.hex()
    async with client_of(house, signing_key=old) as before, client_of(house, signing_key=f"{new},{old}") as after:
        table = await before.open()
        token = await new_token(after, table)
        earlier = nameless(SeatClaim(table.name, 0, "tests", "p0", NOW + 9_999), OLD)
        codes = [await code(after, table, each) for each in (table.tokens[0], earlier, token)]
        unknown = await code(before, table, token)

    assert ["good"] * 3 == codes
    assert name_of(NEW) == signer_of(token)
    assert "wrong_token" == unknown
    assert [NEW, OLD] == [*ApiSettings.model_validate({"signing_key": f"{new},{old}"}).signing]


def test_a_key_that_was_written_over_is_not_replaced(house: House) -> None:
    """It is said which to restore, and nothing is changed."""
    with closing(open_store(house.url)) as store:
        store.command("HSET", SIGNING_KEYS, "x", b"none")
        before = store.command("HGETALL", SIGNING_KEYS)
        try:
            result = CliRunner().invoke(program(), ["rotate-signing-key"], env={"REDIS_URL": house.url})
            after = store.command("HGETALL", SIGNING_KEYS)
        finally:
            store.command("HDEL", SIGNING_KEYS, "x")

    assert (1, before) == (result.exit_code, after)
    assert SIGNING_KEYS in result.output
