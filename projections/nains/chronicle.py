"""What one viewpoint is told of each step of a game of Nains."""

from __future__ import annotations

from typing import Final

import msgspec

from events.messages import Seat, Viewpoint
from events.nains.events import BetsPlaced, CardsLookedAt, CoinUpgraded, EraShuffled, NainsEvent
from events.nains.vocabulary import CoinId
from projections.kit.telling import Telling, Tellings, is_told_whole
from workers.nains.state import NainsState


class BetsPlacedFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="bets_placed"
):
    """A Lord has confirmed bets; which, nobody else knows yet."""

    seat: Seat


class CardsLookedAtAside(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="cards_looked_at"
):
    """A Lord looked at so many cards; which, nobody else knows."""

    seat: Seat
    amount: int


class CoinUpgradedFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="coin_upgraded"
):
    """A coin face down was upgraded; where it lies, nobody else knows."""

    seat: Seat
    old: CoinId
    new: CoinId


class EraShuffledFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="era_shuffled"
):
    """A deck of so many cards was shuffled; its order nobody knows."""

    era: int
    amount: int


Hidden = BetsPlacedFaceDown | CardsLookedAtAside | CoinUpgradedFaceDown | EraShuffledFaceDown
NainsTold = NainsEvent | Hidden
"""A step as it is told: the event itself, or one of the same kind without what the viewpoint may not know."""

TELLINGS: Final[Tellings] = {
    EraShuffled: Telling(others=(EraShuffledFaceDown,)),
    BetsPlaced: Telling(whole_to=("seat",), others=(BetsPlacedFaceDown,)),
    CardsLookedAt: Telling(whole_to=("seat",), others=(CardsLookedAtAside,)),
    CoinUpgraded: Telling(whole_to=("seat",), others=(CoinUpgraded, CoinUpgradedFaceDown)),
}
"""Events that are not told everybody as they stand."""


def told(state: NainsState, event: NainsEvent, viewpoint: Viewpoint) -> NainsTold | None:
    """Return what a viewpoint is told of an event that happens in this state (rules, section 7)."""
    if is_told_whole(TELLINGS, event, viewpoint):
        return event
    match event:
        case EraShuffled():
            return EraShuffledFaceDown(era=event.era, amount=len(event.deck))
        case BetsPlaced():
            return BetsPlacedFaceDown(seat=event.seat)
        case CardsLookedAt():
            return CardsLookedAtAside(seat=event.seat, amount=len(event.cards))
        case CoinUpgraded() if event.place == "hand" or not state.face_down(event.place):
            return event
        case CoinUpgraded():
            return CoinUpgradedFaceDown(seat=event.seat, old=event.old, new=event.new)
        case _:
            raise AssertionError("what is not told whole has another shape")
