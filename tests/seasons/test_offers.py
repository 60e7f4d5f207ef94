"""No position offers a seat more than 200 commands, also where all 22 territories are in play with many harbors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from events.inis.vocabulary import CardId, Location, Part, TerritoryId
from tests.inis.table import ANN, EXPANDED, island, with_clans
from tests.seasons.table import expanded, options
from workers.inis.lattice import SEA
from workers.inis.legal import legal_commands
from workers.inis.state import InisState
from workers.inis.steps.board import SpyMove
from workers.inis.steps.cards import Declare

MOST = 200
HARBORS = 11
"""Two more than are in the box."""


def crowded(clans: Mapping[str, Sequence[int]], question: Declare | SpyMove, *, first: str = "cove") -> InisState:
    """
    Return a state with all tiles in play and a question to Ann; the first tile lies in the middle of them.

    Harbors lie where clans are, then anywhere: whether they have access to the sea is not asked here.
    """
    state = EXPANDED.initial(options("sea_travels"), 4)
    tiles = sorted(state.catalogue.tiles, key=lambda each: (each != first, each))
    state = island(state, tiles)
    for name, numbers in clans.items():
        state = with_clans(state, name, numbers)
    lands = state.lands.values()
    own = sorted(lands, key=lambda land: (land.location != SEA, not land.clans[ANN]))
    harbors = {land.id: SEA if land.location == SEA else Location("H0,0") for land in own[:HARBORS]}
    return replace(expanded(state, harbors=harbors), phase="season", agenda=(question,))


@pytest.mark.parametrize("base", ["cove", "forest", "inis_mona"])
def test_twelve_clans_in_one_harbor_may_go_anywhere(base: str) -> None:
    """Migration offers every number to every harbor and neighbour."""
    parts = (Part(territory=TerritoryId(base)),)
    migration = Declare(seat=ANN, card=CardId("migration"), parts=parts)
    state = crowded({base: (12,)}, migration, first="cove" if base == "inis_mona" else base)

    assert 100 < len(legal_commands(state, ANN)) <= MOST


def test_spies_from_everywhere_may_go_anywhere() -> None:
    """Twelve clans, each in a territory of its own, most of them with harbors."""
    names = ["cove", "haven", "aber", "salmons_creek", "inis_mona", "isle_of_joy", "hy_breasil", "forest", "hills"]
    state = crowded(dict.fromkeys([*names, "moor", "plains", "valley"], (1,)), SpyMove(seat=ANN))

    assert 100 < len(legal_commands(state, ANN)) <= MOST
