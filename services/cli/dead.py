"""The words ``doctor dead``, ``doctor retry`` and ``doctor drop``: commands that were set aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated
from uuid import UUID

import redis
import typer
from rich.console import Console
from rich.table import Column, Table

from events.games import GAMES
from events.log.dead import envelope_of, kind_of, retry_id, retry_of, trace, why, why_not
from events.log.errors import BusyError, StoreAwayError, StoreUnusableError, TooLargeError
from events.log.records import DeadLetter
from events.log.redis_log import RedisLog
from events.process import store_trouble
from events.streams import Partition
from services.cli.local import store_url
from services.cli.plain import cell, moment_of, plain

console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)

Entry = Annotated[str, typer.Argument(help="as `fidchell doctor dead` names it, such as nains.03/1700000000000-0")]

OneEntry = Annotated[str | None, typer.Argument(help="of which to show the traceback; all are listed by default")]


def register(group: typer.Typer) -> None:
    """Add the words."""
    group.command("dead")(dead)
    group.command("retry")(retry)
    group.command("drop")(drop)


def dead(context: typer.Context, entry: OneEntry = None) -> None:
    """
    List the commands that were set aside, or show how the rules failed at one.

    Of each what and why, never what a seat must not know: neither the command's values nor what an exception says.
    """
    with _opened(context) as log:
        if entry is not None:
            _show(*_found(log, entry))
            return
        listed = Table(Column("entry", no_wrap=True), "sent", "table", "command", "why")
        for partition, letter in _all(log):
            envelope = envelope_of(letter)
            texts = (
                f"{partition.tag}/{letter.entry}",
                moment_of(letter.entry),
                "-" if envelope is None else envelope.table,
                "-" if envelope is None else kind_of(envelope),
                why(letter),
            )
            listed.add_row(*map(cell, texts))
    console.print(listed if listed.row_count else "No command is set aside.")


def retry(context: typer.Context, entry: Entry) -> None:
    """Send a command once more, as a second try under an id of its own, as when the rules were mended."""
    with _opened(context) as log:
        partition, letter = _found(log, entry)
        envelope = envelope_of(letter)
        problem = why_not(letter)
        if envelope is None or problem is not None:
            raise _refusal(f"{problem}. It stays set aside; `fidchell doctor drop` removes it.")
        new = UUID(bytes=retry_id(envelope.command_id))
        try:
            log.submit(partition, retry_of(envelope))
        except BusyError:
            raise _refusal("Too many commands wait. It stays set aside; try again later.") from None
        except TooLargeError as fault:
            raise _refusal(
                f"It is too large: {fault}. It stays set aside; `fidchell doctor drop` removes it."
            ) from None
        told = f"Sent to {envelope.table} as command {new}, the second try of {UUID(bytes=envelope.command_id)}."
        console.print(plain(told))
        log.drop_dead(partition, letter.entry)


def drop(context: typer.Context, entry: Entry) -> None:
    """Remove a command for good; its answer, `internal_error`, stands."""
    with _opened(context) as log:
        partition, letter = _found(log, entry)
        log.drop_dead(partition, letter.entry)
    console.print(plain(f"{entry} is dropped."))


def _show(partition: Partition, letter: DeadLetter) -> None:
    envelope = envelope_of(letter)
    console.print(plain(f"{partition.tag}/{letter.entry}, sent {moment_of(letter.entry)}"))
    if envelope is not None:
        seat = "" if envelope.actor.seat is None else f", seat {envelope.actor.seat}"
        parts = envelope.table, kind_of(envelope), f"{envelope.actor.role} of {envelope.actor.platform}{seat}"
        for name, part in zip(("table", "command", "from"), parts, strict=True):
            console.print(plain(f"{name:8}"), cell(part))
    for line in trace(letter):
        console.print(plain(line))


def _all(log: RedisLog) -> Iterator[tuple[Partition, DeadLetter]]:
    for partition in _partitions(log):
        for letter in log.dead(partition):
            yield partition, letter


def _partitions(log: RedisLog) -> Sequence[Partition]:
    return [partition for game in GAMES for partition in log.partitions(game)]


def _found(log: RedisLog, entry: str) -> tuple[Partition, DeadLetter]:
    tag, _, name = entry.rpartition("/")
    found = [(place, letter) for place, letter in _all(log) if letter.entry == name and tag in ("", place.tag)]
    if len(found) != 1:
        count = "No command" if not found else "More than one command"
        raise _refusal(f"{count} is set aside under {entry}; see `fidchell doctor dead`.")
    return found[0]


@contextmanager
def _opened(context: typer.Context) -> Iterator[RedisLog]:
    try:
        log = RedisLog(store_url(context.obj))
    except (StoreAwayError, StoreUnusableError) as fault:
        raise _refusal(store_trouble(fault)) from None
    try:
        yield log
    except (StoreAwayError, StoreUnusableError, redis.RedisError) as fault:
        raise _refusal(f"The store did not do it: {fault}. Whatever is still listed can be tried again.") from None
    finally:
        log.close()


def _refusal(problem: str) -> typer.Exit:
    errors.print(plain(problem, style="red"))
    return typer.Exit(1)
