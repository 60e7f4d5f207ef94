"""The signs of the picture: own drawings, each told from the others by its shape or letter, not by colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """A drawing about 20 wide and high around 0, 0; ``letter`` is written on it; ``meaning`` stands in the legend."""

    markup: str
    meaning: str
    letter: str = ""


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """The clans of a seat: an outline, its colour, the colour of the number on it, and how far that is below 0."""

    outline: str
    fill: str
    ink: str
    drop: float = 4.5


def _solid(path: str, fill: str) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="#1d2327" stroke-width="1.2" stroke-linejoin="round"/>'


def _line(path: str, colour: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _disc(fill: str) -> str:
    return f'<circle r="9.5" fill="{fill}" stroke="#1d2327" stroke-width="1.2"/>'


_ANCHOR: Final = "M0,-4 V8 M-5,-2 H5 M-8,2 C-7,8 -3,8 0,8 C3,8 7,8 8,2 M2.5,-6.5 A2.5,2.5 0 1 1 2.5,-6.6"
_TURN: Final = "M-6,6 A8.5,8.5 0 1 1 7,4 M7,5 L2,3.5 M7,5 L9.5,0"

SIGNS: Final[Mapping[str, Sign]] = {
    "capital": Sign(
        markup=_solid("M-8,10 V-1 H8 V10 Z", "#8d949b")
        + _solid("M-8,-1 L-9.5,-9 L-4,-5 L0,-11 L4,-5 L9.5,-9 L8,-1 Z", "#f2c230"),
        meaning="Capital, a citadel",
    ),
    "citadel": Sign(
        markup=_solid("M-8,9 V-8 H-4.5 V-4.5 H-2 V-8 H2 V-4.5 H4.5 V-8 H8 V9 Z", "#8d949b")
        + _solid("M-2.5,9 V3 H2.5 V9 Z", "#1d2327"),
        meaning="other citadels",
    ),
    "sanctuary": Sign(
        markup=_solid("M-7.5,9 V-4 H-3 V9 Z", "#efe7d0")
        + _solid("M3,9 V-4 H7.5 V9 Z", "#efe7d0")
        + _solid("M-10,-8.5 H10 V-4 H-10 Z", "#efe7d0"),
        meaning="sanctuaries",
    ),
    "festival": Sign(
        markup=_solid("M1,-11 C7,-4 9,1 6,6 C4,10 -4,10 -6,6 C-9,1 -3,0 -4,-6 C-1,-4 1,-7 1,-11 Z", "#e8590c"),
        meaning="Festival marker",
    ),
    "fili": Sign(markup=_disc("#5f3dc4"), letter="F", meaning="Fili token"),
    "macha": Sign(markup=_disc("#212529"), letter="M", meaning="Macha's Curse token"),
    "banshee": Sign(markup=_disc("#495057"), letter="B", meaning="Banshee token"),
    "clash": Sign(
        markup=_line("M-8,8 L8,-9 M8,8 L-8,-9", "#1d2327", 3.6)
        + _line("M-8,8 L8,-9 M8,8 L-8,-9", "#f1f3f5", 1.4)
        + _line("M-9,2 L-3,8 M9,2 L3,8", "#1d2327", 2.2),
        meaning="the clash",
    ),
    "harbor": Sign(
        markup='<circle r="13" fill="#1f4e6b" stroke="#1d2327"/>' + _line(_ANCHOR, "#ffffff", 1.8),
        meaning="harbor, joined by sea",
    ),
    "brenn": Sign(
        markup=_line("M-4.5,8 A9,9 0 1 1 4.5,8", "#1d2327", 5)
        + _line("M-4.5,8 A9,9 0 1 1 4.5,8", "#f2c230", 2.8)
        + '<circle cx="-4.5" cy="8" r="2.8" fill="#1d2327"/><circle cx="4.5" cy="8" r="2.8" fill="#1d2327"/>',
        meaning="Brenn",
    ),
    "pretender": Sign(
        markup=_solid("M-8,7 L-10,-6 L-4,0 L0,-8 L4,0 L10,-6 L8,7 Z", "#f2c230"), meaning="Pretender token"
    ),
    "deed": Sign(
        markup=_solid(
            "M0,-10 L2.6,-3.4 L9.5,-3 L4.2,1.4 L5.9,8.2 L0,4.4 L-5.9,8.2 L-4.2,1.4 L-9.5,-3 L-2.6,-3.4 Z", "#f8f9fa"
        ),
        meaning="Deeds",
    ),
    "bran": Sign(
        markup=_solid("M-10,3 H10 L6,9 H-6 Z", "#a0703a") + _solid("M-1,3 V-10 L8,1 H-1 Z", "#f8f9fa"),
        meaning="on Bran's Journey",
    ),
    "cauldron": Sign(
        markup=_solid("M-8,-4 H8 C9,6 5,9 0,9 C-5,9 -9,6 -8,-4 Z", "#343a40") + _line("M-10,-5 H10", "#1d2327", 3),
        meaning="in Dagda's Cauldron",
    ),
    "clockwise": Sign(markup=_line(_TURN, "#1d2327", 2.4), meaning="Flock of Crows"),
    "counterclockwise": Sign(
        markup=f'<g transform="scale(-1,1)">{_line(_TURN, "#1d2327", 2.4)}</g>', meaning="Flock of Crows"
    ),
    "ring": Sign(markup='<circle r="9.5" fill="none" stroke="#1d2327" stroke-width="3"/>', meaning="chieftain there"),
}
"""All signs, in the order of the legend."""

TOKENS: Final[Sequence[Token]] = (
    Token(outline="M11,0 A11,11 0 1 1 -11,0 A11,11 0 1 1 11,0 Z", fill="#b3261e", ink="#ffffff"),
    Token(outline="M-10,-10 H10 V10 H-10 Z", fill="#1c5aa6", ink="#ffffff"),
    Token(outline="M0,-14 L13,9 H-13 Z", fill="#f4d13d", ink="#1d2327", drop=7),
    Token(outline="M0,-14 L14,0 L0,14 L-14,0 Z", fill="#0b6e4f", ink="#ffffff"),
    Token(
        outline="M-5.5,-12 H5.5 V-6 H12 V6 H5.5 V12 H-5.5 V6 H-12 V-6 H-5.5 Z",
        fill="#5b2a86",
        ink="#ffffff",
    ),
)
"""What tells the clans of the seats apart: shape, colour, and lightness."""
