"""Texts of a sender's own that others see, such as a player's id: what they show is all that they hold."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of Unicode that show nothing, turn the text around them about, or mean something else to everybody."""

BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing all the same: fillers, joiners, the empty Braille pattern."""

REASON: Final = "not_plain_text"
HINT: Final = "a text with characters that show nothing, or white space at an end, or not in Unicode's form NFC"


def is_plain(text: str) -> bool:
    """Whether a text shows all that it holds: nothing unseen in it, no white space at its ends, in the form NFC."""
    return (
        text == text.strip()
        and unicodedata.is_normalized("NFC", text)
        and not any(each in BLANK or unicodedata.category(each) in UNSEEN for each in text)
    )


def _plain(text: str) -> str:
    if not is_plain(text):
        raise PydanticCustomError(REASON, HINT)
    return text


PlayerId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="A player by the platform's own opaque id: compared byte for byte, shown to everybody at the "
        "table. No control or formatting characters, none that show nothing or that Unicode gives no meaning, no "
        "white space at its ends, in the form NFC.",
    ),
    AfterValidator(_plain),
]
