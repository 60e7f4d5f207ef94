"""What one viewpoint is told of each step of a game of Inori."""

from __future__ import annotations

from typing import Final

import msgspec

from events.inori.events import (
    InoriEvent,
    JourneyPileShuffled,
    NewStartCardsDrawn,
    NewStartDeckShuffled,
    RuneDrawn,
    RunesShuffled,
)
from events.inori.vocabulary import Colour
from events.messages import Seat, Viewpoint
from projections.kit.telling import Telling, Tellings, is_told_whole
from workers.inori.state import InoriState


class RunesShuffledFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="runes_shuffled"
):
    """So many runes were shuffled; their order nobody knows."""

    amount: int


class JourneyPileShuffledFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="journey_pile_shuffled"
):
    """So many Journey cards of a colour were shuffled; their order nobody knows."""

    colour: Colour
    amount: int


class NewStartDeckShuffledFaceDown(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="new_start_deck_shuffled",
):
    """So many New Start cards were shuffled; their order nobody knows."""

    amount: int


class RuneDrawnFaceDown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="rune_drawn"
):
    """A chief drew a rune; which, nobody else knows."""

    seat: Seat


class NewStartCardsDrawnAside(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="new_start_cards_drawn"
):
    """A chief looks at so many New Start cards; which, nobody else knows."""

    seat: Seat
    amount: int


Hidden = (
    RunesShuffledFaceDown
    | JourneyPileShuffledFaceDown
    | NewStartDeckShuffledFaceDown
    | RuneDrawnFaceDown
    | NewStartCardsDrawnAside
)
InoriTold = InoriEvent | Hidden
"""A step as it is told: the event itself, or one of the same kind without what the viewpoint may not know."""

TELLINGS: Final[Tellings] = {
    RunesShuffled: Telling(others=(RunesShuffledFaceDown,)),
    JourneyPileShuffled: Telling(others=(JourneyPileShuffledFaceDown,)),
    NewStartDeckShuffled: Telling(others=(NewStartDeckShuffledFaceDown,)),
    RuneDrawn: Telling(whole_to=("seat",), others=(RuneDrawnFaceDown,)),
    NewStartCardsDrawn: Telling(whole_to=("seat",), others=(NewStartCardsDrawnAside,)),
}
"""Events that are not told everybody as they stand."""


def told(_state: InoriState, event: InoriEvent, viewpoint: Viewpoint) -> InoriTold | None:
    """Return what a viewpoint is told of an event that happens in this state (rules, section 8)."""
    if is_told_whole(TELLINGS, event, viewpoint):
        return event
    match event:
        case RunesShuffled():
            return RunesShuffledFaceDown(amount=len(event.pile))
        case JourneyPileShuffled():
            return JourneyPileShuffledFaceDown(colour=event.colour, amount=len(event.pile))
        case NewStartDeckShuffled():
            return NewStartDeckShuffledFaceDown(amount=len(event.deck))
        case RuneDrawn():
            return RuneDrawnFaceDown(seat=event.seat)
        case NewStartCardsDrawn():
            return NewStartCardsDrawnAside(seat=event.seat, amount=len(event.cards))
        case _:
            raise AssertionError("what is not told whole has another shape")
