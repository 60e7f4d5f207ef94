"""States of Inori that differ in nothing but what a viewpoint may not know."""

from __future__ import annotations

import random

from msgspec.structs import replace

from events.messages import Viewpoint
from tests.inori.table import CATALOGUE
from workers.inori.state import InoriState


def other_hands(state: InoriState, viewpoint: Viewpoint, chooser: random.Random) -> InoriState:
    """Return a state with other runes in all hands but the viewpoint's, and in the pile."""
    hidden = [rune for seat, chief in enumerate(state.chiefs) if seat != viewpoint for rune in chief.runes]
    dealt = chooser.sample((*hidden, *state.rune_pile), len(hidden) + len(state.rune_pile))
    order = list(CATALOGUE.runes)
    chiefs = []
    for seat, chief in enumerate(state.chiefs):
        if seat == viewpoint:
            chiefs.append(chief)
            continue
        hand, dealt = dealt[: len(chief.runes)], dealt[len(chief.runes) :]
        chiefs.append(replace(chief, runes=tuple(sorted(hand, key=order.index))))
    return replace(state, chiefs=tuple(chiefs), rune_pile=tuple(dealt))


def other_world(state: InoriState, viewpoint: Viewpoint, chooser: random.Random) -> InoriState:
    """Return a state that differs in nothing but what the viewpoint may not know."""
    state = other_hands(state, viewpoint, chooser)
    journey = tuple(tuple(chooser.sample(pile, len(pile))) for pile in state.journey)
    drawn, deck = state.drawn, list(state.new_start)
    if drawn and viewpoint != state.turn:
        deck = chooser.sample((*drawn, *deck), len(drawn) + len(deck))
        drawn, deck = tuple(deck[: len(drawn)]), deck[len(drawn) :]
    return replace(state, journey=journey, drawn=drawn, new_start=tuple(chooser.sample(deck, len(deck))))
