"""What a chief may wish for; each command answers one question (rules, section 3.9)."""

from __future__ import annotations

from events.inori.vocabulary import CardId, Colour, Owner, RuneId, TreeSpaceId
from events.messages import SeatCommand


class OfferToCard(SeatCommand, frozen=True, kw_only=True):
    """
    Put a piece on a card's space, pay its cost and have its effect (rules, section 3.4).

    Args:
        space: counted from 1.
        share: play a Share rune with it, to go where others stand (rules, section 3.6).
    """

    card: CardId
    space: int
    share: bool = False


class OfferToTree(SeatCommand, frozen=True, kw_only=True):
    """Put a piece on a space of the Great Tree (rules, section 3.5); ``share`` as with a card."""

    space: TreeSpaceId
    share: bool = False


class LayPieceAside(SeatCommand, frozen=True, kw_only=True):
    """Pass, since no offering can be made (rules, section 3.3)."""


class PlayRune(SeatCommand, frozen=True, kw_only=True):
    """Play a Favour, Move-in or Move-out rune (rules, section 3.6)."""

    rune: RuneId


class ChoosePiece(SeatCommand, frozen=True, kw_only=True):
    """
    Say which piece the Move rune just played takes (rules, section 3.6).

    Args:
        owner: whose piece it is; none for a neutral one.
    """

    owner: Owner
    card: CardId
    space: int


class MovePiece(SeatCommand, frozen=True, kw_only=True):
    """Say to which empty space the piece chosen goes (rules, section 3.6)."""

    card: CardId
    space: int


class ReleasePiece(SeatCommand, frozen=True, kw_only=True):
    """Choose another piece instead of the one chosen."""


class PayMajority(SeatCommand, frozen=True, kw_only=True):
    """Pay in one of the colours the chief has most of (rules, section 3.4)."""

    colour: Colour


class ChooseAltar(SeatCommand, frozen=True, kw_only=True):
    """Put an Altar tile on the space of the Great Tree just opened (rules, section 3.5)."""

    colour: Colour


class ChooseLeast(SeatCommand, frozen=True, kw_only=True):
    """Take tokens of one of the colours the chief has fewest of (rules, section 3.4)."""

    colour: Colour


class TakeGift(SeatCommand, frozen=True, kw_only=True):
    """Take tokens of any colours, named in their usual order (rules, section 5, T1)."""

    tokens: tuple[Colour, ...]


class PlaceNeutral(SeatCommand, frozen=True, kw_only=True):
    """Put a neutral piece on an empty space of a card (rules, section 5, T5)."""

    card: CardId
    space: int


class EndTurn(SeatCommand, frozen=True, kw_only=True):
    """Play no more Favour runes after the offering (rules, section 3.3)."""


class ChooseNewStart(SeatCommand, frozen=True, kw_only=True):
    """Keep one of the New Start cards drawn (rules, section 3.7, step 5)."""

    card: CardId


InoriCommand = (
    OfferToCard
    | OfferToTree
    | LayPieceAside
    | PlayRune
    | ChoosePiece
    | MovePiece
    | ReleasePiece
    | PayMajority
    | ChooseAltar
    | ChooseLeast
    | TakeGift
    | PlaceNeutral
    | EndTurn
    | ChooseNewStart
)
COMMANDS = InoriCommand
