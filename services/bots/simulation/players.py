"""Who plays in a simulation: anything that chooses among legal commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from events.messages import Command, Seat
from events.tables.vocabulary import BOT_PREFIX
from projections.tables.view import table_view
from services.bots.choosing import STAND_IN, chooser, kinds
from workers.tables.state import TableState

Player = Callable[[TableState, Seat, Sequence[Command], Random], Command]
"""Returns one of the legal commands of a seat."""


def random_player(_state: TableState, _seat: Seat, legal: Sequence[Command], random: Random) -> Command:
    """Return any of the legal commands, each equally likely."""
    return legal[int(random.random() * len(legal))]


def player(game: str, bot: str) -> Player:
    """Return the player of a kind of bot, such as ``random`` or ``greedy``; ``LookupError`` when there is none."""
    if bot == STAND_IN:
        return random_player
    if bot not in kinds(game):
        raise LookupError(f"there is no bot {bot!r} for {game}; there are: {', '.join(kinds(game))}")
    choose = chooser(game, BOT_PREFIX + bot)

    def seeing_its_view_only(state: TableState, seat: Seat, legal: Sequence[Command], random: Random) -> Command:
        view = msgspec.to_builtins(table_view(state, seat))
        return legal[choose(view, view["legal"], random)]

    return seeing_its_view_only
