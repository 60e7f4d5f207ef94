"""The word ``bench`` of the command line."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from events.codec import to_json
from events.games import GAMES
from services.bench import socket
from services.bench.bus import bus, worker
from services.bench.measure import Bench, Measure, measured, runs
from services.bench.play import random_play, replay_file
from services.bench.replay_store import replay_store

WIDTH: Final = 110
"""Columns the table needs, however wide the terminal says it is."""


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("bench", epilog=f"Measurements: {', '.join(each.name for each in benches())}.")(bench)


def benches() -> list[Bench]:
    """Return every measurement there is."""
    return [
        *(random_play(game) for game in GAMES),
        *(replay_file(game) for game in GAMES),
        replay_store(),
        bus("fast", floor=4_000, goal=8_000),
        bus("always", floor=3_000, goal=6_000),
        worker("fast", floor=4_000, goal=8_000),
        worker("always", floor=3_000, goal=6_000),
        socket.moves(),
        socket.wait(),
        socket.idle(),
    ]


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="which measurements; all by default")] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="one short run of each, to see that it works")] = False,
    json: Annotated[bool, typer.Option("--json", help="print a JSON list that can be compared")] = False,
) -> None:
    """
    Measure speed, each figure beside its limit in the same run; ends with 1 when one misses its floor.

    A quick run is too short to be held to the floors.
    """
    known = {each.name: each for each in benches()}
    if unknown := [name for name in names or () if name not in known]:
        raise typer.BadParameter(f"there is no bench {', '.join(unknown)}; there are: {', '.join(known)}")
    chosen = [known[name] for name in names or known]
    with Progress(console=Console(stderr=True), transient=True, disable=json) as bar:
        task = bar.add_task("measuring", total=len(chosen) * runs(quick=quick))
        results = []
        for each in chosen:
            bar.update(task, description=each.about)
            results.append(measured(each, quick=quick, progress=lambda: bar.advance(task)))
    if json:
        typer.echo(to_json(results).decode())
    else:
        console = Console(width=max(WIDTH, Console().width))
        console.print(_table(results))
        for result in results:
            limit = f"{result.name}: limit {result.limit:,.0f} {result.unit}, {result.limit_name}"
            console.print(limit, highlight=False)
    missed = [each.name for each in results if not each.met]
    if missed and not quick:
        typer.echo(f"Missed the floor: {', '.join(missed)}.", err=True)
        raise typer.Exit(1)


def _table(results: list[Measure]) -> Table:
    table = Table("name", "median", "min", "max", "unit", "of limit", "floor", "goal", "met", box=SIMPLE)
    for each in results:
        numbers = [f"{number:,.0f}" for number in (each.value, each.min, each.max)]
        ends = [f"{each.floor:,.0f}", f"{each.goal:,.0f}", "yes" if each.met else "no"]
        table.add_row(each.name, *numbers, each.unit, f"{each.ratio:.2f}", *ends)
    return table
