"""What the game becomes by what happens."""

from __future__ import annotations

from events.nains.events import NainsEvent
from workers.kit.evolver import evolver
from workers.nains.evolve.cards import (
    award_lost,
    award_won,
    cards_looked_at,
    dwarf_chosen,
    dwarf_taken,
    fighter_recruited,
    markers_returned,
    pariah_marked,
    recruit_lost,
)
from workers.nains.evolve.coins import coin_upgraded, coins_exchanged, pouch_coin_upgraded, trade_coin_taken
from workers.nains.evolve.turns import (
    bets_placed,
    dwarf_discarded,
    dwarves_entered,
    elites_lined_up,
    era_shuffled,
    gems_dealt,
    gems_exchanged,
    leftover_discarded,
    tavern_revealed,
    turn_ended,
)

evolve = evolver(
    NainsEvent,
    gems_dealt,
    elites_lined_up,
    era_shuffled,
    dwarves_entered,
    bets_placed,
    tavern_revealed,
    dwarf_taken,
    pariah_marked,
    coin_upgraded,
    pouch_coin_upgraded,
    dwarf_discarded,
    leftover_discarded,
    fighter_recruited,
    recruit_lost,
    cards_looked_at,
    dwarf_chosen,
    markers_returned,
    coins_exchanged,
    gems_exchanged,
    turn_ended,
    award_won,
    award_lost,
    trade_coin_taken,
)
