"""How a bot plays Nains: it takes what adds most to its own Bravery Value, and bets high where cards differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from events.nains.vocabulary import ORDERS, Card, CardId, CoinId, NainsCatalogue, Order
from seeds.catalogues import CATALOGUES

View = Mapping[str, Any]

RECRUIT_WORTH: Final = 13.0
"""What a row is worth: about the points of a good Fighter."""
NEAR_A_ROW: Final = 2.5
"""What a rank in a shortest column is worth when it completes no row yet."""
HIDDEN_HOPED_FOR: Final = 3
"""Hidden icons a Lord has at the end, about."""
TEMPLE_HOPED_FOR: Final = 7
"""Points a Temple has at the end, about."""
MALT_WORTH: Final = 1.0
UPGRADE_WORTH: Final = 2.0
COIN_WORTH: Final = 1.0
"""What a higher coin is worth at the end of the game."""
COIN_USE: Final = 0.25
"""What it is worth in each turn that is still to come."""


@cache
def _catalogue() -> NainsCatalogue:
    components: NainsCatalogue = CATALOGUES("nains").newest.components
    return components


def choose(view: View, legal: Sequence[View], random: Random) -> int:
    """Return the number of the legal command that looks best; ties are broken at random."""
    board, seat = view["board"], view["viewpoint"]
    step = view["prompt"].get("by", 0)
    worth = [_worth(command, board, seat, step) + random.random() * 0.01 for command in legal]
    return max(range(len(legal)), key=worth.__getitem__)


def _worth(command: View, board: View, seat: int, step: int) -> float:
    lord = board["lords"][seat]
    match command["kind"]:
        case "place_bets":
            return _bets(command["coins"], board, seat)
        case "take_dwarf" | "choose_dwarf" | "recruit_fighter":
            return _gain(_card(command["card"]), command.get("column"), lord)
        case "discard_dwarf":
            rival = next(each for each in board["lords"] if each["seat"] != seat)
            return _gain(_card(command["card"]), None, rival)
        case "upgrade_coin" | "upgrade_pouch_coin":
            return _upgrade(command["coin"], step, board)
        case "return_markers":
            return float(sum(_card(card).points for card in command["cards"]))
        case _:
            return 0.0


def _card(name: str) -> Card:
    return _catalogue().cards[CardId(name)]


def _gain(card: Card, column: Order | None, lord: View) -> float:
    """Return about how much a card adds to a Lord's Bravery Value (rules, section 6), with what it promises."""
    order = column or card.order
    gain = _icons(card, lord) + _effect(card)
    if order is None or card.rank_colour == "white":
        return gain + card.points + _counted(card, lord)
    return gain + _points(card, order, lord) + _rows(card, order, lord)


def _points(card: Card, order: Order, lord: View) -> float:
    ranks = lord["ranks"][order]
    if order == "SHI":
        return float(_shield(ranks + card.ranks) - _shield(ranks) + card.points)
    if order == "TEM" and card.rank_colour != "black":
        return float(card.points * max(_icons_of(lord, "hidden"), HIDDEN_HOPED_FOR))
    if order == "WAN" and not card.any_column:
        there = {_card(each["card"]).points for each in lord["columns"]["WAN"]}
        return 0.0 if card.points in there and card.points else float(card.points)
    upgrade = UPGRADE_WORTH if order == "RET" and card.kind == "dwarf" else 0.0
    return card.points + upgrade


def _rows(card: Card, order: Order, lord: View) -> float:
    ranks: dict[str, int] = dict(lord["ranks"])
    rows = min(ranks.values())
    after = min({**ranks, order: ranks[order] + card.ranks}.values())
    if after > rows:
        return RECRUIT_WORTH * (after - rows)
    return NEAR_A_ROW if ranks[order] == rows else 0.0


def _icons(card: Card, lord: View) -> float:
    temple = sum(_card(each["card"]).points for each in lord["columns"]["TEM"])
    gain = card.malt * MALT_WORTH + card.hidden * max(temple, TEMPLE_HOPED_FOR)
    if card.rune is not None:
        runes = {_card(name).rune for name in _owned(lord)} - {None}
        gain += 0 if card.rune in runes else 2 * len(runes) + 1
    return gain


def _effect(card: Card) -> float:
    match card.effect:
        case "coin_up":
            return card.amount * COIN_WORTH
        case "unmark":
            return 3.0
        case "svara":
            return 9.0
        case _:
            return 0.0


def _counted(card: Card, lord: View) -> float:
    match card.per:
        case "highest_coin":
            return float(max(_value(coin) for coin in lord["coins"]) + 3)
        case "gem":
            return float(card.each * lord["gem"])
        case "malt":
            return float(card.each * _icons_of(lord, "malt"))
        case _:
            return 0.0


def _owned(lord: View) -> list[str]:
    return [each["card"] for order in ORDERS for each in lord["columns"][order]] + list(lord["command_area"])


def _icons_of(lord: View, icon: str) -> int:
    return sum(getattr(_card(name), icon) for name in _owned(lord))


def _shield(ranks: int) -> int:
    catalogue = _catalogue()
    if ranks < len(catalogue.shield):
        return catalogue.shield[ranks]
    return ranks * (ranks + catalogue.shield_plus) // catalogue.shield_over


def _bets(coins: Sequence[CoinId], board: View, seat: int) -> float:
    """Return what a placement promises: the cards it will win, and the coin an exchange will bring."""
    lord = board["lords"][seat]
    rivals = [each["coins"] for each in board["lords"] if each["seat"] != seat]
    promise = 0.0
    for coin, cards in zip(coins, board["taverns"], strict=True):
        gains = sorted((_gain(_card(card), None, lord) for card in cards), reverse=True)
        ahead = sum(sum(_value(other) > _value(coin) for other in each) / len(each) for each in rivals)
        promise += _between(gains, ahead)
    if any(_catalogue().coins[coin].exchange for coin in coins):
        pouch = list(lord["coins"])
        for coin in coins:
            pouch.remove(coin)
        low, high = sorted(map(_value, pouch))
        growth = _taken(low + high, high, board) - high
        promise += growth * (COIN_WORTH + COIN_USE * _turns_left(board))
    return promise


def _between(gains: Sequence[float], place: float) -> float:
    """Return the gain at a place between two of the list."""
    first = min(int(place), len(gains) - 1)
    second = min(first + 1, len(gains) - 1)
    share = min(place - first, 1.0)
    return gains[first] * (1 - share) + gains[second] * share


def _turns_left(board: View) -> int:
    left: int = board["turns"] - board["turn"] + (board["turns"] if board["era"] == 1 else 0)
    return left


def _value(coin: str) -> int:
    return _catalogue().coins[CoinId(coin)].value


def _taken(target: int, given: int, board: View) -> int:
    """Return the value the Treasury gives for a target (rules, section 4.2)."""
    there = sorted(_value(coin) for coin, copies in board["treasury"].items() if copies and _value(coin) != given)
    return next((value for value in there if value >= target), there[-1] if there else given)


def _upgrade(coin: str, step: int, board: View) -> float:
    return float(_taken(_value(coin) + step, _value(coin), board) - _value(coin))
