"""Runs a history's commands through the rules again, and compares every event, every refusal and the chain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from events.chance import commitment
from events.codec import MalformedError, command_unpacker, event_codec
from events.commit import Commit, Entry, Received, broken_link, entry_id, stored
from events.games import game_of
from events.messages import TableId
from events.tables.events import SeedRevealed
from events.upcasting import UnknownKindError
from workers.games import GamesShelf
from workers.kit.decider import Refused
from workers.tables.decide import step
from workers.tables.evolve import apply
from workers.tables.state import RulesShelf, RulesUnavailableError, TableState, unopened
from workers.tables.wish import Wish

UNDECIDED = frozenset(("internal_error",))
"""Refusals that no rule gave, so that no rule can give them again."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a verification found.

    Args:
        result: ``verified``, ``differs``, or ``undecided`` when the rules or the secret are not here.
        reason: why it is not verified.
        entry: id of the first entry that differs.
        stored: what the history says there; ``recomputed`` what the rules say.
    """

    result: str
    reason: str | None = None
    entry: str | None = None
    stored: Any = None
    recomputed: Any = None


def verify(table: str, entries: Sequence[Entry], shelf: RulesShelf) -> Verdict:
    """Return whether the rules a table was opened with give exactly this history."""
    if fault := broken_link(entries):
        return Verdict(result="differs", reason=fault)
    game = game_of(table)
    if game is None:
        return Verdict(result="undecided", reason="this program does not know the game")
    try:
        secret = _secret(entries, game)
        state = unopened(TableId(table), shelf)
        for entry in entries:
            verdict, state = _again(state, entry, game, secret)
            if verdict:
                return verdict
    except (RulesUnavailableError, UnknownKindError) as fault:
        return Verdict(result="undecided", reason=str(fault))
    if commitment(secret) != state.commitment:
        return Verdict(result="differs", reason="the revealed secret is not the one that was promised")
    return Verdict(result="verified")


def _secret(entries: Sequence[Entry], game: str) -> bytes:
    """Return the secret the history reveals at its end."""
    codec = event_codec(game)
    commits = [each for each in entries if isinstance(each, Commit)]
    ends = commits[-2:]  # a rematch is noted behind the end
    for each in (event for commit in ends for event in commit.events):
        event = codec.read(each.schema, each.body)
        if isinstance(event, SeedRevealed):
            return event.secret
    raise RulesUnavailableError("the secret behind its chance is not revealed yet")


def _again(state: TableState, entry: Entry, game: str, secret: bytes) -> tuple[Verdict | None, TableState]:
    """Decide one entry's command again; return how it differs, if it does, and the table after it."""
    try:
        events, after = step(state, _wish(entry.command, game, secret))
    except Refused as refused:
        return _refused_again(entry, refused.code, refused.details), state
    except MalformedError as fault:
        return _refused_again(entry, "malformed", {"path": fault.path}), state
    if not isinstance(entry, Commit):
        if entry.code in UNDECIDED:
            return None, state
        return _differs(entry, {"refused": entry.code}, {"events": msgspec.to_builtins(events)}), state
    if entry.events != stored(events):
        codec = event_codec(game)
        found = [msgspec.to_builtins(codec.read(each.schema, each.body)) for each in entry.events]
        return _differs(entry, {"events": found}, {"events": msgspec.to_builtins(events)}), state
    return None, after


def _wish(received: Received, game: str, secret: bytes) -> Wish:
    return Wish(
        command=command_unpacker(game)(received.body),
        actor=received.actor,
        at=received.at,
        secret=secret,
        expected_version=received.expected_version,
    )


def _refused_again(entry: Entry, code: str, details: dict[str, Any]) -> Verdict | None:
    said = {"refused": code, "details": msgspec.to_builtins(details)}
    if isinstance(entry, Commit):
        return _differs(entry, {"events": len(entry.events)}, said)
    found = {"refused": entry.code, "details": msgspec.to_builtins(entry.details)}
    return None if entry.code in UNDECIDED or found == said else _differs(entry, found, said)


def _differs(entry: Entry, found: object, said: object) -> Verdict:
    return Verdict(
        result="differs",
        reason="the rules decide otherwise",
        entry=entry_id(entry),
        stored=found,
        recomputed=said,
    )


def fold(table: str, entries: Sequence[Entry], shelf: RulesShelf) -> TableState:
    """Return the table after its whole history, without deciding anything again."""
    game = game_of(table)
    if game is None:
        raise RulesUnavailableError("this program does not know the game")
    codec, state = event_codec(game), unopened(TableId(table), shelf)
    for entry in entries:
        if isinstance(entry, Commit):
            events = [codec.read(each.schema, each.body) for each in entry.events]
            state = apply(state, events, entry.command.actor.seat, entry.command.at)
    return state


@cache
def shelf_of_program() -> RulesShelf:
    """Return the rules of all games of this program."""
    return GamesShelf()
