"""Who plays in a simulation: anything that chooses among legal commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, cast

import msgspec

from events.messages import Command, Seat
from projections.tables.view import table_view
from workers.tables.state import TableState

Player = Callable[[TableState, Seat, Sequence[Command], Random], Command]
"""Returns one of the legal commands of a seat."""


def random_player(_state: TableState, _seat: Seat, legal: Sequence[Command], random: Random) -> Command:
    """Return any of the legal commands, each equally likely."""
    return legal[int(random.random() * len(legal))]


def player(game: str, bot: str) -> Player:
    """Return the player of a kind of bot, such as ``random`` or ``greedy``; ``LookupError`` when there is none."""
    if bot == "random":
        return random_player
    if bot != "greedy" or find_spec(f"services.bots.{game}") is None:
        raise LookupError(f"there is no bot {bot!r} for {game}; there are: random, greedy")
    choose = cast("Callable[[Any, list[Any], Random], int]", import_module(f"services.bots.{game}").choose)

    def seeing_its_view_only(state: TableState, seat: Seat, legal: Sequence[Command], random: Random) -> Command:
        view = msgspec.to_builtins(table_view(state, seat))
        return legal[choose(view, view["legal"], random)]

    return seeing_its_view_only
