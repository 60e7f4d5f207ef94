"""What was typed in a wrong place may be a secret: it is never repeated, whatever the word."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from events.games import GAMES
from services.cli.__main__ import program

PASTED = "s3cr3t-of-somebody"
TREE: Any = typer.main.get_command(program())


def words_of(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401  a command of typer's
    """Give every word of the program with its command, the program itself among them."""
    yield words, command
    for name, each in getattr(command, "commands", {}).items():
        yield from words_of(each, (*words, name))


WORDS = dict(words_of(TREE))
ARGUMENTS = {
    words: [each for each in command.params if each.param_type_name == "argument"] for words, command in WORDS.items()
}
BOUNDED = [words for words, found in ARGUMENTS.items() if all(each.nargs == 1 for each in found)]


def refused(*typed: str) -> str:
    """Return what is said of a line that cannot be."""
    result = CliRunner().invoke(program(), list(typed), env={"COLUMNS": "200"})
    assert 2 == result.exit_code, result.output
    return result.output


@pytest.mark.parametrize("words", BOUNDED, ids=" ".join)
def test_what_stands_where_nothing_belongs_is_not_repeated(words: tuple[str, ...]) -> None:
    """Arguments too many, or a word that there is not; it is told behind which, or which words there are."""
    told = refused(*words, *("x" for _ in ARGUMENTS[words]), f"a {PASTED}", PASTED)

    assert PASTED not in told
    below = getattr(WORDS[words], "commands", None)
    many = f"Too much stands behind `{' '.join(words)}`; it is not repeated"
    assert (many if below is None else "There is no such word; there are: ") in told
    assert all(each in told for each in below or ())


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
@pytest.mark.parametrize("form", [f"--{PASTED}", f"--{PASTED}=1", f"--opt={PASTED}", f"-{PASTED[1:]}"])
def test_an_option_that_there_is_not_is_not_repeated(words: tuple[str, ...], form: str) -> None:
    """Neither its name nor what it was to be."""
    told = refused(*words, form)

    assert PASTED[1:] not in told
    assert "There is no such option." in told


def test_a_mistyped_option_is_led_to_the_right_one() -> None:
    """As before: those that there are can be told."""
    assert "(Possible options: --host, --port)" in refused("serve", "--prot", "1")


def test_what_is_wrong_where_something_belongs_is_told() -> None:
    """Which option or argument it is, and what fits there."""
    assert "--limit" in refused("tables", "--limit", "many")
    assert "'platform'" in refused("origins")


@pytest.mark.parametrize("word", ["worker", "project"])
def test_a_game_that_there_is_not_is_refused_before_the_store_hears_of_it(word: str) -> None:
    """Whoever mistypes it leaves no place for it in the store; it is told which there are."""
    told = refused(word, GAMES[0], "chess", "--url", "redis://127.0.0.1:1")

    assert f"there are the games {', '.join(GAMES)}" in told
    assert "chess" not in told


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("foo", "--option: say name=value"),
        ("foo=bar", "--option: there is no option 'foo': there are thin_treasury, tie_break"),
        ("thin_treasury=perhaps", "--option: Expected `bool`"),
    ],
)
def test_an_option_of_a_table_that_cannot_be_is_told(option: str, told: str) -> None:
    """Which there are, or how to say one."""
    assert told in refused("simulate", "nains", "--option", option)


def test_the_program_says_which_version_it_is() -> None:
    """As what is installed."""
    result = CliRunner().invoke(program(), ["--version"])

    assert (0, f"fidchell {version('fidchell')}\n") == (result.exit_code, result.output)
