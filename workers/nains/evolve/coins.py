"""What the game becomes by a coin that changes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.nains.events import CoinsExchanged, CoinUpgraded, PouchCoinUpgraded, TradeCoinTaken
from events.nains.vocabulary import SPOTS, CoinId
from workers.nains.evolve.shared import done, in_order
from workers.nains.state import Lord, NainsState


def coin_upgraded(state: NainsState, event: CoinUpgraded) -> NainsState:
    lord = state.lords[event.seat]
    if event.place in SPOTS:
        spot = SPOTS.index(event.place)
        changed = replace(lord, spots=(*lord.spots[:spot], event.new, *lord.spots[spot + 1 :]))
    elif event.place == "pouch":
        changed = replace(lord, pouch=_swapped(state, lord.pouch, event.old, event.new))
    else:
        changed = replace(lord, hand=_swapped(state, lord.hand, event.old, event.new))
    if event.old in lord.shown and state.face_down(event.place):
        changed = replace(changed, shown=_still_shown(state, lord, event))
    treasury = _traded(state, event.old, event.new)
    return done(state, event.seat, changed, treasury=treasury)


def pouch_coin_upgraded(state: NainsState, event: PouchCoinUpgraded) -> NainsState:
    lord = state.lords[event.seat]
    pouch = _swapped(state, lord.pouch, event.old, event.new)
    shown = [*lord.shown, event.new]
    if event.old in lord.shown:
        shown.remove(event.old)
    changed = replace(lord, pouch=pouch, shown=in_order(state.catalogue, shown))
    return done(state, event.seat, changed, treasury=_traded(state, event.old, event.new))


def coins_exchanged(state: NainsState, event: CoinsExchanged) -> NainsState:
    pouch = in_order(state.catalogue, (event.kept, event.new))
    changed = replace(state.lords[event.seat], pouch=pouch, shown=pouch)
    return done(state, event.seat, changed, treasury=_traded(state, event.given, event.new))


def trade_coin_taken(state: NainsState, event: TradeCoinTaken) -> NainsState:
    catalogue = state.catalogue
    lord = state.lords[event.seat]
    kept = [coin for coin in lord.hand if not catalogue.coins[coin].exchange]
    return done(state, event.seat, replace(lord, hand=in_order(catalogue, (*kept, catalogue.trade))))


def _swapped(state: NainsState, coins: Sequence[CoinId], old: CoinId, new: CoinId) -> tuple[CoinId, ...]:
    rest = list(coins)
    rest.remove(old)
    return in_order(state.catalogue, (*rest, new))


def _traded(state: NainsState, old: CoinId, new: CoinId) -> tuple[int, ...]:
    """Return the Treasury after a coin went back, if it is Gold, and another came out (rules, section 4.1)."""
    if old == new:
        return state.treasury
    treasury = list(state.treasury)
    gold = state.catalogue.gold
    if old in gold:
        treasury[gold.index(old)] += 1
    treasury[gold.index(new)] -= 1
    return tuple(treasury)


def _still_shown(state: NainsState, lord: Lord, event: CoinUpgraded) -> tuple[CoinId, ...]:
    """
    Return what all still know of the pouch after a coin face down changed, nobody else saw where.

    When only a coin known to lie in the pouch can be meant, it is known what it became.
    """
    shown = list(lord.shown)
    shown.remove(event.old)
    hidden = (*lord.spots[state.tavern :], *lord.pouch)
    if hidden.count(event.old) == lord.shown.count(event.old):
        shown.append(event.new)
    return in_order(state.catalogue, shown)
