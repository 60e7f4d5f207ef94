"""
Two worlds that differ only in what a seat may not know look the same to that seat, at every version.

Each game brings ``other_world(state, viewpoint, random)`` in ``tests/<game>/worlds.py``: a state that differs in
nothing but what the viewpoint may not know; a game without secrets gives the state back.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.messages import Viewpoint
from projections.tables.view import table_view, viewpoints
from services.bots.simulation.play import play
from services.bots.simulation.players import random_player
from tests.every_game.kinds import EVERY_KIND, SHELF, TableKind
from workers.tables.state import TableState

OtherWorld = Callable[[Any, Viewpoint, Random], Any]
TABLES = 2


def other_world(game: str) -> OtherWorld:
    """Return the game's own way to change what is hidden."""
    return cast("OtherWorld", import_module(f"tests.{game}.worlds").other_world)


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_what_is_hidden_changes_nothing_that_is_seen(kind: TableKind) -> None:
    """View, prompt, legal commands and who is asked are the same bytes, whatever lies hidden."""
    change, random = other_world(kind.game), Random(kind.seats)
    differed = 0

    def watch(_before: TableState, _wish: object, _events: object, after: TableState) -> None:
        nonlocal differed
        if after.game_state is None:
            return
        for viewpoint in viewpoints(after):
            twin = replace(after, game_state=change(after.game_state, viewpoint, random))
            differed += twin.game_state != after.game_state
            assert to_json(table_view(after, viewpoint)) == to_json(table_view(twin, viewpoint))

    for number in range(TABLES):
        play(SHELF, kind.setting(seed=5, number=number), [random_player] * kind.seats, watch=watch)

    assert differed or not _has_secrets(kind.game)


def _has_secrets(game: str) -> bool:
    return bool(getattr(import_module(f"tests.{game}.worlds"), "HAS_SECRETS", True))
