"""Keys from the terminal: made, listed, replaced, ended; and the pages of a platform."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from events.codec import pack
from events.log.redis_cluster import open_store
from events.streams import PLATFORM_KEYS, PLATFORMS, SIGNING_KEYS
from services.api import credentials
from services.api.keys import KeyRecord, kept, name_of, new_key, read_record
from services.api.platforms import MOST_ORIGINS
from services.cli import keys
from services.cli.__main__ import program
from services.cli.local import keep_keys, read_key
from services.embedded.folder import DataFolder, EmbeddedError
from tests.services.house import Client, House, client_of


class Word(Protocol):
    """Types a word of the command line, and returns what it prints."""

    def __call__(self, *words: str, code: int = 0) -> str: ...


@pytest.fixture
def word(house: House) -> Word:
    """Return what types a word and gives back what it prints."""

    def typed(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(program(), list(words), env={"REDIS_URL": house.url, "COLUMNS": "200"})
        assert code == result.exit_code, result.output
        return result.output.strip()

    return typed


def records(house: House) -> dict[str, KeyRecord]:
    """Return what the store keeps of all keys."""
    with closing(open_store(house.url)) as store:
        return {name.decode(): read_record(body) for name, body in store.command("HGETALL", PLATFORM_KEYS).items()}


def keep(house: House, key: str, *, until: int) -> None:
    """Let the store know a key of the platform of the tests."""
    name, record = kept(key, role="platform", platform="tests", until=until)
    with closing(open_store(house.url)) as store:
        store.command("HSET", PLATFORM_KEYS, name, pack(record))


async def status(client: Client, key: str) -> int:
    return (await client.ask("GET", "/v1/keys", key)).status_code


async def test_keys_are_made_listed_replaced_and_ended(client: Client, word: Word) -> None:
    """A platform has several; each ends by itself."""
    first = word("new-key", "many_keys", "--label", "builds")
    arbiter = word("new-key", "many_keys", "--role", "arbiter", "--days", "7")
    name = first.split("_")[1]
    second = word("rotate-key", name)
    in_grace = await status(client, first)
    listed = word("keys", "many_keys")
    third = word("rotate-key", second.split("_")[1], "--grace", "0")
    ended = word("revoke-key", third.split("_")[1])

    assert [200, 200] == [in_grace, await status(client, first)]
    assert [401, 401] == [await status(client, second), await status(client, third)]
    assert 3 == listed.count("many_keys")
    assert 2 == listed.count("builds")
    assert "arbiter" in listed
    assert not any(key.split("_", 2)[2] in listed for key in (first, second, arbiter))
    assert "5 seconds" in ended


async def test_a_key_that_takes_anothers_place_ends_when_that_was_to_end(house: House, word: Word) -> None:
    """Unless it is said when; the old one never ends later for it."""
    first = word("new-key", "ending", "--days", "1", "--label", "first")
    second = word("rotate-key", name_of(first))
    third = word("rotate-key", name_of(second), "--days", "9")
    fourth = word("rotate-key", name_of(third), "--days", "0", "--grace", "999")
    made = [records(house)[name_of(each)] for each in (first, second, third, fourth)]
    days = [each.until and round((each.until - made[0].made) / 86_400) for each in made]

    assert [1, 1, 9, 0] == days, "and the third goes on beside the fourth for as long as it was to"
    assert {"first"} == {each.label for each in made}


async def test_what_has_ended_is_not_revived(client: Client, house: House, word: Word) -> None:
    """No key takes the place of one that was ended, is over, or has been replaced; it is said why."""
    revoked, replaced = word("new-key", "ended"), word("new-key", "ended")
    expired = new_key()
    keep(house, expired, until=int(time.time()) - 9)
    word("revoke-key", name_of(revoked))
    newer = word("rotate-key", name_of(replaced))
    count = len(records(house))
    told = [word("rotate-key", name_of(each), code=1) for each in (revoked, expired, replaced)]

    why = "is revoked", "is expired", f"was replaced already, by {name_of(newer)}"

    assert all(part in text for part, text in zip(why, told, strict=True)), told
    assert count == len(records(house))


async def test_keys_are_told_apart_by_how_they_ended(client: Client, house: House, word: Word) -> None:
    """In the terminal and at the door: good, over, or ended by hand, also when that came after."""
    live, revoked, expired = word("new-key", "tests"), word("new-key", "tests"), new_key()
    keep(house, expired, until=int(time.time()) - 9)
    for each in (revoked, expired):
        word("revoke-key", name_of(each))
    wanted = {name_of(live): "live", name_of(revoked): "revoked", name_of(expired): "expired"}
    lines = word("keys", "tests").splitlines()
    answer = (await client.ask("GET", "/v1/keys", live)).json()["keys"]
    codes = [(await client.ask("GET", "/v1/keys", each)).json()["code"] for each in (revoked, expired)]

    assert all(any(name in line and state in line for line in lines) for name, state in wanted.items()), lines
    assert wanted == {each["name"]: each["state"] for each in answer if each["name"] in wanted}
    assert ["token_revoked", "token_expired"] == codes


def test_keys_of_the_bots_are_listed_by_the_word_that_makes_them(house: House, word: Word) -> None:
    """Theirs alone."""
    key = word("new-key", "bots")
    listed = word("keys", "bots")

    assert name_of(key) in listed
    assert name_of(house.key) not in listed


async def test_a_revoked_key_is_believed_a_few_seconds_at_most(
    client: Client, word: Word, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that read it a moment ago reads it again then."""
    now = 1_000.0
    monkeypatch.setattr(credentials, "clock", lambda: now)
    key = word("new-key", "revoked_soon")
    before = await status(client, key)
    word("revoke-key", key.split("_")[1])
    now += credentials.BELIEVED_S

    assert [200, 401] == [before, await status(client, key)]


def test_a_local_key_that_was_ended_is_not_revived(house: House, word: Word, tmp_path: Path) -> None:
    """The next start makes another in its place."""
    folder = DataFolder(tmp_path)
    keep_keys(folder, house.url)
    first = folder.platform_key.read_text().strip()
    keep_keys(folder, house.url)
    same = folder.platform_key.read_text().strip()
    word("revoke-key", first.split("_")[1])
    keep_keys(folder, house.url)

    assert first == same
    assert first != folder.platform_key.read_text().strip()


@pytest.mark.parametrize(
    "words",
    [
        ("new-key", "no spaces"),
        ("new-key", "x", "--role", "bots"),
        ("new-key", "bots", "--role", "arbiter"),
        ("new-key", "bots", "--role", "platform"),
        ("origins", "bots"),
        ("revoke-guests", "bots"),
        ("new-key", "x", "--label", "y" * 61),
        ("origins", "x", "https://a.example/path"),
        ("origins", "x", "*"),
    ],
)
def test_what_cannot_be_is_refused(word: Word, words: tuple[str, ...]) -> None:
    """Before anything is written."""
    word(*words, code=2)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new-key", "x", "--role", "king"), "the role is platform or arbiter"),
        (("new-key", "x", "--label", "y" * 61), "the label is at most 60 characters"),
        (("origins", "x", "--none", "https://ex.org"), "either origins or --none"),
        (
            ("origins", "x", *(f"https://{number}.ex.org" for number in range(MOST_ORIGINS + 1))),
            f"at most {MOST_ORIGINS} origins",
        ),
    ],
)
def test_only_what_is_wrong_is_told(word: Word, words: tuple[str, ...], told: str) -> None:
    """In so many words."""
    said = re.sub(r"[\s│]+", " ", word(*words, code=2))

    assert f"Invalid value: {told} " in said


def test_a_name_that_is_listed_can_be_copied(word: Word, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in one line, also that of the key that took another's place, in a terminal of the usual width."""
    monkeypatch.setattr(keys.console, "width", 80)
    old = word("new-key", "copied_by_somebody", "--label", "what is told of it at length")
    new = word("rotate-key", name_of(old))
    lines = word("keys", "copied_by_somebody").splitlines()

    assert [2, 1] == [sum(name_of(key) in line for line in lines) for key in (new, old)], lines
    assert 80 >= max(map(len, lines))


def test_an_unknown_key_is_not_repeated(word: Word) -> None:
    """Nothing is replaced or ended by mistake; and it may be a secret that was typed."""
    for typed in ("nobody", "fck_nobody", "fck_nobody_nothing", "nobody_nothing", "nothing-of-ours"):
        told = [word(verb, typed, code=1) for verb in ("revoke-key", "rotate-key")]

        assert all("no key of that name" in each for each in told)
        assert not any(part in each for each in told for part in ("nobody", "nothing"))


async def test_a_key_that_is_typed_is_known_by_its_name_and_never_printed(client: Client, word: Word) -> None:
    """Whoever pastes the whole of it is understood, and its secret stays out of the terminal's history."""
    first = word("new-key", "pasted")
    second = word("rotate-key", first, "--grace", "0")
    again = word("rotate-key", first, code=1)
    ended = word("revoke-key", second)
    never = [word(*words, code=2) for words in (("new-key", first), ("origins", first), ("revoke-guests", first))]

    assert [401, 401] == [await status(client, first), await status(client, second)]
    assert f"The key {name_of(second)} is no longer good" in ended
    assert not any(key.split("_", 2)[2] in told for key in (first, second) for told in (again, ended, *never))


def test_origins_are_set_shown_and_taken_away(word: Word) -> None:
    """The list that is typed replaces the one before."""
    word("new-key", "paged")
    word("origins", "paged", "https://a.example", "http://localhost:5173")
    two = word("origins", "paged")
    none = word("origins", "paged", "--none")

    assert ["https://a.example", "http://localhost:5173"] == two.splitlines()
    assert "No page" in none


def test_an_origin_that_never_matches_is_refused_with_the_one_that_is_meant(word: Word) -> None:
    """Browsers leave out the usual port, so nobody would find out why pages may not ask."""
    word("new-key", "meant")
    assert "browsers send https://ex.org" in word("origins", "meant", "https://ex.org:443", code=2)
    assert "No page" in word("origins", "meant")


def test_a_platform_without_keys_is_wondered_at(word: Word) -> None:
    """Its name may be mistyped; but guests may be let in there, or its key made later, so it is set."""
    wondered = [word("origins", "mistyped", "https://ex.org"), word("origins", "mistyped")]
    guests = word("revoke-guests", "mistyped")
    word("new-key", "mistyped")
    silent = word("origins", "mistyped"), word("revoke-guests", "mistyped")
    word("origins", "mistyped", "--none")

    assert all("There is no key of mistyped" in each for each in (*wondered, guests)), (wondered, guests)
    assert all(each.endswith("https://ex.org") for each in wondered)
    assert "https://ex.org" == silent[0]
    assert "There is no key" not in silent[1]


async def test_guests_are_sent_out(client: Client, house: House, word: Word, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a platform's, within seconds; who comes in again is let in, and its pages may ask as before."""
    now = 1_000.0
    monkeypatch.setattr(credentials, "clock", lambda: now)
    async with client_of(house, guests="tests") as door:
        word("origins", "tests", "https://play.example.org")
        old = (await door.ask("POST", "/v1/guests")).json()["token"]
        before = await door.ask("GET", "/v1/tables", old)
        said = word("revoke-guests", "tests")
        now += credentials.BELIEVED_S
        after = await door.ask("GET", "/v1/tables", old)
        new = (await door.ask("POST", "/v1/guests")).json()["token"]
        again = await door.ask("GET", "/v1/tables", new)

    assert [200, 401, 200] == [each.status_code for each in (before, after, again)]
    assert "token_revoked" == after.json()["code"]
    assert "5 seconds" in said
    assert "https://play.example.org" == word("origins", "tests")
    word("origins", "tests", "--none")


@contextmanager
def damaged(house: House, key: str, name: str) -> Iterator[None]:
    """Let a record of a hash be one that nobody wrote, and be gone after the block."""
    with closing(open_store(house.url)) as store:
        store.command("HSET", key, name, b"\xc1 nobody wrote this")
        try:
            yield
        finally:
            store.command("HDEL", key, name)


def test_a_key_whose_record_cannot_be_read_is_named_and_hides_no_other(house: House, word: Word) -> None:
    """It ends the word with a sentence in every list of keys: whose it is nobody knows."""
    good = name_of(word("new-key", "beside_damage"))
    with damaged(house, PLATFORM_KEYS, "bad\x1bname"):
        listed = [word("keys", code=1), word("keys", "beside_damage", code=1), word("keys", "nobody_at_all", code=1)]
        refused = [word(verb, "bad\x1bname", code=1) for verb in ("rotate-key", "revoke-key")]
        made = word("new-key", "beside_damage")

    assert all(r"of bad\u001bname cannot be read" in each for each in (*listed, *refused)), (listed, refused)
    assert [True, True, False] == [good in each for each in listed]
    assert "There is no key" not in listed[2]
    assert name_of(made) in word("keys", "beside_damage")


def test_origins_go_on_beside_a_key_that_cannot_be_read(house: House, word: Word) -> None:
    """Only a platform of which no other key is there may be that of the damaged one: then it is named."""
    word("new-key", "beside_origins")
    with damaged(house, PLATFORM_KEYS, "badname"):
        known = word("origins", "beside_origins", "https://ex.org")
        unknown = word("origins", "perhaps_damaged", "https://ex.org", code=1)
        guests = word("revoke-guests", "perhaps_damaged", code=1)
    with damaged(house, PLATFORMS, "beside_origins"):
        refused = [
            word(*words, code=1)
            for words in (
                ("origins", "beside_origins"),
                ("origins", "beside_origins", "--none"),
                ("revoke-guests", "beside_origins"),
            )
        ]
    word("origins", "perhaps_damaged", "--none", code=0)

    assert "https://ex.org" == known
    assert unknown.startswith("https://ex.org")
    assert all("badname cannot be read" in each for each in (unknown, guests))
    assert all("of beside_origins cannot be read" in each for each in refused), refused


@pytest.mark.parametrize(
    "words",
    [
        ("keys",),
        ("origins", "tests"),
        ("new-key", "tests"),
        ("revoke-key", "any"),
        ("rotate-key", "any"),
        ("revoke-guests", "tests"),
        ("rotate-signing-key",),
    ],
    ids=" ".join,
)
def test_words_about_keys_end_with_a_sentence_where_a_whole_key_is_damaged(
    house: House, word: Word, words: tuple[str, ...]
) -> None:
    """It names what is to be restored; nothing else is done."""
    keys = [PLATFORM_KEYS, PLATFORMS, SIGNING_KEYS]
    with closing(open_store(house.url)) as store:
        kept = {key: store.command("DUMP", key) for key in keys}
        try:
            for key in keys:
                store.command("SET", key, "nobody wrote this")
            told = word(*words, code=1)
        finally:
            for key, body in kept.items():
                store.command("DEL", key)
                if body is not None:
                    store.command("RESTORE", key, 0, body)

    assert any(key in told for key in keys), told
    assert "restore it" in told


def test_a_local_key_that_is_damaged_in_the_store_is_made_anew(house: House, tmp_path: Path) -> None:
    """So that the service of the folder starts."""
    folder = DataFolder(tmp_path)
    keep_keys(folder, house.url)
    first = folder.platform_key.read_text().strip()
    with damaged(house, PLATFORM_KEYS, name_of(first)):
        keep_keys(folder, house.url)

    assert first != folder.platform_key.read_text().strip()


def test_a_file_that_holds_no_key_is_told(tmp_path: Path) -> None:
    """With what to do, as where there is none."""
    (tmp_path / "key").write_bytes(b"\xff\xfe")
    with pytest.raises(EmbeddedError, match=r"it is no text.*fidchell serve"):
        read_key(tmp_path / "key")


def test_a_key_in_place_of_a_platform_is_not_repeated(word: Word) -> None:
    """Whoever lists keys may paste one."""
    key = word("new-key", "pasted_again")

    assert key.split("_", 2)[2] not in word("keys", key, code=2)
