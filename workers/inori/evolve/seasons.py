"""What the game becomes by set-up, between seasons and at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from events.inori.events import (
    AltarScored,
    CardReplaced,
    CardScored,
    FirstPlayerDrawn,
    JourneyPileShuffled,
    NewStartCardsDrawn,
    NewStartDeckShuffled,
    NewStartPlaced,
    PiecesTakenBack,
    RunesShuffled,
    StartCardsLaid,
    WaitingPiecesTaken,
)
from events.inori.vocabulary import PLACE, CardId, InoriCatalogue
from events.messages import Seat
from workers.inori.evolve.shared import counted
from workers.inori.state import NEW_START, TURN, Chief, InoriState, Phase, Slot, Spot


def runes_shuffled(state: InoriState, event: RunesShuffled) -> InoriState:
    return replace(state, rune_pile=event.pile, rune_discard=())


def journey_pile_shuffled(state: InoriState, event: JourneyPileShuffled) -> InoriState:
    at = PLACE[event.colour]
    return replace(state, journey=(*state.journey[:at], event.pile, *state.journey[at + 1 :]))


def new_start_deck_shuffled(state: InoriState, event: NewStartDeckShuffled) -> InoriState:
    return replace(state, new_start=event.deck)


def start_cards_laid(state: InoriState, event: StartCardsLaid) -> InoriState:
    """Each root gets tokens of the lower-right colour of the card above it (rules, section 2, step 8)."""
    catalogue = state.catalogue
    lower = [catalogue.cards[card].lower for card in event.cards]
    tokens = [(colour,) * catalogue.tokens_per_root for colour in lower]
    altars = len(state.tree) - len(tokens)
    return replace(
        state,
        slots=tuple(_slot(catalogue, card) for card in event.cards),
        tree=(*state.tree[:altars], *(Spot(tokens=each) for each in tokens)),
        supply=counted(state.supply, [colour for each in tokens for colour in each], -1),
    )


def first_player_drawn(state: InoriState, event: FirstPlayerDrawn) -> InoriState:
    return _season_begun(state, event.seat, season=1)


def card_scored(state: InoriState, event: CardScored) -> InoriState:
    complete = (*state.complete, event.complete)
    phase: Phase = "season_score"
    if len(complete) == len(state.slots):
        phase = "taking_back" if state.season < state.catalogue.seasons else _after_altars(state, 0)
    return replace(state, complete=complete, phase=phase, chiefs=_scored(state.chiefs, event.points, "cards"))


def pieces_taken_back(state: InoriState, _event: PiecesTakenBack) -> InoriState:
    """Cards and Great Tree are empty, neutral pieces in storage; Altar tiles stay (rules, section 3.7, step 2)."""
    return replace(
        state,
        phase="replacing",
        replaced=0,
        slots=tuple(_slot(state.catalogue, slot.card) for slot in state.slots),
        tree=tuple(replace(spot, pieces=()) for spot in state.tree),
        neutrals=state.catalogue.neutral_pieces,
        chiefs=tuple(replace(chief, left=chief.pieces, aside=0) for chief in state.chiefs),
    )


def card_replaced(state: InoriState, event: CardReplaced) -> InoriState:
    at = state.replaced
    pile = PLACE[state.card(event.new).colour]
    journey = (*state.journey[:pile], state.journey[pile][1:], *state.journey[pile + 1 :])
    slots = (*state.slots[:at], _slot(state.catalogue, event.new), *state.slots[at + 1 :])
    phase: Phase = "replacing"
    if at + 1 == len(slots):
        phase = "new_pieces" if state.season + 1 in state.setup.waiting else "drawing"
    return replace(state, slots=slots, journey=journey, replaced=at + 1, phase=phase)


def waiting_pieces_taken(state: InoriState, _event: WaitingPiecesTaken) -> InoriState:
    chiefs = tuple(replace(chief, pieces=chief.pieces + 1, left=chief.left + 1) for chief in state.chiefs)
    return replace(state, chiefs=chiefs, phase="drawing")


def new_start_cards_drawn(state: InoriState, event: NewStartCardsDrawn) -> InoriState:
    deck = state.new_start[len(event.cards) :]
    return replace(state, phase="new_start", new_start=deck, drawn=event.cards, turn=event.seat, agenda=(NEW_START,))


def new_start_placed(state: InoriState, event: NewStartPlaced) -> InoriState:
    """The others drawn leave the game unseen (rules, section 3.7, step 5)."""
    slots = (*state.slots, _slot(state.catalogue, event.card))
    return _season_begun(replace(state, slots=slots, drawn=()), event.seat, season=state.season + 1)


def altar_scored(state: InoriState, event: AltarScored) -> InoriState:
    place = next(place for place, space in enumerate(state.catalogue.tree) if space.id == event.space)
    chiefs = _scored(state.chiefs, event.points, "altars")
    return replace(state, chiefs=chiefs, altars_scored=place + 1, phase=_after_altars(state, place + 1))


def _slot(catalogue: InoriCatalogue, card: CardId) -> Slot:
    return Slot(card, ((),) * len(catalogue.cards[card].spaces))


def _season_begun(state: InoriState, first: Seat, *, season: int) -> InoriState:
    """Return the state in the turn of a season's first player; play goes clockwise (rules, section 2, step 10)."""
    seats = tuple(map(Seat, range(len(state.chiefs))))
    order = (*seats[first:], *seats[:first])
    return replace(state, phase="turns", season=season, order=order, turn=first, agenda=TURN, complete=())


def _after_altars(state: InoriState, scored: int) -> Phase:
    """A space without a tile scores nothing and is passed over (rules, section 7.3)."""
    return "final_score" if any(spot.altar for spot in state.tree[scored:]) else "over"


def _scored(chiefs: Sequence[Chief], points: Sequence[int], part: Literal["cards", "altars"]) -> tuple[Chief, ...]:
    return tuple(
        replace(chief, **{part: getattr(chief, part) + more}) for chief, more in zip(chiefs, points, strict=True)
    )
