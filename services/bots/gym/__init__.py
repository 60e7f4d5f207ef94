"""
PettingZoo environments over the rules that the service plays by: ``pip install .[gym]``.

``env("nains", seats=3)`` gives the environment with PettingZoo's own guards against wrong use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

    from services.bots.gym.environment import TableEnv, require_agents
    from services.bots.gym.given import action_given
except ModuleNotFoundError as fault:
    missing = (fault.name or "").partition(".")[0]
    if missing in {"gymnasium", "numpy", "pettingzoo"}:
        told = (
            f"{missing} is missing: install what the environments need with `pip install '.[gym]'`, in an environment "
            "of your own; the `.venv` that `make` makes has it already"
        )
        raise ModuleNotFoundError(told, name=missing) from None
    raise

from events.tables.vocabulary import OptionValue

__all__ = ["ILLEGAL_REWARD", "TableEnv", "env"]

ILLEGAL_REWARD = -1.0
"""What an agent gets for an action that is not legal, which ends the table."""


class _Guards(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's outermost guard, which tells in words, too, what would break inside the others."""

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: FBT002
        require_agents(self)
        return super().last(observe)

    def step(self, action: Any) -> None:  # noqa: ANN401  what PettingZoo takes
        if self._has_reset and self.agents and not self._has_gone(self.agent_selection):
            action = action_given(action)
        super().step(action)

    def _has_gone(self, agent: str) -> bool:
        return bool(self.terminations[agent] or self.truncations[agent])

    def __str__(self) -> str:
        return str(self.env)


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
    return _Guards(TerminateIllegalWrapper(table, ILLEGAL_REWARD))
