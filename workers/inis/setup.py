"""What the game starts with, and what set-up does (rules, section 2)."""

from __future__ import annotations

from events.inis.vocabulary import InisCatalogue
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.state.pieces import Contender
from workers.inis.steps.rounds import (
    BeginRound,
    DrawBrenn,
    LayTile,
    PlaceFirstClans,
    ShuffleTales,
    ShuffleTiles,
    TossCrows,
)


def initial(catalogue: InisCatalogue, options: InisOptions, seats: int) -> InisState:
    """Return the state before anything is shuffled (rules, section 2, steps 1 to 3), with set-up on the agenda."""
    return InisState(
        catalogue=catalogue,
        options=options,
        setup=catalogue.players[seats],
        contenders=(Contender(reserve=catalogue.clans),) * seats,
        citadels=catalogue.citadels,
        sanctuaries=catalogue.sanctuaries,
        stack=tuple(catalogue.tiles),
        deck=catalogue.tales,
        pile=catalogue.action_deck(seats),
        agenda=(
            ShuffleTales(),
            ShuffleTiles(),
            *(LayTile(location) for location in catalogue.layout[:seats]),
            DrawBrenn(),
            TossCrows(first=True),
            PlaceFirstClans(),
            BeginRound(),
        ),
    )
