"""What a seat may wish for now; ``decide`` accepts this and nothing else (rules, section 3.11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, Final

from events.messages import Seat
from events.nains.commands import (
    ChooseDwarf,
    DiscardDwarf,
    NainsCommand,
    PlaceBets,
    RecruitFighter,
    ReturnMarkers,
    TakeDwarf,
    UpgradeCoin,
    UpgradePouchCoin,
)
from events.nains.vocabulary import ORDERS, SPOTS, Card, CardId, CoinId, Order, Place
from workers.kit.decider import Prompt
from workers.nains.state import Bet, CoinUp, Discard, NainsState, PouchUp, Recruit, Svara, Take, Unmark

BETS_KEPT: Final = 2048
"""How many sets of coins the bets are remembered for; sets differ from table to table, most are small variations."""

ANY_COLUMN: Final[Sequence[Order | None]] = ORDERS
COMMAND_AREA: Final[Sequence[Order | None]] = (None,)


def legal_commands(state: NainsState, seat: Seat) -> Sequence[NainsCommand]:
    """Return all that the seat may wish for; nothing when nothing is asked of it."""
    prompt = state.prompts.get(seat)
    return () if prompt is None else _OFFERS[type(prompt)](state, seat, prompt)


def columns_for(card: Card) -> Sequence[Order | None]:
    """Return where a recruit may be placed, by the colour of its rank (rules, section 3.6)."""
    if card.any_column:
        return ANY_COLUMN
    return COMMAND_AREA if card.order is None else (card.order,)


def upgradable(state: NainsState, seat: Seat) -> Sequence[tuple[CoinId, Place]]:
    """Return the coins that COIN_UP may name, each with its place (rules, section 4.3)."""
    lord = state.lords[seat]
    lying = [(coin, place) for coin, place in zip(lord.spots, SPOTS, strict=False)]
    kept: list[tuple[CoinId, Place]] = [(coin, "pouch") for coin in lord.pouch]
    held: list[tuple[CoinId, Place]] = [(coin, "hand") for coin in lord.hand]
    coins = state.catalogue.coins
    return [each for each in dict.fromkeys((*lying, *kept, *held)) if not coins[each[0]].exchange]


def marker_choices(state: NainsState, seat: Seat, most: int) -> Sequence[tuple[CardId, ...]]:
    """Return every set of marked cards that UNMARK may free, in the order of the column (rules, section 5.4)."""
    marked = state.lords[seat].marked
    return [chosen for amount in range(most + 1) for chosen in combinations(marked, amount)]


def recruits(state: NainsState, seat: Seat) -> Sequence[RecruitFighter]:
    """Return every recruit with every column it may take (rules, section 3.6)."""
    cards = state.catalogue.cards
    offers: list[RecruitFighter] = []
    for card in state.supply:
        offers += _placements(seat, card, columns_for(cards[card]))
    return offers


@lru_cache(maxsize=1024)
def _placements(seat: Seat, card: CardId, columns: tuple[Order | None, ...]) -> Sequence[RecruitFighter]:
    return tuple(RecruitFighter(seat=seat, card=card, column=column) for column in columns)


@lru_cache(maxsize=BETS_KEPT)
def _bets(seat: Seat, coins: tuple[CoinId, ...]) -> Sequence[PlaceBets]:
    """Return all ordered triples of a Lord's coins; those that look alike are one (rules, section 3.3)."""
    triples = dict.fromkeys(permutations(coins, len(SPOTS)))
    return tuple(PlaceBets(seat=seat, coins=triple) for triple in triples)


def _offer_bets(state: NainsState, seat: Seat, _prompt: Bet) -> Sequence[NainsCommand]:
    return _bets(seat, state.lords[seat].hand)


def _offer_dwarves(state: NainsState, seat: Seat, _prompt: Take) -> Sequence[NainsCommand]:
    return [TakeDwarf(seat=seat, card=card) for card in state.open_tavern]


def _offer_pouch_coins(state: NainsState, seat: Seat, _prompt: PouchUp) -> Sequence[NainsCommand]:
    return [UpgradePouchCoin(seat=seat, coin=coin) for coin in dict.fromkeys(state.lords[seat].pouch)]


def _offer_discards(state: NainsState, seat: Seat, _prompt: Discard) -> Sequence[NainsCommand]:
    return [DiscardDwarf(seat=seat, card=card) for card in state.open_tavern]


def _offer_recruits(state: NainsState, seat: Seat, _prompt: Recruit) -> Sequence[NainsCommand]:
    return recruits(state, seat)


def _offer_coins(state: NainsState, seat: Seat, _prompt: CoinUp) -> Sequence[NainsCommand]:
    return [UpgradeCoin(seat=seat, coin=coin, place=place) for coin, place in upgradable(state, seat)]


def _offer_looked_at(state: NainsState, seat: Seat, _prompt: Svara) -> Sequence[NainsCommand]:
    return [ChooseDwarf(seat=seat, card=card) for card in state.looked]


def _offer_markers(state: NainsState, seat: Seat, prompt: Unmark) -> Sequence[NainsCommand]:
    return [ReturnMarkers(seat=seat, cards=cards) for cards in marker_choices(state, seat, prompt.most)]


_OFFERS: Final[Mapping[type[Prompt], Callable[[NainsState, Seat, Any], Sequence[NainsCommand]]]] = {
    Bet: _offer_bets,
    Take: _offer_dwarves,
    PouchUp: _offer_pouch_coins,
    Discard: _offer_discards,
    Recruit: _offer_recruits,
    CoinUp: _offer_coins,
    Svara: _offer_looked_at,
    Unmark: _offer_markers,
}
