"""The words of the projections on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from events.games import GAMES
from events.log.errors import StoreUnusableError
from events.process import collect_rarely, log_to_stderr, opened, owner_name, stop_on_signals, store_trouble
from projections.runtime import upkeep
from projections.runtime.known import PROJECTIONS
from projections.runtime.projector import Projector, ProjectorStore
from projections.runtime.shares import Shares
from projections.runtime.work import run
from workers.games import GamesShelf


def _known(games: list[str] | None) -> list[str] | None:
    if not set(games or ()) <= {*GAMES}:
        raise typer.BadParameter(f"there are the games {', '.join(GAMES)}")
    return games


Games = Annotated[list[str] | None, typer.Argument(help="which games; all by default", callback=_known)]


def register(app: typer.Typer) -> None:
    """Add the words."""
    app.command("project")(project)
    upkeep.register(app)


def project(
    games: Games = None,
    *,
    url: Annotated[str, typer.Option(envvar="REDIS_URL", help="of the store")] = "redis://127.0.0.1:6379/0",
) -> None:
    """Keep views, chronicles and the lobby up to date, until told to stop."""
    owner = owner_name()
    log_to_stderr(owner)
    collect_rarely()
    stop = stop_on_signals()
    try:
        store = opened(url, games or GAMES, stop)
    except StoreUnusableError as fault:
        typer.echo(store_trouble(fault), err=True)
        raise typer.Exit(1) from None
    if store is None:
        return
    run(projector_of(store, games or list(GAMES)), Shares(store, games or GAMES, owner=owner), stop)
    store.close()


def projector_of(store: ProjectorStore, games: list[str]) -> Projector:
    """Return what keeps all projections of some games up to date."""
    partitions = [partition for game in games for partition in store.partitions(game)]
    return Projector(store, GamesShelf(), partitions, PROJECTIONS)
