"""What can happen in a game of Nains, in steps a person could watch."""

from __future__ import annotations

from events.messages import Event, Seat
from events.nains.vocabulary import CardId, CoinId, Order, Place


class GemsDealt(Event, frozen=True, kw_only=True):
    """Each Lord got a gem; they stand in seat order (rules, section 2, step 2)."""

    reveals = True

    gems: tuple[int, ...]


class ElitesLinedUp(Event, frozen=True, kw_only=True):
    """The Elite Fighters were laid out in the order of their award (rules, section 2, step 5)."""

    reveals = True

    cards: tuple[CardId, ...]


class EraShuffled(Event, frozen=True, kw_only=True):
    """An Era's deck was shuffled; the first card is drawn next (rules, section 2, step 8, and 5.4, SVARA)."""

    reveals = True

    era: int
    deck: tuple[CardId, ...]


class DwarvesEntered(Event, frozen=True, kw_only=True):
    """A turn began and cards came face up into the taverns (rules, section 3.2)."""

    reveals = True

    era: int
    turn: int
    taverns: tuple[tuple[CardId, ...], ...]


class BetsPlaced(Event, frozen=True, kw_only=True):
    """
    A Lord put coins face down on the spots of taverns 1, 2 and 3.

    A placement is final (rules, section 3.3), so it counts among what may not be taken back.
    """

    reveals = True

    seat: Seat
    coins: tuple[CoinId, ...]


class TavernRevealed(Event, frozen=True, kw_only=True):
    """The coins on one tavern's spots were turned up; they stand in seat order (rules, section 3.4)."""

    reveals = True

    tavern: int
    coins: tuple[CoinId, ...]


class DwarfTaken(Event, frozen=True, kw_only=True):
    """A Lord took a card from the tavern into its column (rules, section 3.5)."""

    seat: Seat
    card: CardId


class PariahMarked(Event, frozen=True, kw_only=True):
    """The newcomer in the Wanderers column got a Pariah marker (rules, section 3.5, Wanderers effect)."""

    seat: Seat
    card: CardId


class CoinUpgraded(Event, frozen=True, kw_only=True):
    """
    A coin gave way to a new one in the same place and with the same face (rules, section 4.3).

    Where the Treasury had nothing to offer, the coin was kept and ``new`` is the ``old`` one.
    """

    seat: Seat
    old: CoinId
    new: CoinId
    place: Place


class PouchCoinUpgraded(Event, frozen=True, kw_only=True):
    """
    An exchange coin lay on the spot, and a coin shown to lie in the pouch was upgraded (rules, sections 3.5 and 7).

    Where the Treasury had nothing to offer, the coin was kept and ``new`` is the ``old`` one.
    """

    reveals = True

    seat: Seat
    old: CoinId
    new: CoinId


class DwarfDiscarded(Event, frozen=True, kw_only=True):
    """With two Lords, the first put one of the two cards left out of the game (rules, section 2.1)."""

    seat: Seat
    card: CardId


class LeftoverDiscarded(Event, frozen=True, kw_only=True):
    """With two Lords, the card nobody chose left the game (rules, section 3.7)."""

    card: CardId


class FighterRecruited(Event, frozen=True, kw_only=True):
    """A Lord took a Fighter or a Mercenary into a column or, with none, into the command area (rules, section 3.6)."""

    seat: Seat
    card: CardId
    column: Order | None = None


class RecruitLost(Event, frozen=True, kw_only=True):
    """A Lord completed a row, and there was nobody left to recruit (rules, section 3.6)."""

    seat: Seat


class CardsLookedAt(Event, frozen=True, kw_only=True):
    """A Lord looked privately at the top cards of the Era 2 deck (rules, section 5.4, SVARA)."""

    reveals = True

    seat: Seat
    cards: tuple[CardId, ...]


class DwarfChosen(Event, frozen=True, kw_only=True):
    """A Lord showed one of the cards looked at and put it into its column (rules, section 5.4, SVARA)."""

    reveals = True

    seat: Seat
    card: CardId


class MarkersReturned(Event, frozen=True, kw_only=True):
    """A Lord took Pariah markers off these cards, perhaps off none (rules, section 5.4, UNMARK)."""

    seat: Seat
    cards: tuple[CardId, ...]


class CoinsExchanged(Event, frozen=True, kw_only=True):
    """
    A Lord showed the pouch, kept one coin and gave the other for a new one (rules, section 4.4).

    Where the Treasury had nothing to offer, ``new`` is the coin ``given``.
    """

    reveals = True

    seat: Seat
    kept: CoinId
    given: CoinId
    new: CoinId


class GemsExchanged(Event, frozen=True, kw_only=True):
    """Lords who tied, from high gem to low, swapped gems from the ends inward (rules, section 3.8)."""

    seats: tuple[Seat, ...]


class TurnEnded(Event, frozen=True, kw_only=True):
    """All coins went back to hand (rules, section 3.9)."""


class AwardWon(Event, frozen=True, kw_only=True):
    """A Lord won the first card of the award line (rules, section 3.10)."""

    seat: Seat
    card: CardId


class AwardLost(Event, frozen=True, kw_only=True):
    """Nobody alone was ahead, and the first card of the award line left the game (rules, section 3.10)."""

    card: CardId


class TradeCoinTaken(Event, frozen=True, kw_only=True):
    """A Lord put the 0 coin in the box and took the Coin 3 - Trade (rules, section 5.3)."""

    seat: Seat


NainsEvent = (
    GemsDealt
    | ElitesLinedUp
    | EraShuffled
    | DwarvesEntered
    | BetsPlaced
    | TavernRevealed
    | DwarfTaken
    | PariahMarked
    | CoinUpgraded
    | PouchCoinUpgraded
    | DwarfDiscarded
    | LeftoverDiscarded
    | FighterRecruited
    | RecruitLost
    | CardsLookedAt
    | DwarfChosen
    | MarkersReturned
    | CoinsExchanged
    | GemsExchanged
    | TurnEnded
    | AwardWon
    | AwardLost
    | TradeCoinTaken
)
EVENTS = NainsEvent
