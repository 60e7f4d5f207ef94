"""The lattice of trefoils: which hexagons a tile covers, what touches what, and where a tile may lie (rules, 1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from events.inis.vocabulary import Location

Hexagon = tuple[int, int]

STEPS: Sequence[Hexagon] = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
SHAPES: dict[str, Sequence[Hexagon]] = {"U": ((0, 0), (1, 0), (0, 1)), "D": ((0, 0), (1, 0), (1, -1))}
"""Both orientations of a trefoil, from its first hexagon."""


SEA: Final = Location("sea")
"""Where an island lies: on no hexagon, beside nothing (expansion, section 5.2)."""


@lru_cache(maxsize=4096)
def hexagons(location: Location) -> tuple[Hexagon, ...]:
    """Return the three hexagons a tile covers there; at sea it covers none."""
    if location == SEA:
        return ()
    q, r = map(int, location[1:].split(","))
    return tuple((q + dq, r + dr) for dq, dr in SHAPES[location[0]])


@lru_cache(maxsize=4096)
def border(location: Location) -> frozenset[Hexagon]:
    """Return the nine hexagons around a tile."""
    own = hexagons(location)
    around = ((q + dq, r + dr) for (q, r), (dq, dr) in product(own, STEPS))
    return frozenset(each for each in around if each not in own)


@lru_cache(maxsize=16384)
def touch(one: Location, other: Location) -> bool:
    """Return whether two tiles share an edge of a hexagon."""
    return not border(one).isdisjoint(hexagons(other))


@lru_cache(maxsize=1024)
def free_locations(taken: tuple[Location, ...], touching: int) -> tuple[Location, ...]:
    """Return every place for a new tile: on empty hexagons, beside so many tiles at least; in one order."""
    covered = {each: number for number, tile in enumerate(taken) for each in hexagons(tile)}
    near = sorted({each for tile in taken for each in border(tile)})
    places = {
        Location(f"{shape}{q - dq},{r - dr}") for (q, r), shape in product(near, SHAPES) for dq, dr in SHAPES[shape]
    }
    free = [each for each in sorted(places) if not any(hexagon in covered for hexagon in hexagons(each))]
    return tuple(each for each in free if sum(touch(each, tile) for tile in taken) >= touching)
