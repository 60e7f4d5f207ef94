"""Plays one table from opening to outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from events.messages import Event, Seat, TableId
from events.tables.commands import OpenTable, StartTable
from events.tables.vocabulary import Actor, OptionValue
from services.bots.simulation.players import Player
from workers.tables.decide import step
from workers.tables.state import RulesShelf, TableState, unopened
from workers.tables.wish import Wish

PLATFORM: Final = Actor("platform", "simulation")
MAX_ACTIONS: Final = 20_000
"""Commands after which a table is given up as unfinished."""

Watch = Callable[[TableState, Wish, Sequence[Event], TableState], None]
"""Told of every accepted command: the table before, the wish, what happened, the table after."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one simulated table is played by.

    Args:
        seed: of the whole simulation; each table has chance and choices of its own by its ``number``.
        known_secret: the secret to play with instead of one that follows from the table's name.
    """

    game: str
    seats: int
    seed: int
    number: int = 0
    options: Mapping[str, OptionValue] = {}
    known_secret: bytes | None = None

    @property
    def table(self) -> TableId:
        return TableId(f"{self.game}-{self.seed}s{self.seats}n{self.number}")

    @property
    def secret(self) -> bytes:
        return self.known_secret or hashlib.sha256(f"secret of {self.table}".encode()).digest()


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as far as it came.

    Args:
        actions: accepted commands of seats.
        stuck: true when play went on but nobody had a legal command.
    """

    state: TableState
    actions: int
    stuck: bool


def play(shelf: RulesShelf, setting: Setting, players: Sequence[Player], *, watch: Watch | None = None) -> Played:
    """Play one table to its end; the same setting and players always play the same table."""
    random = Random(f"choices of {setting.table}")  # noqa: S311  a bot's whim needs no secrecy
    state = begin(shelf, setting, watch=watch)
    secret = setting.secret
    actors = [Actor("bots", "simulation", Seat(seat)) for seat in range(setting.seats)]
    rules = state.played_by
    actions = 0
    while state.status == "running" and actions < MAX_ACTIONS:
        asked = tuple(rules.prompts(state.game_state))
        seat = asked[int(random.random() * len(asked))] if asked else Seat(0)
        legal = rules.legal_commands(state.game_state, seat) if asked else ()
        if not legal:
            return Played(state=state, actions=actions, stuck=True)
        chosen = players[seat](state, seat, legal, random)
        actions += 1
        state = _take_step(state, Wish(command=chosen, actor=actors[seat], at=actions, secret=secret), watch)
    return Played(state=state, actions=actions, stuck=False)


def begin(shelf: RulesShelf, setting: Setting, *, watch: Watch | None = None) -> TableState:
    """Return the table as it is when play has begun."""
    state = unopened(setting.table, shelf)
    opening = OpenTable(
        game=setting.game,
        seats=setting.seats,
        options=dict(setting.options),
        bots=tuple((Seat(seat), "simulated") for seat in range(setting.seats)),
    )
    for command in (opening, StartTable()):
        state = _take_step(state, Wish(command=command, actor=PLATFORM, at=0, secret=setting.secret), watch)
    return state


def _take_step(state: TableState, wish: Wish, watch: Watch | None) -> TableState:
    events, after = step(state, wish)
    if watch:
        watch(state, wish, events, after)
    return after
