"""Tables of Seasons of Inis in the situation a test needs, made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from events.inis.commands import PassTurn, VotePeace
from events.inis.vocabulary import Location
from tests.inis.table import EXPANDED, Game, here, state_with
from tests.spec import context
from workers.inis.lattice import SEA
from workers.inis.seasons.harbors import spots
from workers.inis.seasons.more import Expansion
from workers.inis.seasons.steps import BansheeRemove, BranReturn
from workers.inis.state import InisState
from workers.inis.state.options import MODULES, InisOptions

ALL = MODULES
SIX = ("cove", "forest", "valley", "moor", "hills", "plains")


def options(*modules: str, **others: Any) -> InisOptions:  # noqa: ANN401  options of the base game
    """Return options that ask for these modules."""
    asked: dict[str, Any] = {**dict.fromkeys(modules, True), **others}
    return InisOptions(**asked)


def more(state: InisState) -> Expansion:
    assert state.more is not None
    return state.more


def expanded(state: InisState, **fields: Any) -> InisState:  # noqa: ANN401  fields of the expansion
    """Return the state with the expansion's part changed."""
    return replace(state, more=replace(more(state), **fields))


def season_state(
    tiles: Sequence[str] = ("cove", "forest", "valley", "moor"),
    *,
    modules: Sequence[str] = ALL,
    season: str | None = "imbolc",
    harbors: Iterable[str] = (),
    changes: dict[str, Any] | None = None,
    **fields: Any,  # noqa: ANN401  as for state_with
) -> InisState:
    """
    Return a state in a Season with these modules.

    The season of the wheel is Imbolc, which has no effect in phase 2. ``harbors`` are territories that have one beside
    those whose tile brings it, ``changes`` are fields of the expansion.
    """
    state = state_with(tiles, options=fields.pop("options", options(*modules)), **fields)
    state = expanded(state, season=season if "seasons" in modules else None)
    if "sea_travels" in modules:
        own = [each for each in state.lands if state.catalogue.tiles[each].harbor]
        for each in dict.fromkeys((*own, *map(here, harbors))):
            state = with_harbor(state, each)
    return expanded(state, **(changes or {}))


def with_harbor(state: InisState, territory: str, spot: str | None = None) -> InisState:
    """Return the state with a Harbor tile in a territory, at a spot or at the first one."""
    where = here(territory)
    found = Location(spot) if spot else next(iter(spots(state, where)))
    return expanded(state, harbors={**more(state).harbors, where: found})


def season_turn(*args: Any, **fields: Any) -> Game:  # noqa: ANN401  as for season_state
    """Return a game in which it is Ann's turn."""
    return Game(season_state(*args, **fields))


def opened(
    seats: int,
    *modules: str,
    seed: bytes = bytes(32),
    stop: bool = False,
) -> Game:
    """Return a new game after set-up, at its first draft, or with ``stop`` before the capital is chosen."""
    state: InisState = EXPANDED.initial(options(*modules), seats)
    for event in EXPANDED.open_(state, context(seed=seed)):
        state = EXPANDED.evolve(state, event)
    game = Game(state)
    while not stop and not game.state.draft:
        seat = game.asked[0]
        game.send(game.legal(seat)[0], seed=seed)
    return game


def drafted(game: Game) -> Game:
    """Return the game after its draft."""
    while game.state.draft:
        game.send(game.legal(game.asked[0])[0])
    return game


def island_of(state: InisState) -> list[str]:
    """Return the islands in play."""
    return [land.id for land in state.lands.values() if land.location == SEA]


def stacked(state: InisState, *tiles: str) -> InisState:
    """Return the state with these tiles on top of the stack."""
    rest = tuple(each for each in state.stack if each not in tiles)
    return replace(state, stack=(*map(here, tiles), *rest))


def quietly(game: Game, until: Callable[[Game], object]) -> Game:
    """Let everybody pass and decline as far as they may, until something is so."""
    happened = list(game.events)
    while not until(game):
        seat = game.asked[0]
        if game.window:
            game.answer()
        elif PassTurn(seat=seat) in game.legal(seat):
            game.passes(seat)
        else:
            game.send(
                next((each for each in game.legal(seat) if each == VotePeace(seat=seat, end=True)), game.legal(seat)[0])
            )
        happened += game.events
    game.events = happened
    return game


def at_dusk(game: Game) -> Game:
    """Return the game at the first question after the last turn, or in the next Assembly."""
    return quietly(game, lambda now: now.state.phase != "season" or isinstance(now.state.agenda[0], DUSK))


DUSK = (BansheeRemove, BranReturn)
"""Questions that come between the last turn and the end of a season."""
