"""What a Lord is worth, at any time and at the end (rules, section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from events.messages import Outcome, Score, Seat
from events.nains.vocabulary import ORDERS, Card, CardId, NainsCatalogue
from workers.nains.state import Lord, NainsState

PARTS: Final = ("retaliation", "wanderers", "temple", "shield", "forge", "command_area", "certification", "coins")
"""The eight parts of the Final Bravery Value, as they are named in a score."""


def shield_worth(catalogue: NainsCatalogue, ranks: int) -> int:
    """Return what a Shield column of so many ranks is worth (rules, section 1.6)."""
    if ranks < len(catalogue.shield):
        return catalogue.shield[ranks]
    return ranks * (ranks + catalogue.shield_plus) // catalogue.shield_over


def malt_icons(catalogue: NainsCatalogue, lord: Lord) -> int:
    """Return the Malt icons of a city-state-fortress, those of marked cards among them (rules, section 3.10)."""
    return sum(catalogue.cards[card].malt for card in lord.cards)


def score_parts(catalogue: NainsCatalogue, lord: Lord) -> dict[str, int]:
    """Return the eight parts of a Lord's Bravery Value as it stands (rules, section 6.1)."""
    every = catalogue.cards
    retaliation, wanderers, temple, shield, forge = ([every[card] for card in column] for column in lord.columns)
    command_area = [every[card] for card in lord.command_area]
    owned = (*retaliation, *wanderers, *temple, *shield, *forge, *command_area)
    hidden = sum(card.hidden for card in owned)
    runes = len({card.rune for card in owned if card.rune})
    values = [catalogue.coins[coin].value for coin in lord.coins]
    counted = {
        "highest_coin": max(values, default=0),
        "gem": lord.gem,
        "malt": sum(card.malt for card in owned),
    }
    certification = 0
    commanded = 0
    for card in command_area:
        worth = card.points + (card.each * counted[card.per] if card.per else 0)
        if card.kind == "certification":
            certification += worth
        else:
            commanded += worth
    return {
        "retaliation": _points(retaliation),
        "wanderers": _points(card for card in wanderers if card.id not in lord.marked),
        "temple": _points(card for card in temple if not _is_black(card)) * hidden
        + _points(card for card in temple if _is_black(card)),
        "shield": shield_worth(catalogue, lord.ranks[ORDERS.index("SHI")])
        + _points(card for card in shield if card.any_column),
        "forge": _points(forge) + runes**2,
        "command_area": commanded,
        "certification": certification,
        "coins": sum(values),
    }


def winner_of(state: NainsState, award: CardId) -> Seat | None:
    """
    Return who wins a card of the award line: the one Lord with most of what it asks for, above nothing.

    An Elite Fighter counts all ranks of its Order's column, the Certification all Malt icons
    (rules, section 3.10).
    """
    order = state.card(award).order
    if order is None:
        counts = [malt_icons(state.catalogue, lord) for lord in state.lords]
    else:
        column = ORDERS.index(order)
        counts = [lord.ranks[column] for lord in state.lords]
    most = max(counts)
    return Seat(counts.index(most)) if most > 0 and counts.count(most) == 1 else None


def outcome(state: NainsState) -> Outcome | None:
    """Return the ranking by Final Bravery Value once Era 2 is over (rules, sections 6.1 and 6.4)."""
    if state.phase != "over":
        return None
    scores = []
    for seat, lord in enumerate(state.lords):
        parts = score_parts(state.catalogue, lord)
        scores.append(Score(seat=Seat(seat), total=sum(parts.values()), parts=parts))
    groups: dict[tuple[int, int], list[Seat]] = {}
    by_gem = state.options.tie_break == "gem"
    for score in scores:
        key = (score.total, state.lords[score.seat].gem if by_gem else 0)
        groups.setdefault(key, []).append(score.seat)
    ranking = tuple(tuple(groups[key]) for key in sorted(groups, reverse=True))
    return Outcome(reason="final_scoring", ranking=ranking, scores=tuple(scores))


def _points(cards: Iterable[Card]) -> int:
    return sum(card.points for card in cards)


def _is_black(card: Card) -> bool:
    return card.rank_colour == "black"
