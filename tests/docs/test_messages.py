"""The pages of messages name every command and event of every game, as they are today."""

from __future__ import annotations

import re

import pytest

from events.games import GAMES, commands_module, events_module
from events.messages import members
from services.reference import FOLDER, pages

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_written_anew_when_messages_change(name: str) -> None:
    """`make fix` writes it."""
    assert PAGES[name] == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_message_has_its_section(game: str) -> None:
    """With what it says and of what type each member is."""
    page = PAGES[f"{game}-messages.md"]
    kinds = [
        str(each.__struct_config__.tag)
        for each in (*members(commands_module(game).COMMANDS), *members(events_module(game).EVENTS))
    ]

    assert [] == [kind for kind in kinds if f"### `{kind}`\n" not in page]
    assert "| `seat` | whole number |" in page


@pytest.mark.parametrize("game", GAMES)
def test_whoever_sends_a_command_reads_what_fits_each_member(game: str) -> None:
    """How many, counted from what, and where a view lists them; the seat is the sender's own."""
    commands = PAGES[f"{game}-messages.md"].partition("\n## Events\n")[0]

    assert [] == re.findall(r"^\| `(?!seat`)\w+` \|.*\|  \|$", commands, re.MULTILINE)
