"""What a Lord may wish for; each command answers one question (rules, section 3.11)."""

from __future__ import annotations

from events.messages import SeatCommand
from events.nains.vocabulary import CardId, CoinId, Order, Place


class PlaceBets(SeatCommand, frozen=True, kw_only=True):
    """Bet three of the five coins, for taverns 1, 2 and 3; the others go to the pouch (rules, section 3.3)."""

    coins: tuple[CoinId, ...]


class TakeDwarf(SeatCommand, frozen=True, kw_only=True):
    """Take a Dwarf card left in the tavern (rules, section 3.5, step a)."""

    card: CardId


class UpgradePouchCoin(SeatCommand, frozen=True, kw_only=True):
    """Name the pouch coin that a Retaliation Dwarf upgrades (rules, section 3.5, Retaliation effect)."""

    coin: CoinId


class DiscardDwarf(SeatCommand, frozen=True, kw_only=True):
    """With two Lords, put one of the two cards left out of the game (rules, section 2.1)."""

    card: CardId


class RecruitFighter(SeatCommand, frozen=True, kw_only=True):
    """
    Take a Fighter or a Mercenary from the supply (rules, section 3.6).

    Args:
        column: where it goes; none for white ranks, which go to the command area.
    """

    card: CardId
    column: Order | None = None


class UpgradeCoin(SeatCommand, frozen=True, kw_only=True):
    """Name the coin that a card's effect upgrades, and where it lies (rules, section 5.4, COIN_UP)."""

    coin: CoinId
    place: Place


class ChooseDwarf(SeatCommand, frozen=True, kw_only=True):
    """Take one of the cards Svara looked at (rules, section 5.4, SVARA)."""

    card: CardId


class ReturnMarkers(SeatCommand, frozen=True, kw_only=True):
    """Take Pariah markers off these cards, named in the order of the column (rules, section 5.4, UNMARK)."""

    cards: tuple[CardId, ...]


NainsCommand = (
    PlaceBets | TakeDwarf | UpgradePouchCoin | DiscardDwarf | RecruitFighter | UpgradeCoin | ChooseDwarf | ReturnMarkers
)
COMMANDS = NainsCommand
