"""Sends a command that came over a socket, and says what became of it in the words of the live door."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from redis.exceptions import RedisError

from events.codec import MalformedError, command_from_json, to_json
from events.games import game_of
from events.log.errors import BusyError, StoreAwayError, StoreLostError, StoreUnusableError, TooLargeError
from events.messages import Command
from events.tables.vocabulary import Actor
from services.api.bodies import LIMIT
from services.api.commands import acting
from services.api.doorkeeper import PLAYS, SEAT, Caller
from services.api.doors import Doors
from services.api.problems import CODES, Problem, malformed
from services.live.access import named, require_its_table, require_table
from services.live.news import Accepted, News, Pending, Refused, now_ms
from services.live.wishes import Send, placing

Prove = Callable[[], Awaitable[Caller]]

STORE_FAULTS: Final = (
    BusyError,
    TooLargeError,
    StoreLostError,
    RedisError,
    OSError,
    StoreAwayError,
    StoreUnusableError,
)


async def answer_to(wish: Send, *, re: int, prove: Prove, doors: Doors) -> News:
    """Send a command in the name of whoever is proved and return what it came to; whatever that is, it is an answer."""
    command_id = str(wish.id)
    try:
        sent = await _sent(wish, prove=prove, doors=doors)
    except Problem as problem:
        return Refused(
            re=re,
            id=command_id,
            table=named(wish.table),
            code=problem.code,
            details=problem.details,
            path=problem.path,
            now=now_ms(),
        )
    if sent is None:
        return Pending(re=re, id=command_id, table=wish.table, now=now_ms())
    first, last = sent
    return Accepted(re=re, id=command_id, table=wish.table, first=first, last=last, now=now_ms())


async def _sent(wish: Send, *, prove: Prove, doors: Doors) -> tuple[int, int] | None:
    """Return the versions of an accepted command, ``None`` when no answer came in time."""
    try:
        caller, actor = await _sender(wish, prove=prove, doors=doors)
        with _in_command():
            command = _command(wish)
            actor = await acting(doors, caller, actor, table=wish.table, command=command)
            sent = await doors.sender.decide(
                command, table=wish.table, actor=actor, command_id=wish.id, expected_version=wish.expected_version
            )
    except STORE_FAULTS as fault:
        raise away(fault) from None
    return None if sent.answer is None else (sent.answer.first, sent.answer.version)


async def _sender(wish: Send, *, prove: Prove, doors: Doors) -> tuple[Caller, Actor]:
    """Return who sends, as the doors and as the table's rules know them."""
    with placing(wish):
        require_table(wish.table)
        caller = await prove()
        if caller.role not in PLAYS:
            raise Problem("not_allowed", details={"role": SEAT})
        require_its_table(caller, wish.table, path="$.table")
        return caller, await doors.keeper.actor(caller, wish.table, command_id=wish.id)


@contextmanager
def _in_command() -> Iterator[None]:
    """A path into the command leads to where the message has it."""
    try:
        yield
    except Problem as problem:
        if problem.path is not None and problem.path.startswith("$"):
            problem.path = "$.send" + problem.path[1:]
        raise


def _command(wish: Send) -> Command:
    body = to_json(wish.send)
    if len(body) > LIMIT:
        raise Problem("too_large", path="$", details={"limit": LIMIT})
    try:
        return command_from_json(game_of(wish.table) or "", body)
    except MalformedError as fault:
        raise malformed(fault.path, fault.problem, fault.reason) from None


def away(fault: Exception) -> Problem:
    """Return what the store complains of as a problem."""
    return Problem(CODES.get(type(fault), "store_away"))
