"""What the game becomes by what happens."""

from __future__ import annotations

from events.inori.events import InoriEvent
from workers.inori.evolve.seasons import (
    altar_scored,
    card_replaced,
    card_scored,
    first_player_drawn,
    journey_pile_shuffled,
    new_start_cards_drawn,
    new_start_deck_shuffled,
    new_start_placed,
    pieces_taken_back,
    runes_shuffled,
    start_cards_laid,
    waiting_pieces_taken,
)
from workers.inori.evolve.turns import (
    altar_placed,
    neutral_placed,
    offered_to_card,
    offered_to_tree,
    piece_laid_aside,
    piece_moved,
    points_scored,
    root_tokens_taken,
    rune_drawn,
    rune_missed,
    rune_played,
    tokens_gained,
    tokens_paid,
    turn_ended,
)
from workers.kit.evolver import evolver

evolve = evolver(
    InoriEvent,
    runes_shuffled,
    journey_pile_shuffled,
    new_start_deck_shuffled,
    start_cards_laid,
    first_player_drawn,
    offered_to_card,
    offered_to_tree,
    piece_laid_aside,
    rune_played,
    piece_moved,
    tokens_paid,
    altar_placed,
    tokens_gained,
    root_tokens_taken,
    rune_drawn,
    rune_missed,
    points_scored,
    neutral_placed,
    turn_ended,
    card_scored,
    pieces_taken_back,
    card_replaced,
    waiting_pieces_taken,
    new_start_cards_drawn,
    new_start_placed,
    altar_scored,
)
