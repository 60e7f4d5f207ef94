"""Puts the program together from the words that the rooms bring along."""

from __future__ import annotations

from importlib.metadata import entry_points, version
from typing import Annotated

import typer

from services.cli.usage import Words

GROUP = "fidchell.commands"


def program() -> typer.Typer:
    """Return the program with every word of every room."""
    app = typer.Typer(
        name="fidchell",
        cls=Words,
        help="Plays table games for other programs.",
        no_args_is_help=True,
        pretty_exceptions_show_locals=False,  # they may hold keys
    )
    app.callback()(options)
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        entry.load()(app)
    return app


def print_version(wanted: bool) -> None:
    """Print the version and end, where that is wanted."""
    if wanted:
        typer.echo(f"fidchell {version('fidchell')}")
        raise typer.Exit


def options(
    *,
    _version: Annotated[
        bool, typer.Option("--version", help="print the version", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options of the program itself."""


def main() -> None:
    """Run the word that was typed."""
    program()()


if __name__ == "__main__":
    main()
