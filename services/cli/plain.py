"""Shows what comes from elsewhere, such as a stream, as nothing but text: no markup, no control of the terminal."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime, tzinfo
from typing import Final

from rich.text import Text

LONGEST: Final = 80
"""Characters of a cell of a table, or of a name in a sentence."""

_CONTROLS: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode's kinds of characters that move the cursor, turn the line around, or cannot be seen or written."""


def cleaned(text: str) -> str:
    r"""Return a line in which characters that would control the terminal stand as JSON escapes them: ``\u001b``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(json.dumps(each)[1:-1] if unicodedata.category(each) in _CONTROLS else each for each in text)


def shortened(text: str) -> str:
    """Return a cleaned line that is not longer than a cell should be."""
    return cleaned(text if len(text) <= LONGEST else text[: LONGEST - 3] + "...")


def plain(text: str, *, style: str = "") -> Text:
    """Return a line to print as it is."""
    return Text(cleaned(text), style=style)


def cell(text: str) -> Text:
    """Return a line for a cell of a table."""
    return Text(shortened(text))


def lines(text: str) -> Text:
    """Return lines to print as they are."""
    return Text("\n".join(cleaned(line) for line in text.split("\n")))


def moment(milliseconds: int, form: str = "%Y-%m-%d %H:%M:%S", *, zone: tzinfo | None = UTC) -> str:
    """Return a time since 1970; the number where no calendar reaches, as anybody may write any into a stream."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone(zone).strftime(form)
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


def moment_of(entry: str) -> str:
    """Return when an entry of a stream was written, by its id."""
    milliseconds = entry.partition("-")[0]
    return moment(int(milliseconds)) if milliseconds.isascii() and milliseconds.isdecimal() else "-"
