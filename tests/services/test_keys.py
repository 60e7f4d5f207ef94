"""Keys from the terminal: made, listed, replaced, ended; and the pages of a platform."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from services.api import credentials
from services.cli.__main__ import program
from services.cli.local import keep_keys
from services.embedded.folder import DataFolder
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
        ("new-key", "x", "--label", "y" * 61),
        ("origins", "x", "https://a.example/path"),
        ("origins", "x", "*"),
    ],
)
def test_what_cannot_be_is_refused(word: Word, words: tuple[str, ...]) -> None:
    """Before anything is written."""
    word(*words, code=2)


def test_an_unknown_key_is_named(word: Word) -> None:
    """Nothing is replaced or ended by mistake."""
    assert "no key nobody" in word("revoke-key", "nobody", code=1)
    assert "no key nobody" in word("rotate-key", "nobody", code=1)


def test_origins_are_set_shown_and_taken_away(word: Word) -> None:
    """The list that is typed replaces the one before."""
    word("origins", "paged", "https://a.example", "http://localhost:5173")
    two = word("origins", "paged")
    none = word("origins", "paged", "--none")

    assert ["https://a.example", "http://localhost:5173"] == two.splitlines()
    assert "No page" in none


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
