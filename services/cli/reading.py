"""The words ``tables``, ``show`` and ``follow``: looking at tables from the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.highlighter import JSONHighlighter
from rich.table import Column, Table

from projections.lobby.lobby import STATUSES
from services.cli.local import DATA, Data, Url, service_url
from services.cli.past import in_order, past_picture, past_view
from services.cli.plain import cell, lines, moment, plain
from services.cli.reader import Reader, ToldError, told
from services.cli.sentences import ranking, sentence
from services.client import Chapter, ProblemError
from services.client.given import path_of_table
from services.embedded.folder import EmbeddedError


def _table(name: str) -> str:
    if not name:
        raise typer.BadParameter("no table was named; `fidchell tables` lists them")
    try:
        path_of_table(name)
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None
    return name


def _status(name: str | None) -> str | None:
    if name not in (None, *STATUSES):
        raise typer.BadParameter("open, running or over")
    return name


AtTable = Annotated[str, typer.Argument(help="the table's name", callback=_table)]
AsSeat = Annotated[int | None, typer.Option("--seat", min=0, help="as this seat sees it; as a spectator by default")]

console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the words."""
    app.command("tables")(tables)
    app.command("show")(show)
    app.command("follow")(follow)


def tables(
    *,
    status: Annotated[str | None, typer.Option(help="open, running or over", callback=_status)] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="how many, newest first")] = 20,
    url: Url = None,
    data: Data = DATA,
) -> None:
    """List tables, newest first; a row tells of the version at which seats or status changed last."""
    with _reader(url, data) as reader:
        found = reader.tables(status=status, limit=limit)
    listed = Table(Column("table", no_wrap=True), "status", "seats", "free", "bots", "version")
    for each in found:
        listed.add_row(
            cell(each.table),
            cell(each.status),
            str(each.seats),
            " ".join(map(str, each.free)) or "-",
            " ".join(map(str, each.bots)) or "-",
            str(each.version),
        )
    console.print(listed)


def show(
    table: AtTable,
    *,
    seat: AsSeat = None,
    version: Annotated[int | None, typer.Option(min=1, help="as it was then; read from the store itself")] = None,
    svg: Annotated[Path | None, typer.Option(dir_okay=False, help="draw the board into this file instead")] = None,
    url: Url = None,
    data: Data = DATA,
) -> None:
    """Print a table as a seat or a spectator sees it, as JSON; or draw it."""
    if svg is not None:
        with _told():
            _write(svg, past_picture(data, table, seat=seat, version=version))
        return
    if version is not None:
        with _told():
            _print_json(json.loads(past_view(data, table, seat=seat, version=version)))
        return
    with _reader(url, data, table) as reader:
        reader.look_as(table, seat)
        _print_json(in_order(reader.view(table).document))


def follow(table: AtTable, *, seat: AsSeat = None, url: Url = None, data: Data = DATA) -> None:
    """Tell a table move by move, from its opening until it is over."""
    with _reader(url, data, table) as reader:
        reader.look_as(table, seat)
        for chapter in reader.story(table, waits=lambda sentence: errors.print(plain(sentence))):
            _tell(chapter)


@contextmanager
def _reader(named: str | None, data: Path, table: str = "") -> Iterator[Reader]:
    with _told():
        url = service_url(named, data)
        try:
            with closing(Reader(url, data)) as reader:
                yield reader
        except ProblemError as problem:
            raise told(problem, url, table) from None


@contextmanager
def _told() -> Iterator[None]:
    """End with a sentence where something goes wrong."""
    try:
        yield
    except (ToldError, EmbeddedError) as fault:
        errors.print(plain(str(fault), style="red"))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise ToldError(f"Nothing can be drawn into {file}: {fault.strerror}. Name another file with --svg.") from None


def _print_json(document: object) -> None:
    """Print JSON that stays JSON: what would control the terminal stands escaped in it."""
    text = lines(json.dumps(document, indent=2, ensure_ascii=False))
    JSONHighlighter().highlight(text)
    console.print(text)


def _tell(chapter: Chapter) -> None:
    clock = moment(chapter.at, "%H:%M:%S", zone=None)
    for number, step in enumerate(chapter.steps):
        margin = f"{clock} {chapter.last:>5} " if number == 0 else " " * 15
        if step["kind"] == "table_ended":
            for line in ranking(step["outcome"]):
                console.print(plain(margin + line))
                margin = " " * 15
        else:
            console.print(plain(margin + sentence(step)))
