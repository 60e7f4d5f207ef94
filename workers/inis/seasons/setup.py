"""The components of a table by its modules, and what they add to set-up (expansion, sections 1.3 and 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from events.inis.vocabulary import InisCatalogue
from workers.inis import setup
from workers.inis.seasons.more import Expansion
from workers.inis.seasons.steps import DrawSeason, HarborOfCapital, SettleHarbors
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.steps.rounds import BeginRound, DrawBrenn, ShuffleTiles

FIVE: Final = 5


def components(catalogue: InisCatalogue, options: InisOptions, seats: int) -> InisCatalogue:
    """Return what is in play of the cards and tiles of a catalogue (expansion, section 1.3)."""
    added, modules = catalogue.modules, options.modules
    if added is None:
        raise AssertionError("a table with modules has their catalogue")
    at_sea = "sea_travels" in modules
    fifth = added.actions if "fifth_player" in modules and seats == FIVE else ()
    tales = added.tales if "new_epic_tales" in modules else ()
    return replace(
        catalogue,
        actions=(*catalogue.actions, *fifth),
        tales=(*catalogue.tales, *(each for each in tales if at_sea or each not in added.sea_tales)),
        tiles={**catalogue.tiles, **added.tiles} if at_sea else catalogue.tiles,
    )


def initial(catalogue: InisCatalogue, options: InisOptions, seats: int) -> InisState:
    """Return the state before anything is shuffled; ``catalogue`` holds what is in play."""
    state = setup.initial(catalogue, options, seats)
    return replace(
        state,
        agenda=tuple(each for step in state.agenda for each in _with_modules(state, step)),
        more=Expansion(king_tile="want" if "want_king" in options.modules else None),
    )


def _with_modules(state: InisState, step: Any) -> Iterator[Any]:  # noqa: ANN401  any step
    """Yield a step of the base game's set-up, with those of the modules beside it."""
    modules = state.options.modules
    if isinstance(step, DrawBrenn) and "sea_travels" in modules:
        yield from (SettleHarbors(), step, HarborOfCapital(), ShuffleTiles())
    elif isinstance(step, BeginRound) and "seasons" in modules:
        yield from (DrawSeason(), step)
    else:
        yield step
