"""What is true in a game of Nains, and whom is asked what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from events.messages import Seat
from events.nains.vocabulary import COLUMN, SPOTS, Card, CardId, Coin, CoinId, LordsSetup, NainsCatalogue, Order, Place
from workers.kit.decider import Prompt

LAST_ERA: Final = 2


class NainsOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What may be agreed before play.

    Args:
        thin_treasury: with two or three Lords fewer Gold coins of some values (rules, section 1.2).
        tie_break: whether victory and places are ``shared``, or the higher ``gem`` wins (rules, section 6.4).
    """

    thin_treasury: bool = False
    tie_break: Literal["shared", "gem"] = "shared"


class Bet(Prompt, frozen=True, kw_only=True):
    """Which coins for which tavern? Put to all Lords at once (rules, section 3.3)."""


class Take(Prompt, frozen=True, kw_only=True):
    """Which card of the tavern? (rules, section 3.5, step a)."""


class PouchUp(Prompt, frozen=True, kw_only=True):
    """Which pouch coin goes up by so much? (rules, section 3.5, Retaliation effect)."""

    by: int


class Discard(Prompt, frozen=True, kw_only=True):
    """Which of the two cards left goes? (rules, section 2.1)."""


class Recruit(Prompt, frozen=True, kw_only=True):
    """Whom from the supply, and into which column? (rules, section 3.6)."""


class CoinUp(Prompt, frozen=True, kw_only=True):
    """Which coin goes up by so much? (rules, section 5.4, COIN_UP)."""

    by: int


class Svara(Prompt, frozen=True, kw_only=True):
    """Which of the cards looked at? (rules, section 5.4, SVARA)."""


class Unmark(Prompt, frozen=True, kw_only=True):
    """Which markers go, at most so many? (rules, section 5.4, UNMARK)."""

    most: int


class Mark(msgspec.Struct, frozen=True):
    """The newcomer gets a Pariah marker; nobody is asked (rules, section 3.5, Wanderers effect)."""

    card: CardId


class UpgradeSpot(msgspec.Struct, frozen=True):
    """The coin on the spot of this tavern goes up; nobody is asked (rules, section 3.5, Retaliation effect)."""


class LookAtDeck(msgspec.Struct, frozen=True):
    """The Lord looks at the top cards of the Era 2 deck; nobody is asked (rules, section 5.4, SVARA)."""

    most: int


class ShuffleDeck(msgspec.Struct, frozen=True):
    """What the Lord looked at is shuffled into the Era 2 deck (rules, section 5.4, SVARA)."""


class ExchangeCoins(msgspec.Struct, frozen=True):
    """The pouch is shown and a coin exchanged; nobody is asked (rules, section 4.4)."""


class TakeTrade(msgspec.Struct, frozen=True):
    """The Coin 3 - Trade replaces the 0 coin; nobody is asked (rules, section 5.3)."""


Question = Take | PouchUp | Discard | Recruit | CoinUp | Svara | Unmark
"""What one Lord is asked while all others wait."""

Step = Question | Mark | UpgradeSpot | LookAtDeck | ShuffleDeck | ExchangeCoins | TakeTrade

Phase = Literal["setup", "entering", "bets", "tavern", "evaluation", "over"]

BET: Final = Bet()
RECRUIT: Final = Recruit()


class Lord(msgspec.Struct, frozen=True, kw_only=True):
    """
    One Lord's city-state-fortress and coins.

    Args:
        columns: the five columns of the Army in the order of ``ORDERS``, each in order of arrival.
        ranks: how many ranks each column has.
        marked: the cards that bear a Pariah marker.
        rewarded: how many rows were rewarded with a recruit.
        hand: the coins in hand, in order; empty while they lie on the board.
        spots: the coins on the spots of taverns 1, 2 and 3; empty while they are in hand.
        pouch: the two coins not bet, in order; empty while they are in hand.
        shown: what everybody knows to lie in the pouch, in order; the others may know it in part only.
    """

    columns: tuple[tuple[CardId, ...], ...] = ((), (), (), (), ())
    ranks: tuple[int, ...] = (0, 0, 0, 0, 0)
    marked: tuple[CardId, ...] = ()
    command_area: tuple[CardId, ...] = ()
    gem: int = 0
    rewarded: int = 0
    hand: tuple[CoinId, ...] = ()
    spots: tuple[CoinId, ...] = ()
    pouch: tuple[CoinId, ...] = ()
    shown: tuple[CoinId, ...] = ()

    @property
    def has_bet(self) -> bool:
        return bool(self.spots)

    @property
    def coins(self) -> tuple[CoinId, ...]:
        return self.hand + self.spots + self.pouch

    @property
    def owed(self) -> int:
        """How many recruits the complete rows still give (rules, section 3.6)."""
        return min(self.ranks) - self.rewarded

    @property
    def cards(self) -> tuple[CardId, ...]:
        """All cards of the city-state-fortress."""
        return sum(self.columns, ()) + self.command_area

    def column(self, order: Order) -> tuple[CardId, ...]:
        return self.columns[COLUMN[order]]

    def at(self, place: Place) -> tuple[CoinId, ...]:
        """Return the coins that lie in a place."""
        if place == "hand":
            return self.hand
        if place == "pouch":
            return self.pouch
        spot = SPOTS.index(place)
        return self.spots[spot : spot + 1]


class NainsState(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game of Nains after its last event (rules, section 3.12).

    Args:
        tavern: the last tavern revealed in this turn, 0 when none is.
        decks: the draw decks of both Eras, the next card first.
        taverns: the cards left in each tavern.
        discard: Dwarf cards out of the game, face up.
        awards: the award line from left to right; ``unawarded``: cards that nobody won.
        treasury: how many coins of each kind in ``catalogue.gold`` are there.
        order: in which order the Lords take from this tavern; ``tied``: those with equal coins, high gem first,
            until they have exchanged gems.
        agenda: what is still to be done, and for whom, for the cards of this tavern or the award just won.
        looked: the cards that the owner of Svara looks at.
    """

    catalogue: NainsCatalogue
    options: NainsOptions
    setup: LordsSetup
    lords: tuple[Lord, ...]
    treasury: tuple[int, ...]
    supply: tuple[CardId, ...]
    phase: Phase = "setup"
    era: int = 1
    turn: int = 0
    tavern: int = 0
    decks: tuple[tuple[CardId, ...], ...] = ((), ())
    taverns: tuple[tuple[CardId, ...], ...] = ((), (), ())
    discard: tuple[CardId, ...] = ()
    awards: tuple[CardId, ...] = ()
    unawarded: tuple[CardId, ...] = ()
    order: tuple[Seat, ...] = ()
    tied: tuple[tuple[Seat, ...], ...] = ()
    agenda: tuple[tuple[Seat, Step], ...] = ()
    looked: tuple[CardId, ...] = ()

    def card(self, card: CardId) -> Card:
        return self.catalogue.cards[card]

    def coin(self, coin: CoinId) -> Coin:
        return self.catalogue.coins[coin]

    @property
    def open_tavern(self) -> tuple[CardId, ...]:
        """The cards left in the tavern being resolved."""
        return self.taverns[self.tavern - 1]

    @property
    def everyone_has_bet(self) -> bool:
        return all(lord.spots for lord in self.lords)

    @property
    def prompts(self) -> Mapping[Seat, Prompt]:
        """The open questions by seat; whatever stands on the agenda between commands is a question."""
        if self.agenda:
            seat, step = self.agenda[0]
            return {seat: step} if isinstance(step, Prompt) else {}
        if self.phase == "bets":
            return {Seat(seat): BET for seat, lord in enumerate(self.lords) if not lord.spots}
        return {}

    def bet_of(self, seat: Seat) -> Coin:
        """Return the coin on a Lord's spot of the tavern being resolved."""
        return self.catalogue.coins[self.lords[seat].spots[self.tavern - 1]]

    def offered_for(self, target: int, given: Coin) -> Coin:
        """
        Return the coin that replaces a given one, which is itself when the Treasury has nothing to offer.

        The lowest of at least the target, else the highest below it, but never of the value given
        (rules, section 4.2).
        """
        coins = self.catalogue.coins
        below = given
        for coin, copies in zip(self.catalogue.gold, self.treasury, strict=True):
            if copies and (found := coins[coin]).value != given.value:
                if found.value >= target:
                    return found
                below = found
        return below

    def face_down(self, place: Place) -> bool:
        """Only the coins of taverns already revealed lie face up (rules, section 7)."""
        return place not in SPOTS[: self.tavern]
