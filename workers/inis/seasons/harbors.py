"""Harbor tiles on the lattice: where one may lie, and whether it still has access to the sea (sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from events.inis.vocabulary import Location, TerritoryId
from workers.inis.lattice import SEA, STEPS, Hexagon, free_locations, hexagons
from workers.inis.state import InisState

NOTCHES: Final = {"U": ((-1, 1), (1, -1), (1, 1)), "D": ((0, -1), (0, 1), (2, -1))}
"""The cells that touch a tile with two edges, from its first hexagon (section 5.4)."""
AROUND: Final = 2
"""How far beyond tiles and harbor the open sea is looked for."""


def spot_at(cell: Hexagon) -> Location:
    """Return the name of the place of a Harbor tile: ``H`` and its cell."""
    return Location(f"H{cell[0]},{cell[1]}")


@lru_cache(maxsize=4096)
def cell_of(spot: Location) -> Hexagon:
    """Return the cell that a Harbor tile covers."""
    q, r = map(int, spot[1:].split(","))
    return q, r


@lru_cache(maxsize=4096)
def notches(location: Location) -> tuple[Hexagon, ...]:
    """Return the three spots of a tile, in order of q, then r."""
    q, r = map(int, location[1:].split(","))
    return tuple(sorted((q + dq, r + dr) for dq, dr in NOTCHES[location[0]]))


@lru_cache(maxsize=16384)
def sea_access(cell: Hexagon, covered: frozenset[Hexagon]) -> bool:
    """Return whether water leads from a Harbor tile out of all tiles; a hole between tiles is a lake."""
    if cell in covered:
        return False
    cells = (*covered, cell)
    low_q, high_q = min(q for q, _ in cells) - AROUND, max(q for q, _ in cells) + AROUND
    low_r, high_r = min(r for _, r in cells) - AROUND, max(r for _, r in cells) + AROUND
    reached, waters = {cell}, [cell]
    while waters:
        q, r = waters.pop()
        if not (low_q <= q <= high_q and low_r <= r <= high_r):
            return True
        for dq, dr in STEPS:
            near = (q + dq, r + dr)
            if near not in covered and near not in reached:
                reached.add(near)
                waters.append(near)
    return False


@lru_cache(maxsize=1024)
def harbor_spots(location: Location, others: tuple[Location, ...], taken: tuple[Location, ...]) -> tuple[Location, ...]:
    """
    Return where the Harbor tile of a tile may lie: spots away from other tiles if there are any, else all candidates.

    Args:
        location: of the tile that gets the harbor.
        others: of all other tiles.
        taken: the other Harbor tiles.
    """
    foreign = frozenset(each for tile in others for each in hexagons(tile))
    covered = foreign | frozenset(hexagons(location))
    full = {cell_of(each) for each in taken}
    candidates = [each for each in notches(location) if each not in covered | full and sea_access(each, covered)]
    preferred = [each for each in candidates if not any((each[0] + q, each[1] + r) in foreign for q, r in STEPS)]
    return tuple(spot_at(each) for each in preferred or candidates)


@lru_cache(maxsize=1024)
def free_sites(tiles: tuple[Location, ...], harbors: tuple[Location, ...], touching: int) -> tuple[Location, ...]:
    """Return every place for a new mainland tile that leaves all harbors at the sea (section 5.3)."""
    cells = [cell_of(each) for each in harbors]
    covered = frozenset(each for tile in tiles for each in hexagons(tile))
    return tuple(
        site
        for site in free_locations(tiles, touching)
        if all(sea_access(each, covered | frozenset(hexagons(site))) for each in cells)
    )


def _tiles(state: InisState, *, but: TerritoryId | None = None) -> tuple[Location, ...]:
    return tuple(land.location for land in state.lands.values() if land.location != SEA and land.id != but)


def _harbor_tiles(state: InisState) -> tuple[Location, ...]:
    harbors = state.more.harbors if state.more is not None else {}
    return tuple(each for each in harbors.values() if each != SEA)


def sites(state: InisState) -> tuple[Location, ...]:
    """Return where a mainland tile may come into play now."""
    return free_sites(_tiles(state), _harbor_tiles(state), state.catalogue.touching)


def spots(state: InisState, territory: TerritoryId) -> Sequence[Location]:
    """Return where a territory's Harbor tile may lie; none when it has one already."""
    more, land = state.more, state.lands[territory]
    if more is None or territory in more.harbors:
        return ()
    if land.location == SEA:
        return (SEA,)
    return harbor_spots(land.location, _tiles(state, but=territory), _harbor_tiles(state))
