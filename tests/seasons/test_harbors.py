"""The geometry of harbors: the test vectors of the document (expansion, section 5.6)."""

from __future__ import annotations

from itertools import product

import pytest

from events.inis.vocabulary import Location
from workers.inis.lattice import SHAPES, hexagons, touch
from workers.inis.seasons.harbors import cell_of, free_sites, harbor_spots, notches, sea_access

TILES = tuple(map(Location, ("U0,0", "U1,1", "U2,-1", "U3,0", "U-1,2")))
RING = tuple(map(Location, ("U2,-1", "U1,-2", "U-1,-1", "U-2,1", "U-1,2")))


def spots(tile: int, tiles: int) -> tuple[str, ...]:
    """Return where the harbor of a start tile may lie, of so many."""
    others = (*TILES[:tile], *TILES[tile + 1 : tiles])
    return harbor_spots(TILES[tile], others, ())


@pytest.mark.parametrize(
    ("tile", "tiles", "expected"),
    [
        (0, 2, ("H-1,1", "H1,-1")),
        (1, 2, ("H2,2",)),
        (0, 3, ("H-1,1",)),
        (1, 3, ("H2,2",)),
        (2, 3, ("H3,-2",)),
        (0, 4, ("H-1,1",)),
        (1, 4, ("H0,2", "H2,2")),
        (2, 4, ("H3,-2",)),
        (3, 4, ("H4,1",)),
        (0, 5, ("H-1,1", "H1,-1")),
        (1, 5, ("H2,2",)),
        (2, 5, ("H3,-2",)),
        (3, 5, ("H4,1",)),
        (4, 5, ("H-2,3",)),
    ],
)
def test_spots_are_those_that_touch_nobody_else_or_all(tile: int, tiles: int, expected: tuple[str, ...]) -> None:
    """Preferred ones, or without any all candidates."""
    assert expected == spots(tile, tiles)


@pytest.mark.parametrize(
    ("tiles", "harbors", "expected"),
    [
        (2, (), "U-1,2 U2,-1 D-1,3 D2,0"),
        (3, (), "U-1,2 U1,-2 U3,0 D-1,3 D0,-1 D3,0"),
        (3, ("H2,2",), "U-1,2 U1,-2 U3,0 D-1,3 D0,-1 D3,0"),
        (3, ("H0,2",), "U1,-2 U3,0 D0,-1 D3,0"),
        (3, ("H1,-1",), "U-1,2 U3,0 D-1,3 D3,0"),
        (3, ("H3,0",), "U-1,2 U1,-2 D-1,3 D0,-1"),
        (4, (), "U-1,2 U1,-2 U2,2 U4,-2 D-1,3 D0,-1 D1,3 D4,-1"),
        (5, (), "U-2,1 U0,3 U1,-2 U2,2 U4,-2 D-2,1 D-1,4 D0,-1 D1,3 D4,-1"),
    ],
)
def test_sites_leave_harbors_at_the_sea(tiles: int, harbors: tuple[str, ...], expected: str) -> None:
    """The places of the table in section 5.6, no more and no fewer."""
    found = free_sites(TILES[:tiles], tuple(map(Location, harbors)), 2)

    assert set(expected.split()) == set(found)


def test_ruling_39_no_tile_cuts_a_harbor_off() -> None:
    """In the ring of section 5.6 one place closes it and another covers the harbor; both are good without it."""
    harbor = Location("H0,0")
    covered = frozenset(cell for tile in RING for cell in hexagons(tile))
    closing = set(map(Location, ("U1,1", "U0,0")))

    assert sea_access(cell_of(harbor), covered)
    assert not closing & set(free_sites(RING, (harbor,), 2))
    assert closing <= set(free_sites(RING, (), 2))


@pytest.mark.parametrize("shape", "UD")
def test_a_notch_touches_its_tile_twice(shape: str) -> None:
    """Three of the nine cells around a trefoil do (expansion, section 5.1)."""
    tile = Location(f"{shape}0,0")
    own = set(hexagons(tile))
    steps = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
    twice = [cell for cell in product(range(-3, 4), repeat=2) if _edges(cell, own, steps) == 2 and cell not in own]

    assert sorted(twice) == list(notches(tile))


def _edges(cell: tuple[int, ...], own: set[tuple[int, int]], steps: tuple[tuple[int, int], ...]) -> int:
    return sum((cell[0] + q, cell[1] + r) in own for q, r in steps)


def test_twenty_four_places_touch_a_tile() -> None:
    """Twelve of each orientation, without overlapping it (expansion, section 5.1)."""
    tile = Location("U0,0")
    around = [Location(f"{shape}{q},{r}") for shape in SHAPES for q, r in product(range(-4, 5), repeat=2)]
    beside = [each for each in around if touch(tile, each) and not set(hexagons(each)) & set(hexagons(tile))]

    assert (12, 12) == (sum(each[0] == "U" for each in beside), sum(each[0] == "D" for each in beside))


CLOSED = (*RING, Location("U1,1"))
"""The ring of section 5.6 around a lake."""


@pytest.mark.parametrize(
    ("outside", "expected"),
    [((), {"H-2,0", "H0,-2"}), (("D-1,-2",), {"H-2,0"}), (("D-1,-2", "D-3,0"), set())],
)
def test_no_harbor_lies_at_a_lake(outside: tuple[str, ...], expected: set[str]) -> None:
    """A hole between tiles is no sea; with nothing but the lake there is no Harbor tile (expansion, section 5.4)."""
    tile = Location("U-1,-1")
    others = (*(each for each in CLOSED if each != tile), *map(Location, outside))

    assert expected == set(harbor_spots(tile, others, ()))


@pytest.mark.parametrize(("taken", "expected"), [(("H0,2",), ("H2,2",)), (("H0,2", "H2,2"), ())])
def test_two_harbors_never_share_a_cell(taken: tuple[str, ...], expected: tuple[str, ...]) -> None:
    """What another Harbor tile covers is no candidate; without any there is none (expansion, section 5.4)."""
    others = (TILES[0], *TILES[2:4])

    assert expected == harbor_spots(TILES[1], others, tuple(map(Location, taken)))
