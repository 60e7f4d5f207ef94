"""The words ``projections`` and ``rebuild``: how far projections are, and making them anew."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from events.games import GAMES
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.rebuilds import Mark, ProjectionStore
from events.log.redis_log import RedisLog
from events.process import DATA, store_trouble, store_url
from events.streams import Partition
from projections.kit.projection import Projection
from projections.runtime.known import PROJECTIONS
from projections.runtime.lines import Line, survey

LOOK_S: Final = 0.2
PATIENCE_S: Final = 10.0
"""How long a rebuild may stand still before it is asked whether anybody is there to do it."""

Data = Annotated[Path, typer.Option("--data", envvar="FIDCHELL_DATA", help="folder of a service running here")]

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the words."""
    group = typer.Typer()
    group.callback(invoke_without_command=True)(projections)
    group.command()(forget)
    app.add_typer(group, name="projections")
    app.command()(rebuild)


def projections(context: typer.Context, data: Data = DATA) -> None:
    """Show how far every projection is, partition by partition."""
    context.obj = data
    if context.invoked_subcommand is None:
        with _store(data) as store:
            console.print(overview(store, partitions_of(store), PROJECTIONS))


def forget(
    context: typer.Context,
    version: Annotated[str, typer.Argument(help="as `fidchell projections` names it, such as ratings@1")],
) -> None:
    """Let a projection that no program has any more hold the feed no longer, and remove its views."""
    with _store(context.obj) as store:
        partitions = partitions_of(store)
        used = {line.version for line in survey(store, partitions, PROJECTIONS).lines}
        if meant := sorted(each for each in _known(store, partitions) | used if each.rpartition("@")[0] == version):
            errors.print(f"Say it with its version: {' or '.join(meant)}.")
            raise typer.Exit(1)
        if version in used:
            errors.print(f"{version} is in use: `fidchell project` would come back with it.")
            raise typer.Exit(1)
        holding = [partition for partition in partitions if version in store.projections(partition)]
        removed = store.remove_views(version) if holding else 0
        for partition in holding:  # last: what a silent node left undone is done when it is said again
            store.forget(partition, version)
    if not holding:
        errors.print(f"No partition knows {version}; `fidchell projections` lists what there is.")
        raise typer.Exit(1)
    told = f"{removed} keys of views are removed."
    console.print(f"{version} holds the feed of {len(holding)} partitions no longer; {told}")


def rebuild(
    projection: Annotated[str, typer.Argument(help=" or ".join(each.name for each in PROJECTIONS))],
    data: Data = DATA,
) -> None:
    """Make a projection anew from the histories, beside the live one, and switch to it."""
    found = next((each for each in PROJECTIONS if each.name == projection), None)
    if found is None:
        errors.print(f"There is no projection {projection}: {', '.join(each.name for each in PROJECTIONS)}.")
        raise typer.Exit(1)
    with _store(data) as store:
        _rebuild(store, found)


def partitions_of(store: ProjectionStore) -> list[Partition]:
    """Return all partitions of the games of this program."""
    return [partition for game in GAMES for partition in store.partitions(game)]


def _known(store: ProjectionStore, partitions: Sequence[Partition]) -> set[str]:
    """Return every version of a projection that a partition knows."""
    return {version for partition in partitions for version in store.projections(partition)}


def overview(store: ProjectionStore, partitions: Sequence[Partition], known: Sequence[Projection]) -> Table:
    """Return a row for each version of each projection in each partition."""
    table = Table("projection", "partition", "version", "behind", "state")
    lines = survey(store, partitions, known).lines
    ends = {partition: store.standing(partition)[0].end for partition in partitions}
    named = {line.version for line in lines}
    for line in lines:
        lag = "-" if line.position is None else str(max(0, ends[line.partition] - line.position))
        table.add_row(line.projection.name, line.partition.tag, str(line.number), lag, state(line))
    for partition in partitions:
        for version in store.projections(partition):
            if version not in named:
                name, _, number = version.rpartition("@")
                table.add_row(
                    name, partition.tag, number, "-", f"unknown here: `fidchell projections forget {version}`"
                )
    return table


def state(line: Line) -> str:
    """Return how a version stands, in words."""
    if line.stale:
        return "left behind: it is rebuilt as soon as `fidchell project` runs"
    if line.position is None:
        return "not begun"
    if line.reads_histories:
        return f"rebuilding: {Mark.read(line.mark).tables} tables are read"
    if line.live:
        return "live"
    return "rebuilt: catching up"


def _rebuild(store: ProjectionStore, projection: Projection) -> None:
    partitions = partitions_of(store)
    for scope in [None] if projection.across else partitions:
        store.ask_rebuild(scope, projection.name)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors) as bar:
        total = sum(store.standing(partition)[0].tables for partition in partitions)
        task = bar.add_task(projection.name, total=total)
        over = wait(
            lambda: progress(store, projection, partitions, total),
            told=lambda done: bar.update(task, completed=done),
            hint=lambda: _hinted(bar.console, store, projection, partitions),
        )
    if not over:
        raise typer.Exit(1)
    console.print(f"{projection.name}: {total} tables are rebuilt and live.")


def _hinted(told: Console, store: ProjectionStore, projection: Projection, partitions: Sequence[Partition]) -> bool:
    """Say why nothing moves; true when nobody is there to whom it could be left."""
    waiting = {line.partition.game for line in survey(store, partitions, [projection]).lines if not line.live}
    alone = sorted(game for game in waiting if not store.projecting(game))
    for game in alone:
        told.print(f"Nobody projects {game}: {projection.name} is made anew as soon as `fidchell project {game}` runs.")
    if not alone:
        told.print("Nothing moves. Is `fidchell project` at work?")
    return set(alone) == waiting


def progress(store: ProjectionStore, projection: Projection, partitions: Sequence[Partition], total: int) -> int | None:
    """Return through how many tables a rebuild is, or ``None`` when it is over."""
    coming = [line for line in survey(store, partitions, [projection]).lines if not line.live]
    if not coming:
        return None
    left = 0
    for line in coming:
        tables = store.standing(line.partition)[0].tables
        done = Mark.read(line.mark).tables if line.reads_histories else 0 if line.position is None else tables
        left += max(0, tables - done)
    return max(0, total - left)


def wait(look: Callable[[], int | None], *, told: Callable[[int], object], hint: Callable[[], object]) -> bool:
    """
    Look until it is over, telling how far it is, and each time that it stands still.

    False when the hint says, with something true, that there is nothing to wait for.
    """
    moved, last, hinted = time.monotonic(), -1, False
    while (done := look()) is not None:
        if done != last:
            moved, last, hinted = time.monotonic(), done, False
        elif not hinted and time.monotonic() - moved > PATIENCE_S:
            hinted = True
            if hint():
                return False
        told(done)
        time.sleep(LOOK_S)
    return True


@contextmanager
def _store(data: Path) -> Iterator[ProjectionStore]:
    try:
        with closing(RedisLog(store_url(data / "store.url"))) as log:
            yield log
    except (StoreAwayError, StoreUnusableError) as fault:
        raise _refusal(store_trouble(fault)) from None


def _refusal(problem: str) -> typer.Exit:
    errors.print(problem, style="red", markup=False)
    return typer.Exit(1)
