"""What comes from elsewhere reaches the terminal as text."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from services.cli import reading
from services.cli.plain import LONGEST, cell, cleaned, moment, moment_of
from services.client import Chapter


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("inis-a1: 5 (x)", "inis-a1: 5 (x)"),
        ("순무 é 🂡", "순무 é 🂡"),
        ("[red]a[/]", "[red]a[/]"),
        ("a\x1b[2J\x07\x7f\x9b1m\n", r"a\u001b[2J\u0007\u007f\u009b1m\n"),
        ("\u202eab\u2028\ud800", r"\u202eab\u2028\ud800"),
        ("\U000e0041", r"\udb40\udc41"),
    ],
)
def test_controls_stand_escaped(text: str, shown: str) -> None:
    """Letters of all people stay what they are."""
    assert shown == cleaned(text)


def test_cells_are_short_and_plain() -> None:
    """One long name leaves the rest of a table to be read."""
    assert "[b]:smile:" == cell("[b]:smile:").plain
    assert "x" * (LONGEST - 3) + "..." == cell("x" * 60_000).plain


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("1700000000000-0", "2023-11-14 22:13:20"),
        ("9000000000000000-0", "9000000000000000"),
        ("18446744073709551615-1", "18446744073709551615"),
        ("nonsense", "-"),
        ("²-0", "-"),
    ],
)
def test_times_beyond_the_calendar_are_numbers(entry: str, shown: str) -> None:
    """A stream takes any."""
    assert shown == moment_of(entry)
    assert "-9000000000000000000" == moment(-9_000_000_000_000_000_000, zone=None)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Return what is printed on a terminal with colours."""
    out = io.StringIO()
    console = Console(file=out, markup=False, highlight=False, emoji=False, soft_wrap=True, force_terminal=True)
    monkeypatch.setattr(reading, "console", console)
    return out


def test_a_story_is_told_as_text(printed: io.StringIO) -> None:
    """Whatever time and words its steps bear."""
    steps = [{"kind": "said", "seat": 0, "words": "[/red] \x1b[2J :smile:"}]
    reading._tell(Chapter(at=9_000_000_000_000_000, first=1, last=1, seat=0, steps=steps))  # noqa: SLF001

    assert r"[/red] \u001b[2J :smile:" in printed.getvalue()
    assert printed.getvalue().startswith("9000000000000000 ")
    assert "\x1b" not in printed.getvalue()


def test_json_stays_json(printed: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is escaped in it is read back as it was."""
    document = {"name": "\x1b[2J\x9b순무\U000e0041", "list": [1, None, True]}
    reading._print_json(document)  # noqa: SLF001
    assert "\x1b[2J" not in printed.getvalue()
    assert "\x9b" not in printed.getvalue()
    printed.truncate(printed.seek(0))
    monkeypatch.setattr(reading, "console", Console(file=printed, markup=False, soft_wrap=True))
    reading._print_json(document)  # noqa: SLF001

    assert document == json.loads(printed.getvalue())
    assert "순무" in printed.getvalue()
