"""Lays out the game: what each Lord and the table start with (rules, section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from events.chance import Chance
from events.nains.events import ElitesLinedUp, EraShuffled, GemsDealt, NainsEvent
from events.nains.vocabulary import NainsCatalogue
from workers.nains.state import LAST_ERA, Lord, NainsOptions, NainsState


def initial(catalogue: NainsCatalogue, options: NainsOptions, seats: int) -> NainsState:
    """Return the state before anything is shuffled (rules, section 2, steps 1, 4, 6 and 9)."""
    setup = catalogue.lords[seats]
    thin = options.thin_treasury and setup.thins_treasury
    gold = (catalogue.coins[coin] for coin in catalogue.gold)
    return NainsState(
        catalogue=catalogue,
        options=options,
        setup=setup,
        lords=(Lord(hand=catalogue.bronze),) * seats,
        treasury=tuple(coin.thin_copies if thin else coin.copies for coin in gold),
        supply=catalogue.supply,
    )


def lay_out(state: NainsState, chance: Chance) -> Sequence[NainsEvent]:
    """Return what chance decides before the first turn, in the order of its draws (rules, section 2)."""
    catalogue = state.catalogue
    return [
        GemsDealt(gems=chance.shuffle(state.setup.gems)),
        ElitesLinedUp(cards=chance.shuffle(catalogue.elites)),
        *(
            EraShuffled(era=era, deck=chance.shuffle(catalogue.deck(era, state.setup.lords)))
            for era in range(1, LAST_ERA + 1)
        ),
    ]
