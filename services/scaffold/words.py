"""The word ``new-game`` of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.scaffold.lay import NameTakenError, WrongRootError, lay_game


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("new-game")(new_game)


def new_game(
    name: Annotated[str, typer.Argument(help="small letters and digits, such as hnefatafl")],
    *,
    root: Annotated[Path, typer.Option(help="the repository's root", file_okay=False, exists=True)] = Path(),
) -> None:
    """
    Lay the folders of a new game, as a small one that already plays and passes every contract.

    `make new-game NAME=...` does so, and also formats them, and writes the game's golden samples and page of messages.
    """
    try:
        written = lay_game(name, root)
    except NameTakenError as fault:
        raise typer.BadParameter(str(fault)) from None
    except WrongRootError as fault:
        raise typer.BadParameter(f"{fault}; nothing was written. Say where it is with --root.") from None
    for file in written:
        typer.echo(file.relative_to(root))
