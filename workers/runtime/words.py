"""The word ``worker`` of the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from events.games import GAMES
from events.log.errors import StoreUnusableError
from events.process import store_trouble
from workers.runtime.limits import limit_memory
from workers.runtime.work import work


def _known(games: list[str] | None) -> list[str] | None:
    if not set(games or ()) <= {*GAMES}:
        raise typer.BadParameter(f"there are the games {', '.join(GAMES)}")
    return games


Games = Annotated[list[str] | None, typer.Argument(help="which games; all by default", callback=_known)]


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("worker")(worker)


def worker(
    games: Games = None,
    *,
    url: Annotated[str, typer.Option(envvar="REDIS_URL", help="of the store")] = "redis://127.0.0.1:6379/0",
    memory: Annotated[
        int, typer.Option(envvar="FIDCHELL_WORKER_MEMORY", min=256, help="megabytes of memory it may take")
    ] = 4_096,
) -> None:
    """Decide the commands of tables by the rules of their games, until told to stop."""
    limit_memory(memory)
    try:
        work(url, games or GAMES)
    except StoreUnusableError as fault:
        typer.echo(store_trouble(fault), err=True)
        raise typer.Exit(1) from None
