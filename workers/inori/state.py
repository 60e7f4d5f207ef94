"""What is true in a game of Inori, and whom is asked what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from events.inori.vocabulary import (
    COLOURS,
    PLACE,
    Card,
    CardId,
    Colour,
    Cost,
    DrawRunes,
    Gain,
    InoriCatalogue,
    Owner,
    Rune,
    RuneId,
    ScoreMajority,
    ScorePer,
    ScorePoints,
    ScoreUnique,
    SeatsSetup,
    TreeSpaceId,
)
from events.messages import Seat
from workers.kit.decider import Prompt


class InoriOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What may be agreed before play (rules, section 3.10).

    Args:
        roots_close: an emptied root cannot be chosen any more.
        one_rune_per_turn: a chief plays at most one rune in a turn.
    """

    roots_close: bool = False
    one_rune_per_turn: bool = False


class Offer(Prompt, frozen=True, kw_only=True):
    """Where does the piece go? Runes may be played first (rules, section 3.9, RUNE and OFFER)."""


class Move(Prompt, frozen=True, kw_only=True):
    """Which piece does the Move rune just played take? (rules, section 3.6)."""

    rune: RuneId


class MoveTo(Prompt, frozen=True, kw_only=True):
    """To which space does the piece chosen go? (rules, section 3.6)."""

    rune: RuneId
    owner: Owner
    card: CardId
    space: int


class PayMaj(Prompt, frozen=True, kw_only=True):
    """In which of the colours the chief has most of are so many tokens paid? (rules, section 3.9, PAY_MAJ)."""

    amount: int


class Altar(Prompt, frozen=True, kw_only=True):
    """Which Altar tile comes to this space? (rules, section 3.9, ALTAR)."""

    space: TreeSpaceId


class Least(Prompt, frozen=True, kw_only=True):
    """Of which of the colours the chief has fewest of are so many tokens taken? (rules, section 3.9, LEAST)."""

    amount: int


class Gift(Prompt, frozen=True, kw_only=True):
    """Which so many tokens of the supply? (rules, section 3.9, GIFT)."""

    amount: int


class Ward(Prompt, frozen=True, kw_only=True):
    """Where does a neutral piece go, with so many left to place? (rules, section 3.9, WARD)."""

    left: int


class LateRune(Prompt, frozen=True, kw_only=True):
    """A Favour rune, or the end of the turn? Put to every chief who holds a rune (rules, section 3.9, LATE_RUNE)."""


class NewStart(Prompt, frozen=True, kw_only=True):
    """Which of the New Start cards drawn? (rules, section 3.9, NEW_START)."""


class EmptyRoot(msgspec.Struct, frozen=True):
    """The tokens on a root go to the chief; nobody is asked (rules, section 3.5)."""

    space: TreeSpaceId
    tokens: tuple[Colour, ...]


Question = Offer | Move | MoveTo | PayMaj | Altar | Least | Gift | Ward | LateRune | NewStart
"""What the chief whose turn it is may be asked."""

Effect = Cost | Gain | DrawRunes | ScoreUnique | ScorePer | ScoreMajority | ScorePoints | EmptyRoot
"""What happens by itself; a cost here names its colour."""

Step = Question | Effect
Agenda = tuple[Step, ...]

Phase = Literal[
    "setup",
    "turns",
    "season_score",
    "taking_back",
    "replacing",
    "new_pieces",
    "drawing",
    "new_start",
    "final_score",
    "over",
]

OFFER: Final = Offer()
LATE_RUNE: Final = LateRune()
NEW_START: Final = NewStart()
TURN: Final[Agenda] = (OFFER, LATE_RUNE)

Pieces = tuple[Owner, ...]
"""The pieces on one space, in order of arrival."""


class Slot(msgspec.Struct, frozen=True):
    """A card in play, and the pieces on each of its spaces."""

    card: CardId
    pieces: tuple[Pieces, ...]

    @property
    def is_complete(self) -> bool:
        """Neutral pieces count too (rules, section 3.7, step 1)."""
        return all(self.pieces)

    def has_piece_of(self, owner: Owner) -> bool:
        return any(owner in on_space for on_space in self.pieces)


class Spot(msgspec.Struct, frozen=True):
    """A space of the Great Tree: the pieces there, its Altar tile, and the tokens on a root."""

    pieces: Pieces = ()
    altar: Colour | None = None
    tokens: tuple[Colour, ...] = ()


class Chief(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one chief has.

    Args:
        tokens: how many of each colour, in the order of ``COLOURS``.
        runes: hidden from all others, in the order of the catalogue.
        pieces: how many there are this season; ``left`` unplaced, ``aside`` laid aside.
        offerings, cards, altars: points by where they came from.
    """

    tokens: tuple[int, ...] = (0,) * len(COLOURS)
    runes: tuple[RuneId, ...] = ()
    pieces: int = 0
    left: int = 0
    aside: int = 0
    offerings: int = 0
    cards: int = 0
    altars: int = 0

    @property
    def score(self) -> int:
        return self.offerings + self.cards + self.altars

    def count(self, colour: Colour) -> int:
        return self.tokens[PLACE[colour]]

    @property
    def most(self) -> tuple[Colour, ...]:
        """The colours the chief has most tokens of; none without any token (rules, section 3.4)."""
        most = max(self.tokens)
        return tuple([colour for colour in COLOURS if self.tokens[PLACE[colour]] == most]) if most else ()

    @property
    def fewest(self) -> tuple[Colour, ...]:
        """The colours the chief has fewest tokens of, perhaps none (rules, section 3.4)."""
        fewest = min(self.tokens)
        return tuple([colour for colour in COLOURS if self.tokens[PLACE[colour]] == fewest])


class InoriState(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game of Inori after its last event (rules, section 3.1).

    Args:
        order: the seats clockwise from this season's first player.
        turn: whose turn it is, or who draws New Start cards.
        rune_played: whether a rune was played in this turn.
        released: whether the piece chosen for the last Move rune was let go once.
        agenda: what is still to be done in this turn; whatever comes first between commands is a question.
        slots: the cards in play; ``tree``: the Great Tree.
        supply: how many tokens there are of each colour; ``neutrals``: neutral pieces in storage.
        rune_pile: the next rune first; ``rune_discard``: face up, in order of play.
        journey: a pile for each colour, the next card first; ``new_start``: that deck.
        drawn: the New Start cards that a chief looks at.
        complete: which cards were found complete at the end of this season, as far as they were scored.
        replaced: how many of them were replaced.
        altars_scored: how many spaces of the Great Tree were scored.
    """

    catalogue: InoriCatalogue
    options: InoriOptions
    setup: SeatsSetup
    chiefs: tuple[Chief, ...]
    supply: tuple[int, ...]
    neutrals: int
    tree: tuple[Spot, ...]
    phase: Phase = "setup"
    season: int = 1
    order: tuple[Seat, ...] = ()
    turn: Seat = Seat(0)
    rune_played: bool = False
    released: bool = False
    agenda: Agenda = ()
    slots: tuple[Slot, ...] = ()
    rune_pile: tuple[RuneId, ...] = ()
    rune_discard: tuple[RuneId, ...] = ()
    journey: tuple[tuple[CardId, ...], ...] = ((),) * len(COLOURS)
    new_start: tuple[CardId, ...] = ()
    drawn: tuple[CardId, ...] = ()
    complete: tuple[bool, ...] = ()
    replaced: int = 0
    altars_scored: int = 0

    @property
    def prompts(self) -> Mapping[Seat, Prompt]:
        """The open question by seat: nobody decides anything in another chief's turn (rules, section 3.2)."""
        if self.agenda and isinstance(self.agenda[0], Prompt):
            return {self.turn: self.agenda[0]}
        return {}

    @property
    def acting(self) -> Chief:
        return self.chiefs[self.turn]

    @property
    def may_play_runes(self) -> bool:
        """The option of one rune a turn leaves none for later (rules, section 3.10)."""
        return not (self.rune_played and self.options.one_rune_per_turn)

    @property
    def altars_left(self) -> tuple[Colour, ...]:
        """The Altar tiles beside the board."""
        placed = [spot.altar for spot in self.tree]
        return tuple(colour for colour in COLOURS if colour not in placed)

    @property
    def empty_spaces(self) -> tuple[tuple[CardId, int], ...]:
        """The spaces of cards that hold no piece."""
        return tuple(
            [
                (slot.card, space)
                for slot in self.slots
                for space, pieces in enumerate(slot.pieces, start=1)
                if not pieces
            ]
        )

    def card(self, card: CardId) -> Card:
        return self.catalogue.cards[card]

    def rune(self, rune: RuneId) -> Rune:
        return self.catalogue.runes[rune]

    def slot_of(self, card: CardId) -> int | None:
        """Return the number of the slot a card lies in, if it is in play."""
        return next((number for number, slot in enumerate(self.slots) if slot.card == card), None)

    def tree_place(self, space: TreeSpaceId) -> int | None:
        """Return where a space stands among those of the Great Tree."""
        return next((place for place, each in enumerate(self.catalogue.tree) if each.id == space), None)
