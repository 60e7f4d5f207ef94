"""The doors of every game, found by the names all games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast, get_type_hints

import msgspec

from events.games import events_module
from events.messages import Event, Viewpoint, members
from events.tables.events import EVENTS as TABLE_EVENTS
from projections.kit.telling import Telling, open_telling
from workers.kit.decider import Prompt, questions

BoardOf = Callable[[Any, Viewpoint, Any], msgspec.Struct]
Told = Callable[[Any, Event, Viewpoint], msgspec.Struct | None]


@cache
def board_door(game: str) -> BoardOf:
    """Return the game's ``table_view``: what a viewpoint sees of a state; what the spectator does may be given."""
    return cast("BoardOf", import_module(f"projections.{game}.table").table_view)


@cache
def told_door(game: str) -> Told:
    """Return the game's ``told``: what a viewpoint is told of a step, given the state before it."""
    return cast("Told", import_module(f"projections.{game}.chronicle").told)


@cache
def board_type(game: str) -> type[msgspec.Struct]:
    """Return the type of what the game's ``table_view`` returns."""
    return cast("type[msgspec.Struct]", get_type_hints(board_door(game))["return"])


@cache
def tellings(game: str) -> Mapping[type[Event], Telling]:
    """Return how each event of a game is told, and for ``tables`` how each of table life is."""
    events = TABLE_EVENTS if game == "tables" else events_module(game).EVENTS
    hidden = import_module(f"projections.{game}.chronicle").TELLINGS
    return {each: hidden.get(each) or open_telling(each) for each in members(events)}


@cache
def prompt_types(game: str) -> tuple[type[Prompt], ...]:
    """Return every kind of question that the game puts to a seat."""
    rules = f"workers.{game}."
    import_module(f"{rules}rules")
    return tuple(each for each in questions() if each.__module__.startswith(rules))


@cache
def picture_of(game: str) -> Callable[[Any], str] | None:
    """Return what draws a game's view as SVG, or ``None`` where nobody has written that."""
    name = f"projections.{game}.picture"
    return cast("Callable[[Any], str]", import_module(name).picture) if find_spec(name) else None
