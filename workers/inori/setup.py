"""Lays out the game: what each chief and the table start with (rules, section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from events.chance import Chance
from events.inori.events import (
    FirstPlayerDrawn,
    InoriEvent,
    JourneyPileShuffled,
    NewStartDeckShuffled,
    RunesShuffled,
    StartCardsLaid,
)
from events.inori.vocabulary import COLOURS, CardId, InoriCatalogue
from events.messages import Seat
from workers.inori.state import Chief, InoriOptions, InoriState, Spot


def initial(catalogue: InoriCatalogue, options: InoriOptions, seats: int) -> InoriState:
    """Return the state before anything is shuffled (rules, section 2, steps 1, 3, 4 and 9)."""
    setup = catalogue.seats[seats]
    return InoriState(
        catalogue=catalogue,
        options=options,
        setup=setup,
        chiefs=(Chief(pieces=setup.pieces, left=setup.pieces),) * seats,
        supply=(catalogue.tokens_per_colour,) * len(COLOURS),
        neutrals=catalogue.neutral_pieces,
        tree=(Spot(),) * len(catalogue.tree),
    )


def lay_out(state: InoriState, chance: Chance) -> Sequence[InoriEvent]:
    """Return what chance decides before the first turn, in the order of its draws (rules, section 2)."""
    catalogue, seats = state.catalogue, len(state.chiefs)
    return [
        RunesShuffled(pile=chance.shuffle(catalogue.runes)),
        *(
            JourneyPileShuffled(colour=colour, pile=chance.shuffle(catalogue.of_kind("journey", colour, seats=seats)))
            for colour in COLOURS
        ),
        NewStartDeckShuffled(deck=chance.shuffle(catalogue.of_kind("new_start", seats=seats))),
        StartCardsLaid(cards=_start_cards(catalogue, seats, chance)),
        FirstPlayerDrawn(seat=Seat(chance.below(seats))),
    ]


def _start_cards(catalogue: InoriCatalogue, seats: int, chance: Chance) -> tuple[CardId, ...]:
    """Return one card of each pair (rules, section 2, step 7)."""
    pairs = ([catalogue.of_kind("start", colour, seats=seats)[0] for colour in pair] for pair in catalogue.pairs)
    return tuple(chance.choose(pair) for pair in pairs)
