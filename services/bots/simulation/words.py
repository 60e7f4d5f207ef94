"""The word ``simulate`` of the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from events.codec import to_json
from events.games import GAMES
from events.tables.vocabulary import OptionValue
from services.bots.options import require_options
from services.bots.simulation.check import BrokenError
from services.bots.simulation.players import player
from services.bots.simulation.run import Order, Report, simulate
from workers.games import GamesShelf


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("simulate")(simulate_tables)


def simulate_tables(
    game: Annotated[str, typer.Argument(help="which game")],
    *,
    seats: Annotated[int, typer.Option(help="seats at each table")] = 2,
    tables: Annotated[int, typer.Option(min=1, help="how many tables")] = 100,
    seed: Annotated[int, typer.Option(help="the same seed plays the same tables")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="a table option as name=value; may be repeated")] = None,
    bots: Annotated[str, typer.Option(help="kinds of bot, seats take turns: greedy,random")] = "random",
    check: Annotated[bool, typer.Option("--check", help="check every invariant at every version")] = False,
    digest: Annotated[bool, typer.Option("--digest", help="print a digest of all histories")] = False,
    record: Annotated[
        Path | None, typer.Option(file_okay=False, help="folder for an export file of each table")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play whole tables in this process, without a store."""
    order = Order(
        game=game,
        seats=seats,
        tables=tables,
        seed=seed,
        options=_options(game, seats, option or []),
        bots=_bots(game, bots),
        check=check,
        digest=digest,
        record=None if record is None else _made(record),
    )
    with Progress(console=Console(stderr=True), transient=True, disable=json) as bar:
        task = bar.add_task(f"{game}, {seats} seats", total=tables)
        try:
            report = simulate(order, progress=lambda: bar.advance(task))
        except BrokenError as fault:
            typer.echo(f"broken: {fault}", err=True)
            raise typer.Exit(1) from None
        except OSError as fault:
            typer.echo(f"Tables cannot be written to {record}: {fault.strerror}.", err=True)
            raise typer.Exit(1) from None
    typer.echo(to_json(report).decode() if json else _told(report))
    if report.stuck:
        raise typer.Exit(1)


def _options(game: str, seats: int, settings: list[str]) -> dict[str, OptionValue]:
    edition = GamesShelf().current(game)
    if edition is None:
        raise typer.BadParameter(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
    if not all("=" in setting for setting in settings):
        raise typer.BadParameter("--option: say name=value")
    pairs = dict(setting.partition("=")[::2] for setting in settings)
    try:
        require_options(pairs, edition.rules.options.__struct_encode_fields__)
    except ValueError as fault:
        raise typer.BadParameter(f"--option: {fault}") from None
    try:
        options = msgspec.convert(pairs, edition.rules.options, strict=False)
    except msgspec.ValidationError as fault:
        raise typer.BadParameter(f"--option: {fault}") from None
    possible = edition.seats_with(options)
    if seats not in possible:
        raise typer.BadParameter(f"{game} with these options is for {possible.start} to {possible.stop - 1} seats")
    return dict(msgspec.to_builtins(options))


def _made(folder: Path) -> Path:
    """Return a folder that is there and can be written to, before anything is played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise typer.BadParameter(f"--record: {folder} cannot be made: {fault.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"--record: {folder} cannot be written to")
    return folder


def _bots(game: str, names: str) -> tuple[str, ...]:
    try:
        for name in names.split(","):
            player(game, name)
    except LookupError as fault:
        raise typer.BadParameter(str(fault)) from None
    return tuple(names.split(","))


def _told(report: Report) -> str:
    lines = [
        f"{report.tables} tables of {report.game} with {report.seats} seats",
        f"{report.actions} actions, {report.events} events, {report.stuck} stuck, {report.unfinished} unfinished",
        f"{report.actions_per_s:,.0f} actions/s, {report.events_per_s:,.0f} events/s in {report.seconds} s",
        f"won by seat: {', '.join(map(str, report.wins_by_seat))}",
        *(f"won by {bot}: {wins}" for bot, wins in report.wins_by_bot.items() if len(report.wins_by_bot) > 1),
        *(f"ended by {reason}: {count}" for reason, count in report.reasons.items()),
        *([f"digest of all histories: {report.digest}"] if report.digest else []),
    ]
    return "\n".join(lines)
