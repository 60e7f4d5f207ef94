"""The page that names every setting: drawn from the classes that read them and from the options of the words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from inspect import getdoc
from typing import Any, Final

import typer
from pydantic import SecretStr
from pydantic.fields import FieldInfo
from typer.core import TyperGroup, TyperOption

from services.api.settings import ApiSettings
from services.api.wire import Bounds
from services.cli.__main__ import program
from services.documented import documented
from services.live.settings import LiveSettings
from services.settings import Settings, told_range

NAME: Final = "settings.md"

DOORS: Final[dict[type[Settings], str]] = {
    ApiSettings: "The doors",
    LiveSettings: "The socket",
    Bounds: "Connections",
}
"""What the word ``api`` reads, and under which title it stands."""

ABOUT: Final = """\
# Settings

This page is written by `make fix` from the program itself; change it there.
Settings are environment variables; an empty one is as if it were not there.
`REDIS_URL` and `FIDCHELL_STORE_EPOCH` are for every process that opens the store.
Those of the API are read when its process starts, and hold for that process; `compose.yaml` passes them on from `.env`.
How to run the service with them: [for operators](../how-to/run-the-service.md).
"""

TABLE: Final = "| setting | without it | from, to | what it says |\n| --- | --- | --- | --- |"


def page() -> str:
    """Return its text."""
    parts = [ABOUT]
    for kind, title in DOORS.items():
        text, told = documented(getdoc(kind) or "")
        rows = [_row(*each, told=told) for each in kind.variables()]
        parts += [f"## {title}\n", f"{text.strip()}\n", TABLE, *rows, ""]
    parts += ["## Other words of the command line\n", "Each can be said as an option, too.\n"]
    parts += ["| setting | words | without it | what it says |\n| --- | --- | --- | --- |", *_of_words()]
    return "\n".join(parts) + "\n"


def _row(variable: str, name: str, field: FieldInfo, *, told: dict[str, str]) -> str:
    return f"| `{variable}` | {_without(field.default)} | {_range(field)} | {told[name]} |"


def _range(field: FieldInfo) -> str:
    least, most = ([getattr(each, bound) for each in field.metadata if hasattr(each, bound)] for bound in ("ge", "le"))
    return told_range(*least or [None], *most or [None])


def _without(default: Any) -> str:  # noqa: ANN401  whatever a setting may be
    value = default.get_secret_value() if isinstance(default, SecretStr) else default
    return "none" if value in (None, "") else f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _of_words() -> Iterator[str]:
    """Give a row for each variable that stands for options of words, with what the first of these says."""
    found: dict[str, dict[str, TyperOption]] = defaultdict(dict)
    known = {variable for kind in DOORS for variable, _, _ in kind.variables()}
    command = typer.main.get_command(program())
    for words, option in _options(command, ()):
        for variable in [option.envvar] if isinstance(option.envvar, str) else option.envvar or ():
            found[variable][" ".join(words)] = option
    for variable, options in sorted(each for each in found.items() if each[0] not in known):
        said = ", ".join(f"`{each}`" for each in sorted(options))
        first = options[min(options)]
        yield f"| `{variable}` | {said} | {_without(first.default)} | {first.help} |"


def _options(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], TyperOption]]:  # noqa: ANN401
    """Give all options of a command and of those under it; typer names no type for both."""
    if isinstance(command, TyperGroup):
        for name, each in command.commands.items():
            yield from _options(each, (*words, name))
    yield from ((words, each) for each in command.params if isinstance(each, TyperOption))
