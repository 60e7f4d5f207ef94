"""How bots choose: each kind is one function over what its seat sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, cast

import structlog

from events.tables.vocabulary import BOT_PREFIX

View = dict[str, Any]
Choose = Callable[[View, Sequence[View], Random], int]
"""Takes a seat's view and its legal commands, and returns the number of the one it wants."""

STAND_IN: Final = "random"
"""Plays on where a player gave up."""

log = structlog.get_logger()


def choose_any(_view: View, legal: Sequence[View], random: Random) -> int:
    """Return the number of any legal command, each equally likely."""
    return random.randrange(len(legal))


def kinds(game: str) -> Sequence[str]:
    """Return the kinds of bots that can be asked for at a game: the greedy one where there is a module for it."""
    return ("greedy", STAND_IN) if find_spec(f"services.bots.{game}") is not None else (STAND_IN,)


def chooser(game: str, player: str | None) -> Choose:
    """Return how the bot that sits there chooses; a kind that is not known here plays at random."""
    kind = (player or "").removeprefix(BOT_PREFIX) if (player or "").startswith(BOT_PREFIX) else STAND_IN
    if kind not in kinds(game):
        log.warning("bot_unknown", bot=kind, game=game)
    elif kind != STAND_IN:
        return cast("Choose", import_module(f"services.bots.{game}").choose)
    return choose_any
