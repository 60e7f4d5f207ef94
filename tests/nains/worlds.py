"""States of Nains that differ in nothing but what a viewpoint may not know."""

from __future__ import annotations

import random

from msgspec.structs import replace

from events.messages import Viewpoint
from events.nains.vocabulary import SPOTS
from tests.nains.table import CATALOGUE
from workers.nains.state import Lord, NainsState


def other_world(state: NainsState, viewpoint: Viewpoint, chooser: random.Random) -> NainsState:
    """Return a state that differs in nothing but what the viewpoint may not know."""
    owner = state.agenda[0][0] if state.looked else None
    looked = state.looked
    decks = [list(deck) for deck in state.decks]
    for deck in decks:
        chooser.shuffle(deck)
    if looked and viewpoint != owner:
        looked = tuple(decks[1][: len(looked)])
    lords = tuple(
        lord if seat == viewpoint else _shifted(state, lord, chooser) for seat, lord in enumerate(state.lords)
    )
    return replace(state, decks=tuple(map(tuple, decks)), looked=looked, lords=lords)


def _shifted(state: NainsState, lord: Lord, chooser: random.Random) -> Lord:
    """Return the Lord with coins face down lying elsewhere, as far as nobody knows better."""
    if not lord.spots:
        return lord
    free = list(lord.pouch)
    for coin in lord.shown:
        free.remove(coin)
    hidden = [*lord.spots[state.tavern :], *free]
    chooser.shuffle(hidden)
    spots, rest = hidden[: len(SPOTS) - state.tavern], hidden[len(SPOTS) - state.tavern :]
    pouch = sorted((*lord.shown, *rest), key=lambda coin: CATALOGUE.coins[coin].place)
    return replace(lord, spots=(*lord.spots[: state.tavern], *spots), pouch=tuple(pouch))
