"""
PettingZoo environments over the rules that the service plays by: ``pip install .[gym]``.

``env("nains", seats=3)`` gives the environment with PettingZoo's own guards against wrong use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from events.tables.vocabulary import OptionValue
from services.bots.gym.environment import TableEnv

__all__ = ["ILLEGAL_REWARD", "TableEnv", "env"]

ILLEGAL_REWARD = -1.0
"""What an agent gets for an action that is not legal, which ends the table."""


def env(
    game: str,
    *,
    seats: int,
    options: Mapping[str, OptionValue] | None = None,
    max_actions: int | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """Return an environment of a game, as ``TableEnv`` describes it."""
    table = TableEnv(game, seats=seats, options=options, max_actions=max_actions, render_mode=render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(table, ILLEGAL_REWARD)))
