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
from events.games import GAMES
from events.messages import Viewpoint
from projections.tables.view import table_view, viewpoints
from services.bots.simulation.play import Setting, play
from services.bots.simulation.players import random_player
from tests.every_game.test_random_tables import SHELF, seats_of
from workers.tables.state import TableState

OtherWorld = Callable[[Any, Viewpoint, Random], Any]
TABLES = 2


def other_world(game: str) -> OtherWorld:
    """Return the game's own way to change what is hidden."""
    return cast("OtherWorld", import_module(f"tests.{game}.worlds").other_world)


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in seats_of(game)])
def test_what_is_hidden_changes_nothing_that_is_seen(game: str, seats: int) -> None:
    """View, prompt, legal commands and who is asked are the same bytes, whatever lies hidden."""
    change, random = other_world(game), Random(seats)
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
        play(SHELF, Setting(game=game, seats=seats, seed=5, number=number), [random_player] * seats, watch=watch)

    assert differed or not _has_secrets(game)


def _has_secrets(game: str) -> bool:
    return bool(getattr(import_module(f"tests.{game}.worlds"), "HAS_SECRETS", True))
