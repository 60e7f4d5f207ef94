"""Holds a simulated table to everything that must be true of any table of any game, at every version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.chance import Chance, commitment, seed_of
from events.codec import event_codec, pack, to_json
from events.commit import Commit, read_entry
from events.messages import Command, Event, Seat
from projections.tables.chronicle import chapter
from projections.tables.view import table_view, viewpoints
from services.bots.simulation.record import Recorder
from workers.kit.decider import MOST_LEGAL, Context, Refused
from workers.tables.evolve import apply
from workers.tables.state import RulesShelf, TableState, unopened
from workers.tables.wish import Wish

STRANGERS: Final = 10
"""Commands of other moments and seats that are tried out of turn at each version."""


class BrokenError(AssertionError):
    """Something that must always hold did not; the message names table, version and what."""


class Checker:
    """Checks one table while it is played and once it is over; give its ``watch`` to ``play``."""

    def __init__(self, shelf: RulesShelf) -> None:
        self._shelf = shelf
        self._recorder = Recorder()
        self._seen: list[Command] = []

    @property
    def entries(self) -> Sequence[bytes]:
        """Return the packed history."""
        return self._recorder.entries

    @property
    def chain(self) -> bytes:
        """Return the digest of the whole history."""
        return self._recorder.chain

    def watch(self, before: TableState, wish: Wish, events: Sequence[Event], after: TableState) -> None:
        """Check one step."""
        self._recorder.watch(before, wish, events, after)
        chapter(before, events, at=wish.at, seat=wish.actor.seat)
        if after.game_state is None:
            return
        try:
            after.played_by.check(after.game_state)
        except AssertionError as fault:
            raise BrokenError(f"{after.table} at {after.version}: {fault}") from fault
        self._check_offers(after, wish)

    def finish(self, played: TableState) -> None:
        """Check that the packed history folds back to the same table, and that its chance was the promised one."""
        state = unopened(played.table, self._shelf)
        codec = event_codec(played.game)
        for packed in self.entries:
            entry = read_entry(packed)
            if pack(entry) != packed or not isinstance(entry, Commit):
                raise BrokenError(f"{played.table}: an entry is packed in two ways")
            events = [codec.read(each.schema, each.body) for each in entry.events]
            state = apply(state, events, entry.command.actor.seat, entry.command.at)
        if state != played:
            raise BrokenError(f"{played.table}: the history folds to another table")
        if views(state) != views(played):
            raise BrokenError(f"{played.table}: the history folds to other views")
        if played.status == "over" and commitment(played.secret) != played.commitment:
            raise BrokenError(f"{played.table}: the revealed secret is not the promised one")

    def _check_offers(self, state: TableState, wish: Wish) -> None:
        rules, game_state = state.played_by, state.game_state
        asked = rules.prompts(game_state) if state.status == "running" else {}
        offered: list[Command] = []
        for seat in map(Seat, range(len(state.places))):
            legal = rules.legal_commands(game_state, seat)
            if bool(legal) != (seat in asked) or len(legal) > MOST_LEGAL:
                raise BrokenError(f"{state.table} at {state.version}: seat {seat} is offered {len(legal)} commands")
            offered.extend(legal)
        if (state.status == "running") != bool(asked):
            raise BrokenError(f"{state.table} at {state.version}: {state.status}, and {len(asked)} seats are asked")
        context = Context(actor=wish.actor, at=wish.at, chance=Chance(seed_of(wish.secret, ()), state.version))
        for command in offered:
            try:
                rules.decide(game_state, command, context)
            except Refused as refused:
                raise BrokenError(
                    f"{state.table} at {state.version}: {command} is offered but {refused.code}"
                ) from refused
        self._check_strangers(state, offered, context)

    def _check_strangers(self, state: TableState, offered: Sequence[Command], context: Context) -> None:
        """Try commands that are not offered now; each must be refused."""
        for command in self._seen[-STRANGERS:]:
            if command in offered:
                continue
            try:
                state.played_by.decide(state.game_state, command, context)
            except Refused:
                continue
            raise BrokenError(f"{state.table} at {state.version}: {command} is accepted but not offered")
        self._seen.extend(offered[:: max(1, len(offered) // 5)])


def views(state: TableState) -> list[bytes]:
    """Return what every viewpoint sees, in JSON."""
    return [to_json(table_view(state, each)) for each in viewpoints(state)]
