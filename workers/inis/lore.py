"""What every step of the agenda is for: the lore of the base game, and that of Seasons of Inis over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workers.inis import windows
from workers.inis.agenda import Lore
from workers.inis.phases import assembly, board, clans, clash, hands, losses, playing, season, tiles
from workers.inis.seasons.lore import LORES as SEASONS
from workers.inis.state import InisState


def joined(lores: Sequence[Lore]) -> Lore:
    """Return one lore; what a later one knows of a step replaces what an earlier one does."""
    return Lore(
        silent={kind: known for lore in lores for kind, known in lore.silent.items()},
        happens={kind: known for lore in lores for kind, known in lore.happens.items()},
        options={kind: known for lore in lores for kind, known in lore.options.items()},
        answers={kind: known for lore in lores for kind, known in lore.answers.items()},
        choices={kind: known for lore in lores for kind, known in lore.choices.items()},
        asks={kind: known for lore in lores for kind, known in lore.asks.items()},
    )


BASE: Final = joined(
    (
        windows.LORE,
        playing.LORE,
        hands.LORE,
        clans.LORE,
        losses.LORE,
        board.LORE,
        tiles.LORE,
        assembly.LORE,
        season.LORE,
        clash.LORE,
    )
)
EXPANDED: Final = joined((BASE, *SEASONS))


def lore_of(state: InisState) -> Lore:
    """Return what is known of steps at a table."""
    return BASE if state.more is None else EXPANDED
