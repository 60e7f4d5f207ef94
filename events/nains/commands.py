"""
What a Lord may wish for; each command answers one question (rules, section 3.11).

Cards and coins are named as the view's board names them.
"""

from __future__ import annotations

from events.messages import SeatCommand
from events.nains.vocabulary import CardId, CoinId, Order, Place


class PlaceBets(SeatCommand, frozen=True, kw_only=True):
    """
    Bet three of the five coins, for taverns 1, 2 and 3; the others go to the pouch (rules, section 3.3).

    Args:
        coins: exactly three, the first for tavern 1; of the seat's own, as ``coins`` of its Lord on the board lists
            them; a name stands here at most as often as there.
    """

    coins: tuple[CoinId, ...]


class TakeDwarf(SeatCommand, frozen=True, kw_only=True):
    """
    Take a Dwarf card left in the tavern (rules, section 3.5, step a).

    Args:
        card: one that ``taverns`` on the board lists for the tavern being resolved: ``tavern``, counted from 1.
    """

    card: CardId


class UpgradePouchCoin(SeatCommand, frozen=True, kw_only=True):
    """
    Name the pouch coin that a Retaliation Dwarf upgrades (rules, section 3.5, Retaliation effect).

    Args:
        coin: one of the two in the ``pouch`` of the seat's Lord on the board, and no exchange coin.
    """

    coin: CoinId


class DiscardDwarf(SeatCommand, frozen=True, kw_only=True):
    """
    With two Lords, put one of the two cards left out of the game (rules, section 2.1).

    Args:
        card: one that ``taverns`` on the board lists for the tavern being resolved: ``tavern``, counted from 1.
    """

    card: CardId


class RecruitFighter(SeatCommand, frozen=True, kw_only=True):
    """
    Take a Fighter or a Mercenary from the supply (rules, section 3.6).

    Args:
        card: one that ``supply`` on the board lists.
        column: where it goes: for coloured ranks that of their own Order, for black and multicoloured ones any; none
            for white ranks, which go to the command area.
    """

    card: CardId
    column: Order | None = None


class UpgradeCoin(SeatCommand, frozen=True, kw_only=True):
    """
    Name the coin that a card's effect upgrades, and where it lies (rules, section 5.4, COIN_UP).

    Args:
        coin: one of the seat's own, as ``coins`` of its Lord on the board lists them, and no exchange coin.
        place: in hand, in the pouch, or on the spot of tavern 1, 2 or 3.
    """

    coin: CoinId
    place: Place


class ChooseDwarf(SeatCommand, frozen=True, kw_only=True):
    """
    Take one of the cards Svara looked at (rules, section 5.4, SVARA).

    Args:
        card: one that ``looked`` on the board lists, which this seat alone sees.
    """

    card: CardId


class ReturnMarkers(SeatCommand, frozen=True, kw_only=True):
    """
    Take Pariah markers off these cards, named in the order of the column (rules, section 5.4, UNMARK).

    Args:
        cards: those with ``pariah`` in the ``columns`` of the seat's Lord on the board, each once; from none up to as
            many as ``most`` of the question.
    """

    cards: tuple[CardId, ...]


NainsCommand = (
    PlaceBets | TakeDwarf | UpgradePouchCoin | DiscardDwarf | RecruitFighter | UpgradeCoin | ChooseDwarf | ReturnMarkers
)
COMMANDS = NainsCommand
