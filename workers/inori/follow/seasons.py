"""What happens by itself between seasons and at the end of the game (rules, sections 3.7 and 3.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.inori.events import (
    AltarScored,
    CardReplaced,
    CardScored,
    InoriEvent,
    NewStartCardsDrawn,
    PiecesTakenBack,
    WaitingPiecesTaken,
)
from events.inori.vocabulary import PLACE
from workers.inori.scoring import altar_points, card_points
from workers.inori.state import InoriState, Phase


def score_card(state: InoriState) -> InoriEvent:
    """Check the next card (step 1)."""
    slot = state.slots[len(state.complete)]
    return CardScored(card=slot.card, complete=slot.is_complete, points=card_points(state, slot))


def take_pieces_back(_state: InoriState) -> InoriEvent:
    return PiecesTakenBack()


def replace_card(state: InoriState) -> InoriEvent:
    """A complete card is followed by its own colour, an incomplete one by that of its lower-right corner (step 3)."""
    old = state.card(state.slots[state.replaced].card)
    colour = old.colour if state.complete[state.replaced] else old.lower
    return CardReplaced(old=old.id, new=state.journey[PLACE[colour]][0])


def take_waiting_pieces(_state: InoriState) -> InoriEvent:
    return WaitingPiecesTaken()


def draw_new_starts(state: InoriState) -> InoriEvent:
    """Let the chief with fewest points draw, of several the last in the order of this season (step 5)."""
    fewest = min(chief.score for chief in state.chiefs)
    seat = next(seat for seat in reversed(state.order) if state.chiefs[seat].score == fewest)
    return NewStartCardsDrawn(seat=seat, cards=state.new_start[: state.catalogue.new_start_drawn])


def score_altar(state: InoriState) -> InoriEvent:
    """Score the next space of the Great Tree that has an Altar (rules, section 7.3)."""
    place = next(place for place in range(state.altars_scored, len(state.tree)) if state.tree[place].altar)
    space, colour = state.catalogue.tree[place], state.tree[place].altar
    counts = [chief.count(colour) if colour else 0 for chief in state.chiefs]
    return AltarScored(space=space.id, points=altar_points(space, counts))


PHASES: Final[Mapping[Phase, Callable[[InoriState], InoriEvent]]] = {
    "season_score": score_card,
    "taking_back": take_pieces_back,
    "replacing": replace_card,
    "new_pieces": take_waiting_pieces,
    "drawing": draw_new_starts,
    "final_score": score_altar,
}
