"""JSON schemas of what a client is told and shown: every step of every game, and the view of a table."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from events.games import GAMES
from projections.doors import board_type, tellings
from projections.kit.telling import Telling
from projections.tables.view import TableView
from services.api.openapi import ALL_COMMANDS, REF
from services.documented import in_words

TABLES: Final = "tables"
STEP: Final = "Step"
"""Schema of a step of any game."""

VIEW: Final = TableView.__name__
"""Schema of the view of a table of any game."""

Schemas = dict[str, dict[str, Any]]


def step_schemas() -> Schemas:
    """
    Return the schemas of all steps as they are told.

    ``Step`` is any of them; ``<game>.Step`` is one of a game, and ``<game>.told.<kind>`` one of a kind, which says who
    is told which. What is common to all games is of the game ``tables``.
    """
    games = (TABLES, *GAMES)
    schemas: Schemas = {}
    for game in games:
        schemas |= _steps_of(game)
    return {**schemas, STEP: _any_of([f"{game}.{STEP}" for game in games])}


def _steps_of(game: str) -> Schemas:
    kinds: Schemas = {}
    shapes: dict[str, type[msgspec.Struct]] = {}
    for event, telling in tellings(game).items():
        told = {each.__name__: each for each in (event, *telling.others) if each is not None}
        if not telling.whole_to and event not in telling.others:
            del told[event.__name__]
        shapes |= told
        schema = _any_of([f"{game}.{name}" for name in told])
        kinds[f"{game}.told.{event.__struct_config__.tag}"] = {**schema, "description": to_whom(telling, event)}
    return {**_components(game, *shapes.values()), **kinds, f"{game}.{STEP}": _any_of(list(kinds))}


def to_whom(telling: Telling, event: type[msgspec.Struct]) -> str:
    """Return who is told what of an event, in words."""
    if telling.others == (event,):
        return "Everybody is told it as it stands."
    seats = " and ".join(f"`{name}`" for name in telling.whole_to)
    whole = f"Told as it stands to {seats}." if seats else "Nobody is told it as it stands."
    if telling.others == (None,):
        return f"{whole} Others are told nothing."
    if None in telling.others:
        return f"{whole} Others are told it as it stands, or nothing."
    if event in telling.others:
        return f"{whole} Others are told it so, or without what they may not know."
    return f"{whole} Others are told it without what they may not know." if seats else whole


def view_schemas() -> Schemas:
    """Return the schemas of views: ``TableView``, and in it the board of each game."""
    schemas = _components("", TableView)
    for unknown in ("Struct", "Command", "Prompt"):  # bases that stand for what each game has of its own
        schemas.pop(unknown)
    view = schemas[VIEW]["properties"]
    boards = {game: board_type(game) for game in GAMES}
    view["board"] |= _any_of([f"{game}.{board.__name__}" for game, board in boards.items()])
    view["board"]["anyOf"].append({"type": "null"})
    view["legal"] |= {"items": {"$ref": REF + ALL_COMMANDS}}
    asked = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    view["prompt"] |= {"anyOf": [asked, {"type": "null"}]}
    for game, board in boards.items():
        schemas |= _components(game, board)
    return schemas


def _components(room: str, *types: type[msgspec.Struct]) -> Schemas:
    before = f"{room}." if room else ""
    _, components = msgspec.json.schema_components(types, ref_template=f"{REF}{before}{{name}}")
    return {before + name: in_words(schema) for name, schema in components.items()}


def _any_of(names: list[str]) -> dict[str, Any]:
    return {"anyOf": [{"$ref": REF + name} for name in names]}
