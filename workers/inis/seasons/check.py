"""What must hold in every state of a table of the expansion, beside what holds in every game."""

from __future__ import annotations

from workers.inis.check import require
from workers.inis.lattice import SEA, hexagons
from workers.inis.seasons.evolve import more_of
from workers.inis.seasons.harbors import cell_of, notches, sea_access
from workers.inis.state import InisState


def check_modules(state: InisState) -> None:
    """Raise ``AssertionError`` with what does not hold."""
    _check_modules_in_play(state)
    _check_sea(state)
    _check_tokens(state)


def _check_modules_in_play(state: InisState) -> None:
    more, modules, playing = more_of(state), state.options.modules, state.phase != "setup"
    require(not playing or (more.season is not None) == ("seasons" in modules), "a wheel is there or not", more.season)
    require((more.king_tile is not None) == ("want_king" in modules), "a King tile is there or not", more.king_tile)
    require("sea_travels" in modules or not more.harbors, "harbors belong to Sea Travels", more.harbors)


def _check_sea(state: InisState) -> None:
    """Every harbor lies at the sea, on a notch of its territory, alone; every island has one."""
    harbors, lands = more_of(state).harbors, state.lands
    require(set(harbors) <= set(lands), "harbors belong to territories in play", harbors)
    covered = frozenset(cell for land in lands.values() for cell in hexagons(land.location))
    cells = [cell_of(each) for each in harbors.values() if each != SEA]
    require(len(cells) == len(set(cells)), "no two Harbor tiles lie on one cell", harbors)
    for territory, spot in harbors.items():
        at_sea = lands[territory].location == SEA
        require((spot == SEA) == at_sea, "an island's harbor is at sea, no other is", territory)
        if not at_sea:
            require(cell_of(spot) in notches(lands[territory].location), "a harbor fills a notch", (territory, spot))
            require(sea_access(cell_of(spot), covered), "a harbor has access to the sea", (territory, spot))
    if state.clash is None and not state.plays and state.phase == "season":
        islands = [each for each, land in lands.items() if land.location == SEA]
        require(set(islands) <= set(harbors), "every island has a harbor", islands)
    for each, land in lands.items():
        require((land.location == SEA) == state.catalogue.tiles[each].island, "islands lie at sea, others do not", each)
        require(land.location != SEA or not land.beside, "an island is beside nothing", each)


def _check_tokens(state: InisState) -> None:
    more = more_of(state)
    for place in (more.fili_at, more.macha_at):
        require(place is None or place in state.lands, "a token lies in a territory in play", place)
    require(len(set(more.banshee)) == len(more.banshee), "nobody holds two Banshees", more.banshee)
    require(more.bran is None or more.bran.clans, "clans are on Bran's Journey", more.bran)
    clash = state.clash
    require(clash is not None or not (more.mist or more.sword), "mist and sword are of a clash", more)
    if clash is not None and more.mist:
        there = state.lands[clash.territory].clans
        inside = [hidden + own for hidden, own in zip(more.mist, clash.protected, strict=True)]
        require(
            all(own <= clans for own, clans in zip(inside, there, strict=True)), "hidden clans are there", more.mist
        )
