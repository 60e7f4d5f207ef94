"""The sheet that is drawn on: words, signs and the tokens of seats, and what of them was used."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from events.messages import Seat
from projections.inis.picture.plan import Point
from projections.inis.picture.signs import SIGNS, TOKENS

INK: Final = "#1d2327"
PALE: Final = "#ffffff"
FONT: Final = 13.0
LINE: Final = 18.0
"""From one line of words to the next."""
LETTER: Final = 0.6
"""How wide a letter is at most on average, by the size of the font; ``BOLD`` that of a bold one."""
BOLD: Final = 0.68


class Sheet:
    """Collects what is drawn, in order; ``signs`` are those used, each once."""

    def __init__(self) -> None:
        self._marks: list[str] = []
        self.signs: dict[str, None] = {}

    def __str__(self) -> str:
        return "".join(self._marks)

    def draw(self, markup: str) -> None:
        """Add markup as it is."""
        self._marks.append(markup)

    def words(  # noqa: PLR0913  all but the place and the words have a default
        self,
        at: Point,
        words: str,
        *,
        anchor: str = "start",
        bold: bool = False,
        colour: str = INK,
        size: float = FONT,
        kind: str = "",
    ) -> None:
        """Write words on one line; ``kind`` tells tests and styles what they are."""
        x, y = at
        weight = ' font-weight="bold"' if bold else ""
        kind = f' class="{kind}"' if kind else ""
        self.draw(
            f'<text{kind} x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
            f'{weight} fill="{colour}">{escape(words)}</text>'
        )

    def sign(self, name: str, at: Point, *, of: str = "", count: int | None = None) -> None:
        """Draw a sign around a point, with how many there are beside it; ``of`` says whose or where it is."""
        x, y = at
        self.signs.setdefault(name)
        self.draw(f'<g class="sign" data-sign="{name}" data-of="{escape(of)}">')
        self.draw(f'<g transform="translate({number(x)},{number(y)})">{SIGNS[name].markup}</g>')
        if SIGNS[name].letter:
            self.words((x, y + 4.5), SIGNS[name].letter, anchor="middle", bold=True, colour=PALE)
        if count is not None:
            self.words((x + 11, y + 5), str(count), bold=True)
        self.draw("</g>")

    def ring(self, at: Point) -> None:
        """Draw the ring of a chieftain, around a token."""
        x, y = at
        self.signs.setdefault("ring")
        self.draw(
            f'<circle class="chieftain" cx="{number(x)}" cy="{number(y)}" r="17" fill="{PALE}" stroke="{INK}" '
            'stroke-width="3"/>'
        )

    def token(self, seat: Seat, at: Point, *, of: str, clans: int | None = None) -> None:
        """Draw the token of a seat, with how many clans it stands for."""
        x, y = at
        token = TOKENS[seat]
        self.draw(f'<g class="clans" data-seat="{seat}" data-of="{escape(of)}">')
        self.draw(
            f'<path transform="translate({number(x)},{number(y)})" d="{token.outline}" fill="{token.fill}" '
            f'stroke="{INK}" stroke-width="1.2"/>'
        )
        if clans is not None:
            self.words((x, y + token.drop), str(clans), anchor="middle", bold=True, colour=token.ink)
        self.draw("</g>")


def width_of(words: str, *, bold: bool = False, size: float = FONT) -> float:
    """Return how wide words are at most."""
    return len(words) * size * (BOLD if bold else LETTER)


def wrapped(words: str, width: float) -> Iterator[str]:
    """Part words at their blanks into lines that are not wider."""
    line = ""
    for word in words.split():
        longer = f"{line} {word}" if line else word
        if line and width_of(longer) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line


def spoken(name: str) -> str:
    """Return an identifier as words."""
    return name.replace("_", " ")


def number(value: float) -> str:
    """Return a number with one decimal place at most."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
