"""
Two worlds that differ only in what a seat may not know look the same to that seat, at every version.

Each game brings ``other_world(state, viewpoint, random)`` in ``tests/<game>/worlds.py``: a state that differs in
nothing but what the viewpoint may not know; a game without secrets gives the state back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import accumulate
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.messages import Event, Viewpoint
from projections.tables.chronicle import chapter, told
from projections.tables.projections import document, documents, field_of
from projections.tables.view import table_view, viewpoints
from services.bots.simulation.play import play
from services.bots.simulation.players import random_player
from tests.every_game.kinds import EVERY_KIND, SHELF, TableKind
from workers.tables.evolve import evolve
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


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_what_is_kept_for_a_viewpoint_is_what_it_sees(kind: TableKind) -> None:
    """Documents are drawn together; each says what its own viewpoint sees, and nothing that another does."""

    def watch(_before: TableState, _wish: object, _events: object, after: TableState) -> None:
        kept = documents(after)
        for viewpoint in viewpoints(after):
            shown = document(kept[field_of(None)], kept[field_of(viewpoint)])
            assert json.loads(to_json(table_view(after, viewpoint))) == json.loads(shown)

    play(SHELF, kind.setting(seed=6), [random_player] * kind.seats, watch=watch)


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_what_is_kept_of_the_story_is_what_each_was_told(kind: TableKind) -> None:
    """What all are told as it stands is written once; nobody is told less for that, and nobody more."""

    def watch(before: TableState, _wish: object, events: Sequence[Event], after: TableState) -> None:
        kept = chapter(before, events, at=0, seat=None)
        states = [*accumulate(events, evolve, initial=before)]
        for viewpoint in viewpoints(after):
            steps = [told(state, event, viewpoint) for state, event in zip(states, events, strict=False)]
            assert to_json([each for each in steps if each is not None]) == kept.told(viewpoint)

    play(SHELF, kind.setting(seed=6), [random_player] * kind.seats, watch=watch)


def _has_secrets(game: str) -> bool:
    return bool(getattr(import_module(f"tests.{game}.worlds"), "HAS_SECRETS", True))
