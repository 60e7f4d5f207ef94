"""What a chief may wish for; each command answers one question (rules, section 3.9)."""

from __future__ import annotations

from events.inori.vocabulary import CardId, Colour, Owner, RuneId, TreeSpaceId
from events.messages import SeatCommand


class OfferToCard(SeatCommand, frozen=True, kw_only=True):
    """
    Put a piece on a card's space, pay its cost and have its effect (rules, section 3.4).

    Args:
        card: one that ``slots`` on the board lists.
        space: of that card, counted from 1.
        share: play a Share rune with it, to go where others stand (rules, section 3.6).
    """

    card: CardId
    space: int
    share: bool = False


class OfferToTree(SeatCommand, frozen=True, kw_only=True):
    """
    Put a piece on a space of the Great Tree (rules, section 3.5).

    Args:
        space: one that ``tree`` on the board lists.
        share: play a Share rune with it, to go where others stand (rules, section 3.6).
    """

    space: TreeSpaceId
    share: bool = False


class LayPieceAside(SeatCommand, frozen=True, kw_only=True):
    """Pass, since no offering can be made (rules, section 3.3)."""


class PlayRune(SeatCommand, frozen=True, kw_only=True):
    """
    Play a Favour, Move-in or Move-out rune (rules, section 3.6).

    Args:
        rune: one that ``runes`` of the seat's chief on the board lists, which this seat alone sees.
    """

    rune: RuneId


class ChoosePiece(SeatCommand, frozen=True, kw_only=True):
    """
    Say which piece the Move rune just played takes (rules, section 3.6).

    Args:
        owner: whose piece it is; none for a neutral one.
        card: where it stands, one that ``slots`` on the board lists.
        space: of that card, counted from 1.
    """

    owner: Owner
    card: CardId
    space: int


class MovePiece(SeatCommand, frozen=True, kw_only=True):
    """
    Say to which empty space the piece chosen goes (rules, section 3.6).

    Args:
        card: another than where it stands, one that ``slots`` on the board lists.
        space: of that card, counted from 1.
    """

    card: CardId
    space: int


class ReleasePiece(SeatCommand, frozen=True, kw_only=True):
    """Choose another piece instead of the one chosen."""


class PayMajority(SeatCommand, frozen=True, kw_only=True):
    """
    Pay in one of the colours the chief has most of (rules, section 3.4).

    Args:
        colour: one of those that stand highest among ``tokens`` of the seat's chief on the board.
    """

    colour: Colour


class ChooseAltar(SeatCommand, frozen=True, kw_only=True):
    """
    Put an Altar tile on the space of the Great Tree just opened (rules, section 3.5).

    Args:
        colour: one that ``altars_left`` on the board lists.
    """

    colour: Colour


class ChooseLeast(SeatCommand, frozen=True, kw_only=True):
    """
    Take tokens of one of the colours the chief has fewest of (rules, section 3.4).

    Args:
        colour: one of those that stand lowest among ``tokens`` of the seat's chief on the board.
    """

    colour: Colour


class TakeGift(SeatCommand, frozen=True, kw_only=True):
    """
    Take tokens of any colours, named in their usual order (rules, section 5, T1).

    Args:
        tokens: exactly as many as ``amount`` of the question, or all that ``supply`` on the board has where that is
            fewer; of no colour more than there, in the order YEL, BLU, GRY, PUR, RED, GRN.
    """

    tokens: tuple[Colour, ...]


class PlaceNeutral(SeatCommand, frozen=True, kw_only=True):
    """
    Put a neutral piece on an empty space of a card (rules, section 5, T5).

    Args:
        card: one that ``slots`` on the board lists.
        space: of that card, counted from 1.
    """

    card: CardId
    space: int


class EndTurn(SeatCommand, frozen=True, kw_only=True):
    """Play no more Favour runes after the offering (rules, section 3.3)."""


class ChooseNewStart(SeatCommand, frozen=True, kw_only=True):
    """
    Keep one of the New Start cards drawn (rules, section 3.7, step 5).

    Args:
        card: one that ``drawn`` on the board lists, which this seat alone sees.
    """

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
