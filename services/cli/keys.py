"""The word ``new-key``: a key for a platform, or for the service's bots, told once and kept as a digest."""

from __future__ import annotations

from typing import Annotated

import typer

from events.log.store import StoreAwayError
from services.api.tokens import EVERY_PLATFORM, new_key
from services.cli.local import DATA, Data, keep_key, store_url


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("new-key")(give_key)


def give_key(
    platform: Annotated[str, typer.Argument(help="the platform's name, or `bots` for the service's own bots")],
    *,
    data: Data = DATA,
) -> None:
    """
    Make a key and print it, once; the store keeps its digest alone.

    Needs a user of the store that may write the keys: with `compose.yaml` that is `operator`, in REDIS_URL.
    """
    if not platform.isidentifier():
        raise typer.BadParameter("letters, digits and underscores, a letter first")
    role, whose = ("bots", EVERY_PLATFORM) if platform == "bots" else ("platform", platform)
    key = new_key()
    try:
        keep_key(store_url(data), key, role=role, platform=whose)
    except StoreAwayError as fault:
        typer.echo(
            f"The store cannot be reached: {fault}. Set REDIS_URL, or name the data folder with --data.", err=True
        )
        raise typer.Exit(1) from None
    typer.echo(key)
