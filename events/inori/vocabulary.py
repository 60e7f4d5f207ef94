"""Words of Inori: colours, cards, runes, the Great Tree, and the catalogue that holds their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NewType, get_args

import msgspec

from events.messages import Seat

CardId = NewType("CardId", str)
"""A card's name in the catalogue: ``S3-YEL``, ``NS-RED``, ``J4-GRN``."""

RuneId = NewType("RuneId", str)
"""A rune's name in the catalogue: ``F-YEL``, ``I-BLU``, ``O-RED``, ``S1``."""

TreeSpaceId = NewType("TreeSpaceId", str)
"""A space of the Great Tree: ``T1`` to ``T9``."""

Colour = Literal["YEL", "BLU", "GRY", "PUR", "RED", "GRN"]
"""A spirit's colour; the order is that of all displays and counts (rules, section 1.1)."""

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
PLACE: Final[Mapping[Colour, int]] = {colour: place for place, colour in enumerate(COLOURS)}
"""Where a colour stands among the six counts of tokens."""

CardKind = Literal["start", "new_start", "journey"]
RuneKind = Literal["favour", "move_in", "move_out", "share"]

Owner = Seat | None
"""Whose piece it is; nobody's when it is neutral."""


class Cost(msgspec.Struct, frozen=True):
    """Tokens to pay for a space, of a colour or, with none, of the chief's most numerous one (rules, section 3.4)."""

    amount: int
    colour: Colour | None = None


class Gain(msgspec.Struct, frozen=True):
    """Take these tokens from the supply."""

    tokens: tuple[Colour, ...]


class GainLeast(msgspec.Struct, frozen=True):
    """Take so many tokens of the one colour the chief has fewest of."""

    amount: int


class DrawRunes(msgspec.Struct, frozen=True):
    """Draw so many runes."""

    amount: int


class ScoreUnique(msgspec.Struct, frozen=True):
    """Score a point for each different colour held."""


class ScorePer(msgspec.Struct, frozen=True):
    """Score a point for each token of a colour."""

    colour: Colour


class ScoreMajority(msgspec.Struct, frozen=True):
    """Score a point for each token of the most numerous colour."""


class ScorePoints(msgspec.Struct, frozen=True):
    """Score so many points."""

    points: int


class GainAny(msgspec.Struct, frozen=True):
    """Take so many tokens of any colours from the supply."""

    amount: int


class GainAltar(msgspec.Struct, frozen=True):
    """Take so many tokens of the Altar's colour."""

    amount: int


class ScorePerAltar(msgspec.Struct, frozen=True):
    """Score a point for each token of the Altar's colour."""


class PlaceNeutrals(msgspec.Struct, frozen=True):
    """Put so many neutral pieces on empty spaces of cards."""

    amount: int


class TakeRoot(msgspec.Struct, frozen=True):
    """Take the tokens that lie on the space."""


CardEffect = Gain | GainLeast | DrawRunes | ScoreUnique | ScorePer | ScoreMajority
"""What a space of a card does (rules, section 3.4)."""

TreeEffect = GainAny | ScorePoints | DrawRunes | GainAltar | ScorePerAltar | PlaceNeutrals | TakeRoot
"""What a space of the Great Tree does, perhaps one part of it (rules, section 5)."""


class Space(msgspec.Struct, frozen=True):
    """One space of a card; free when it has no cost."""

    cost: Cost | None
    effect: CardEffect


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """
    One card (rules, section 4).

    Args:
        colour: in the top-right corner, and that of the card that follows a complete one.
        lower: in the lower-right corner, the opposite one; that of the card that follows an incomplete one.
    """

    id: CardId
    kind: CardKind
    colour: Colour
    lower: Colour
    least_seats: int
    most_seats: int
    spaces: tuple[Space, ...]


class Rune(msgspec.Struct, frozen=True, kw_only=True):
    """One rune tile (rules, section 6); ``amount``: tokens of each of its colours that a Favour rune brings."""

    id: RuneId
    kind: RuneKind
    colours: tuple[Colour, ...]
    amount: int


class TreeSpace(msgspec.Struct, frozen=True, kw_only=True):
    """
    One space of the Great Tree (rules, section 5).

    Args:
        takes_altar: whether its first visitor puts an Altar tile there, which is its cost from then on.
        first: points for most tokens of the Altar's colour at the end of the game; ``second`` for second most.
    """

    id: TreeSpaceId
    name: str
    takes_altar: bool
    effects: tuple[TreeEffect, ...]
    first: int
    second: int


class SeatsSetup(msgspec.Struct, frozen=True, kw_only=True):
    """
    What depends on the number of seats (rules, section 1.3).

    Args:
        pieces: that each chief has in season 1.
        waiting: seasons that bring each chief one more.
    """

    seats: int
    pieces: int
    waiting: tuple[int, ...]


class Term(msgspec.Struct, frozen=True):
    """A word of the game in the languages it is shown in (rules, section 10)."""

    english: str
    korean: str


class ColourTerms(msgspec.Struct, frozen=True, kw_only=True):
    """A colour's names, and its spirit's (rules, sections 1.1 and 10)."""

    colour: Term
    spirit: Term
    opposite: Colour


class InoriCatalogue(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """
    Every component and number of the game; read once, and equal to itself alone.

    Args:
        cards: all cards by name, in the order of the file.
        runes: all runes by name, in the order of the file, which is that of a hand.
        tree: the spaces of the Great Tree, altars first.
        pairs: opposed colours, in the order of the slots.
        seats: what depends on their number.
        altar_cost: tokens of its Altar's colour that a space of the Great Tree costs.
        new_start_drawn: among how many New Start cards a chief chooses.
    """

    cards: Mapping[CardId, Card]
    runes: Mapping[RuneId, Rune]
    tree: tuple[TreeSpace, ...]
    colours: Mapping[Colour, ColourTerms]
    terms: Mapping[str, Term]
    pairs: tuple[tuple[Colour, Colour], ...]
    seats: Mapping[int, SeatsSetup]
    seasons: int
    tokens_per_colour: int
    tokens_per_root: int
    neutral_pieces: int
    altar_cost: int
    new_start_drawn: int

    def of_kind(self, kind: CardKind, colour: Colour | None = None, *, seats: int | None = None) -> tuple[CardId, ...]:
        """Return the cards of a kind, perhaps of one colour or for so many seats only."""
        return tuple(
            card.id
            for card in self.cards.values()
            if card.kind == kind
            and colour in (None, card.colour)
            and (seats is None or card.least_seats <= seats <= card.most_seats)
        )
