"""Words of Nains: cards, coins, Orders, and the catalogue that holds their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NewType, get_args

import msgspec

CardId = NewType("CardId", str)
"""A card's name in the catalogue: ``D1-RET-1``, ``F03``, ``M01``, ``E-SHI``, ``CERT``."""

CoinId = NewType("CoinId", str)
"""A coin by colour and value: ``B4``, ``G12``, ``T3``; coins of one name are interchangeable."""

RuneId = NewType("RuneId", str)
"""A rune's name in the catalogue: ``R1``."""

Order = Literal["RET", "WAN", "TEM", "SHI", "FOR"]
"""A family of dwarfs: Retaliation, Wanderers, Temple, Shield, Forge; each has a column in every Army."""

ORDERS: Final[tuple[Order, ...]] = get_args(Order)
COLUMN: Final[Mapping[Order, int]] = {order: column for column, order in enumerate(ORDERS)}
"""Where an Order's column stands among the five of an Army."""

Place = Literal["hand", "spot_1", "spot_2", "spot_3", "pouch"]
"""Where a Lord's coin lies: in hand, on the spot of a tavern, or in the pouch."""

SPOTS: Final[tuple[Place, ...]] = ("spot_1", "spot_2", "spot_3")

Colour = Literal["bronze", "trade", "gold"]
CardKind = Literal["dwarf", "fighter", "mercenary", "elite", "certification"]
RankColour = Literal["coloured", "white", "black", "multicoloured", "none"]
Per = Literal["highest_coin", "gem", "malt"]
"""What a card's points are counted by when they are not simply printed."""

Effect = Literal["coin_up", "unmark", "svara", "trade"]
"""What a card does at once when it is won; its number stands in the card's ``amount``."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """
    One card of any kind (rules, sections 1.5 and 5).

    Args:
        order: the Order it belongs to, or an Elite Fighter is won by; none for the others.
        era: the deck a Dwarf card comes from, 0 for other cards.
        least_lords: with fewer Lords the card is out of the game.
        each: points for each of what ``per`` names, beside the printed ``points``.
    """

    id: CardId
    kind: CardKind
    name: str = ""
    rank_colour: RankColour = "none"
    order: Order | None = None
    ranks: int = 0
    points: int = 0
    malt: int = 0
    hidden: int = 0
    rune: RuneId | None = None
    era: int = 0
    least_lords: int = 2
    each: int = 0
    per: Per | None = None
    effect: Effect | None = None
    amount: int = 0

    @property
    def any_column(self) -> bool:
        """Black and multicoloured ranks go where the Lord likes (rules, section 3.6)."""
        return self.rank_colour in ("black", "multicoloured")


class Coin(msgspec.Struct, frozen=True, kw_only=True):
    """
    One kind of coin (rules, section 1.2).

    Args:
        exchange: it makes a coin exchange when bet, and is never upgraded.
        copies: how many a full Treasury holds, or each Lord starts with; ``thin_copies`` with a thin Treasury.
        place: where the coin stands when coins are put in order: by value, and Gold before Bronze.
    """

    id: CoinId
    colour: Colour
    value: int
    exchange: bool
    copies: int
    thin_copies: int
    place: int


class LordsSetup(msgspec.Struct, frozen=True, kw_only=True):
    """
    What depends on the number of Lords (rules, sections 1.3, 2 and 2.1).

    Args:
        first_discards_in: taverns in which the first Lord discards one of the cards left.
        thins_treasury: the option of a thin Treasury has an effect.
    """

    lords: int
    gems: tuple[int, ...]
    cards_per_tavern: int
    turns_per_era: int
    first_discards_in: tuple[int, ...]
    thins_treasury: bool


class NainsCatalogue(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """
    Every component and number of the game; read once, and equal to itself alone.

    Args:
        cards: all cards by name.
        dwarves: the Dwarf cards in the order of the files; ``supply``: Fighters, then Mercenaries;
            ``elites`` and ``certification``: what the Order Evaluation awards.
        coins: all kinds of coin by name; ``bronze``: what each Lord starts with; ``gold``: what the Treasury holds,
            by value; ``trade``: the Coin 3 - Trade.
        shield: worth of a Shield column by ranks, then ``n * (n + shield_plus) / shield_over``.
    """

    cards: Mapping[CardId, Card]
    dwarves: tuple[CardId, ...]
    supply: tuple[CardId, ...]
    elites: tuple[CardId, ...]
    certification: CardId
    coins: Mapping[CoinId, Coin]
    bronze: tuple[CoinId, ...]
    gold: tuple[CoinId, ...]
    trade: CoinId
    taverns: tuple[str, ...]
    lords: Mapping[int, LordsSetup]
    runes: Mapping[RuneId, str]
    shield: tuple[int, ...]
    shield_plus: int
    shield_over: int
    retaliation_upgrade: int

    def deck(self, era: int, lords: int) -> tuple[CardId, ...]:
        """Return the Dwarf cards of an Era with so many Lords, unshuffled (rules, section 2, step 7)."""
        cards = (self.cards[card] for card in self.dwarves)
        return tuple(card.id for card in cards if card.era == era and card.least_lords <= lords)
