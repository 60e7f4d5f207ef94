"""
Writes a page for each game that names all its messages, and one of all settings: ``python -m services.reference``.

So does ``make fix``. Every page is drawn from what it is about, and a test holds the pages against that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect

from events.games import GAMES, commands_module, events_module
from events.messages import Command, Event, SeatCommand, members
from events.tables import commands as table_commands
from events.tables import events as table_events
from projections.doors import tellings
from projections.kit.telling import Telling
from services import settings_page
from services.api.shapes import TABLES, to_whom
from services.documented import documented

FOLDER: Final = Path(__file__).parents[1] / "docs" / "reference"
SCALARS: Final[Mapping[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.StrType: "text",
    inspect.BytesType: "bytes",
    inspect.NoneType: "null",
    inspect.FloatType: "number",
}


ABOUT: Final = """\
This page is written by `make fix` from the messages themselves; change it there.
In JSON, bytes are text in Base64; over MessagePack they are bytes.
"""

EVENTS: Final = """\
They are stored as they stand here, and told so to everybody as steps of the table's story.
Where something of an event is hidden its section says who is told what.
"""


def main() -> None:
    """Write all pages anew."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(pages())} pages are written.\n")


def pages() -> dict[str, str]:
    """Return the text of every page by the name of its file."""
    found = {
        "tables-messages.md": _page(
            "Tables of all games", table_commands.COMMANDS, table_events.EVENTS, tellings(TABLES)
        )
    }
    for game in GAMES:
        commands, events = commands_module(game).COMMANDS, events_module(game).EVENTS
        found[f"{game}-messages.md"] = _page(game.capitalize(), commands, events, tellings(game))
    return {**found, settings_page.NAME: settings_page.page()}


def _page(
    title: str,
    commands: Any,  # noqa: ANN401  a union of structs has no narrower type
    events: Any,  # noqa: ANN401  as above
    told: Mapping[type[Event], Telling],
) -> str:
    values = _Values()
    sections = [
        f"# Messages: {title}\n",
        ABOUT,
        "## Commands\n",
        *(_section(each, values) for each in _by_kind(commands)),
        "## Events\n",
        EVENTS,
        *(_section(each, values) + _told(each, told[each], values) for each in _by_kind(events)),
    ]
    if parts := list(values.sections()):
        sections += ["## Values\n", *parts]
    return "\n".join(sections)


def _by_kind(union: Any) -> list[Any]:  # noqa: ANN401  as above
    return sorted(members(union), key=lambda each: str(each.__struct_config__.tag))


def _section(message: type[Command | Event], values: _Values) -> str:
    text, told = _documented(message)
    notes = []
    if issubclass(message, SeatCommand):
        notes.append("Sent for a seat.")
    if issubclass(message, Event):
        if message.schema > 1:
            notes.append(f"Its stored form is of version {message.schema}.")
        if message.reveals:
            notes.append("It reveals something: what came before it may not be taken back.")
    lines = [f"### `{message.__struct_config__.tag}`\n", "\n".join([text, *notes]) + "\n"]
    return "\n".join([*lines, *_fields(message, told, values)])


def _told(event: type[Event], telling: Telling, values: _Values) -> str:
    """Return the part of an event's section that says what clients are told, where that differs."""
    if telling.others == (event,):
        return ""
    parts = [f"\n{to_whom(telling, event)}\n"]
    for each in telling.others:
        if each is not None and each is not event:
            text, members = _documented(each)
            parts += ["Told instead:\n", f"{text}\n", *_fields(each, members, values)]
    return "\n".join(parts)


def _fields(struct: type[msgspec.Struct], told: Mapping[str, str], values: _Values) -> list[str]:
    rows = [
        f"| `{each.encode_name}` | {values.named(each.type)} | {_default(each)} | {told.get(each.name, '')} |"
        for each in _info(struct).fields
    ]
    return ["| member | type | if missing | |", "| --- | --- | --- | --- |", *rows, ""] if rows else []


def _info(struct: Any) -> inspect.StructType:  # noqa: ANN401  a class
    found = inspect.type_info(struct)
    if not isinstance(found, inspect.StructType):
        raise TypeError(f"{struct!r} is no struct")
    return found


def _default(field: inspect.Field) -> str:
    if field.required:
        return "must be there"
    if field.default_factory is not msgspec.NODEFAULT:
        value = field.default_factory()
    elif field.default is not msgspec.NODEFAULT:
        value = field.default
    else:
        return "as usual"
    return f"`{msgspec.json.encode(value).decode()}`"


def _documented(struct: type[Any]) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of a struct, and of its members, for a cell of a table."""
    text, told = documented(getdoc(struct) or "")
    return _in_cell(text), {name: _in_cell(each) for name, each in told.items()}


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


class _Values:
    """The values that messages are made of, as far as they are met."""

    def __init__(self) -> None:
        self._met: dict[str, type[Any]] = {}

    def sections(self) -> Iterator[str]:
        """Give a section for each, those met on the way among them."""
        done: set[str] = set()
        while todo := sorted(self._met.keys() - done):
            name = todo[0]
            done.add(name)
            text, told = _documented(self._met[name])
            yield "\n".join([f"### {name}\n", f"{text}\n", *_fields(self._met[name], told, self)])

    def named(self, kind: inspect.Type) -> str:
        """Return a type in words."""
        match kind:
            case inspect.StructType():
                self._met[kind.cls.__name__] = kind.cls
                return f"[{kind.cls.__name__}](#{kind.cls.__name__.lower()})"
            case inspect.TupleType():
                return "list of " + ", ".join(self.named(each) for each in kind.item_types)
            case inspect.CollectionType():
                return f"list of {self.named(kind.item_type)}"
            case inspect.DictType():
                return f"object of {self.named(kind.key_type)} to {self.named(kind.value_type)}"
            case inspect.UnionType():
                return " or ".join(self.named(each) for each in kind.types)
            case _:
                return _simple(kind)


def _simple(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType():
            return _bounded("whole number", kind.ge, kind.le)
        case inspect.EnumType():
            return _one_of([each.value for each in kind.cls])
        case inspect.LiteralType():
            return _one_of(kind.values)
        case _:
            return SCALARS[type(kind)]


def _bounded(name: str, least: float | None, most: float | None) -> str:
    bounds = [f"at least {least}" if least is not None else "", f"at most {most}" if most is not None else ""]
    told = ", ".join(filter(None, bounds))
    return f"{name}, {told}" if told else name


def _one_of(values: Sequence[object]) -> str:
    return " or ".join(f"`{msgspec.json.encode(each).decode()}`" for each in values)


if __name__ == "__main__":
    main()
