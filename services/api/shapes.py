"""JSON schemas of what clients send, are told and are shown: of each game its own, and of any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import fields

from events.games import GAMES, commands_module
from events.messages import Command, SeatCommand, members
from events.tables.commands import TableCommand, TakeSeat
from projections.doors import board_type, prompt_types, tellings
from projections.kit.telling import Telling
from projections.lobby.lobby import STATUSES
from projections.tables.games import describe
from projections.tables.view import TableView
from services.api.story import History, Legal, Told
from services.documented import in_words

REF: Final = "#/components/schemas/"
TABLES: Final = "tables"
COMMAND: Final = "Command"
"""Schema of a command of any game; of one game it is ``<game>.Command``, and so with all that follow."""

STEP: Final = "Step"
VIEW: Final = TableView.__name__
TOLD: Final = Told.__name__
HISTORY: Final = History.__name__
LEGAL: Final = Legal.__name__
PROMPT: Final = "Prompt"

STEPS: Final = (TABLES, *GAMES)
"""Whose steps there are."""

Schemas = dict[str, dict[str, Any]]


@cache
def command_schemas(game: str) -> Schemas:
    """Return the JSON schema of each command a seat of the game may send, by its kind; and what they refer to."""
    return _components(game, *_seat_commands(game))


def commands_of(game: str) -> dict[str, str]:
    """Return the reference to the schema of each command of a game, by its kind."""
    return {_kind(each): f"{REF}{game}.{each.__name__}" for each in _seat_commands(game)}


def _seat_commands(game: str) -> tuple[type[Command], ...]:
    """Return every command a seat may send: the game's, and those of table life that are a seat's own."""
    life = (each for each in members(TableCommand) if issubclass(each, SeatCommand) and each is not TakeSeat)
    return (*members(commands_module(game).COMMANDS), *life)


def all_command_schemas() -> Schemas:
    """Return the schemas of all commands."""
    every = [{**command_schemas(game), f"{game}.{COMMAND}": _by("kind", commands_of(game))} for game in GAMES]
    return joined(*every, {COMMAND: _any_of([f"{game}.{COMMAND}" for game in GAMES])})


def step_schemas() -> Schemas:
    """
    Return the schemas of all steps as they are told.

    ``<game>.Step`` is one of a game, and ``<game>.told.<kind>`` one of a kind, which says who is told which. What is
    common to all games is of the game ``tables``.
    """
    return joined(*map(_steps_of, STEPS))


def _steps_of(game: str) -> Schemas:
    kinds: Schemas = {}
    shapes: dict[str, type[msgspec.Struct]] = {}
    for event, telling in tellings(game).items():
        told = {each.__name__: each for each in (event, *telling.others) if each is not None}
        if not telling.whole_to and event not in telling.others:
            del told[event.__name__]
        shapes |= told
        schema = _any_of([f"{game}.{name}" for name in told])
        kinds[_kind(event)] = {**schema, "description": to_whom(telling, event)}
    named = {f"{game}.told.{kind}": schema for kind, schema in kinds.items()}
    step = _by("kind", {kind: f"{REF}{game}.told.{kind}" for kind in kinds})
    return joined(_components(game, *shapes.values()), named, {f"{game}.{STEP}": step})


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
    """Return the schemas of views: ``TableView`` is one of ``<game>.TableView``, with the game's board and question."""
    common = _components("", TableView)
    for unknown in ("Struct", Command.__name__, PROMPT):  # bases that stand for what each game has of its own
        del common[unknown]
    view = common.pop(VIEW)
    view["properties"]["status"] |= {"enum": list(STATUSES)}
    one = _by("game", {game: f"{REF}{game}.{VIEW}" for game in GAMES})
    return joined(common, *(_view_of(game, view) for game in GAMES), {VIEW: one})


def _view_of(game: str, view: dict[str, Any]) -> Schemas:
    board, options = board_type(game), f"{game}.{describe(game).options.__name__}"
    own = {
        "game": {"const": game},
        "options": _ref(options),
        "board": _or_null(f"{game}.{board.__name__}"),
        "prompt": _or_null(f"{game}.{PROMPT}"),
        "legal": list_of(f"{game}.{COMMAND}"),
    }
    said = {
        name: {"description": each["description"]} for name, each in view["properties"].items() if "description" in each
    }
    properties = {**view["properties"], **{name: {**said.get(name, {}), **each} for name, each in own.items()}}
    whole = {**view, "properties": properties}
    return joined(
        _components(game, board), {options: option_schema(game)}, _prompts_of(game), {f"{game}.{VIEW}": whole}
    )


def option_schema(game: str) -> dict[str, Any]:
    """Return the JSON schema of what may be agreed before play; what is left out is as its default says."""
    kind = describe(game).options
    schema = flat_schema(kind)
    for field in fields(kind):
        if field.default is UNSET:  # not stored, so that tables of an age before it say what they always did
            schema["properties"][field.encode_name]["default"] = False
    return schema


def flat_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of a value without parts that have a schema of their own."""
    return dict(in_words(msgspec.json.schema(kind)["$defs"][kind.__name__]))


def _prompts_of(game: str) -> Schemas:
    """Return ``<game>.Prompt`` and ``<game>.asked.<kind>``; commands and events may bear the names of their types."""
    names = {f"{game}.{each.__name__}": f"{game}.asked.{_kind(each)}" for each in prompt_types(game)}
    found = _components(game, *prompt_types(game))
    kinds = {_kind(each): f"{REF}{game}.asked.{_kind(each)}" for each in prompt_types(game)}
    return {**{names.get(name, name): each for name, each in found.items()}, f"{game}.{PROMPT}": _by("kind", kinds)}


def answer_schemas() -> Schemas:
    """Return the schemas of what is answered about a table of each game: ``History`` and ``Legal``."""
    one = {name: {"oneOf": [_ref(f"{game}.{name}") for game in GAMES]} for name in (HISTORY, LEGAL)}
    return joined(*map(_answers_of, GAMES), one)


def _answers_of(game: str) -> Schemas:
    found = _components("", History, Legal)
    table = {"type": "string", "pattern": f"^{game}-"}
    found[TOLD]["properties"]["steps"] |= list_of(f"{game}.{STEP}", f"{TABLES}.{STEP}")
    found[HISTORY]["properties"] |= {"table": table, "chapters": list_of(f"{game}.{TOLD}")}
    found[LEGAL]["properties"] |= {"table": table, "legal": list_of(f"{game}.{COMMAND}")}
    return {f"{game}.{name}": schema for name, schema in found.items()}


def joined(*parts: Schemas) -> Schemas:
    """Return schemas together; ``ValueError`` when one name stands for two shapes."""
    whole: Schemas = {}
    for part in parts:
        if twice := [name for name, schema in part.items() if whole.get(name, schema) != schema]:
            raise ValueError(f"two shapes are called {', '.join(twice)}")
        whole |= part
    return whole


def list_of(*names: str) -> dict[str, Any]:
    """Return the schema of a list whose members are of one of the shapes with these names."""
    return {"type": "array", "items": _any_of(names) if len(names) > 1 else _ref(names[0])}


def _components(room: str, *types: type[msgspec.Struct]) -> Schemas:
    before = f"{room}." if room else ""
    _, components = msgspec.json.schema_components(types, ref_template=f"{REF}{before}{{name}}")
    return {before + name: in_words(schema) for name, schema in components.items()}


def _kind(message: type[msgspec.Struct]) -> str:
    return str(message.__struct_config__.tag)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": REF + name}


def _any_of(names: Sequence[str]) -> dict[str, Any]:
    return {"anyOf": [_ref(name) for name in names]}


def _or_null(name: str) -> dict[str, Any]:
    return {"anyOf": [_ref(name), {"type": "null"}]}


def _by(member: str, references: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of one of several, which a member tells apart."""
    every = [{"$ref": reference} for reference in references.values()]
    return {"oneOf": every, "discriminator": {"propertyName": member, "mapping": dict(references)}}
