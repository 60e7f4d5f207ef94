"""What the game becomes by what happens, as far as anything has to happen or be answered again."""

from __future__ import annotations

from events.inis.events import InisEvent
from events.messages import Event
from workers.inis.evolve import board, cards, rounds
from workers.inis.lore import lore_of
from workers.inis.seasons import evolve as seasons
from workers.inis.state import InisState
from workers.kit.evolver import evolver

_apply = evolver(
    InisEvent,
    rounds.tiles_shuffled,
    rounds.tile_laid,
    rounds.tiles_revealed,
    rounds.tiles_put_under,
    rounds.brenn_drawn,
    rounds.capital_chosen,
    rounds.crows_tossed,
    rounds.crows_turned,
    rounds.brenn_assigned,
    rounds.king_crowned,
    rounds.pretenders_returned,
    rounds.advantages_taken,
    rounds.aside_chosen,
    rounds.actions_dealt,
    rounds.second_draft_dealt,
    rounds.cards_kept,
    rounds.cards_passed,
    rounds.turn_passed,
    rounds.pretender_taken,
    rounds.deed_gained,
    rounds.deed_returned,
    rounds.season_ended,
    cards.declaration_begun,
    cards.part_declared,
    cards.part_taken_back,
    cards.card_played,
    cards.window_answered,
    cards.window_closed,
    cards.choice_made,
    cards.play_cancelled,
    cards.play_discarded,
    cards.play_taken_back,
    cards.play_given,
    cards.tales_shuffled,
    cards.tales_drawn,
    cards.tale_kept,
    cards.tales_revealed,
    cards.tale_claimed,
    cards.card_discarded,
    cards.card_taken,
    cards.card_set_aside,
    cards.card_stolen,
    cards.card_given,
    cards.tribute_chosen,
    cards.tribute_paid,
    cards.hand_seen,
    cards.advantage_claimed,
    board.clan_placed,
    board.clans_moved,
    board.clan_removed,
    board.clan_exchanged,
    board.clan_saved,
    board.clan_reappeared,
    board.cauldron_set,
    board.cauldron_emptied,
    board.citadel_built,
    board.sanctuary_built,
    board.festival_held,
    board.clash_started,
    board.clan_sheltered,
    board.shelter_declined,
    board.citadels_emptied,
    board.peace_voted,
    board.attack_declared,
    board.withdrawal_declared,
    board.clash_ended,
    *seasons.FUNCTIONS,
)


def evolve(state: InisState, event: Event) -> InisState:
    """Return the state after an event, at the next step that needs another event or an answer."""
    after = _apply(state, event)
    return advance(after if after.more is None else seasons.afterwards(after, event))


def advance(state: InisState) -> InisState:
    """Let all steps turn into others that need no event for it."""
    silents = lore_of(state).silent
    while state.agenda:
        step = state.agenda[0]
        silent = silents.get(type(step))
        after = silent(state, step) if silent else None
        if after is None:
            break
        state = after
    return state
