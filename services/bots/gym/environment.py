"""A table as a PettingZoo environment: agents take turns, each sees what its seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any, Final

import msgspec
import numpy as np
from gymnasium import spaces
from msgspec.structs import fields
from numpy.typing import NDArray
from pettingzoo import AECEnv

from events.messages import Command, Outcome, Seat
from events.tables.vocabulary import Actor, OptionValue
from projections.tables.view import TableView, table_view
from services.bots.gym.given import (
    RENDER_MODES,
    action_given,
    number,
    options_given,
    require_no_option,
    require_render_mode,
    unfit,
)
from services.bots.gym.shapes import MOST, Eyes, Shape
from services.bots.gym.wishes import UNKNOWN, WIDTH, Wishes
from services.bots.simulation.play import Setting, begin
from workers.games import GamesShelf
from workers.kit.decider import MOST_LEGAL, Refused
from workers.tables.decide import step
from workers.tables.state import Edition
from workers.tables.wish import Wish

SECRET_BYTES: Final = 32
HOUR_MS: Final = 3_600_000
"""Between one action and the next, so that no action comes before a window's floor."""

Observation = dict[str, NDArray[Any]]


class TableEnv(AECEnv[str, Any, Any]):
    """
    One table of a game; each seat is an agent, ``seat_0`` first.

    Observations, actions, rewards and seeds are described in ``docs/reference/gym.md``.

    Args:
        options: of the table, as when it is opened through the API.
        max_actions: actions of all agents after which the table is given up as truncated; ``None`` for no limit.
        render_mode: ``ansi`` for a spectator's view as text, or ``None``.

    What cannot be is a ``ValueError``, here and at ``reset`` and ``step``.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        max_actions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._shelf = GamesShelf()
        edition, encoding = _known_game(self._shelf, game)
        require_render_mode(render_mode)
        seats = number(seats, called="seats", least=1)
        self.metadata = {
            "name": f"fidchell_{game}_v1",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._max_actions = None if max_actions is None else number(max_actions, called="max_actions", least=1)
        self._options = [each.encode_name for each in fields(edition.rules.options)]
        chosen = options_given(options, self._options)
        self._setting = Setting(game=game, seats=seats, seed=0, options=chosen)
        self._random = Random()  # noqa: S311  a table for practice has no secrets
        try:
            self._table = begin(self._shelf, self._setting)
        except Refused as refusal:
            raise unfit(game, refusal) from None
        catalogue = self._table.game_state.catalogue
        self._board: Shape = encoding.observed(catalogue, seats)
        self._wishes = Wishes(game, encoding.words(catalogue))
        self._observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(MOST_LEGAL) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space that the observations of an agent lie in."""
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions: action ``i`` is the ``i``-th of its legal commands."""
        return self._action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """
        Open another table; the same seed and the same actions always give the same table.

        Without a seed the chance of the new table follows from that of the one before. The table's own options are
        those that the environment was made with, and cannot be named here.
        """
        require_no_option(options, self._options)
        if seed is not None:
            self._random = Random(number(seed, called="a seed"))  # noqa: S311  as above
        self._setting = msgspec.structs.replace(self._setting, known_secret=self._random.randbytes(SECRET_BYTES))
        self._table = begin(self._shelf, self._setting)
        self._actions = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask_next()

    def step(self, action: int | None) -> None:
        """Send the agent's legal command of that number; ``ValueError`` when there is none."""
        require_agents(self)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._act(self._seat(agent), action)
        outcome = self._table.outcome
        if outcome is not None:
            self.rewards = dict(zip(self.possible_agents, rewards(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._actions == self._max_actions:
            self.truncations = dict.fromkeys(self.agents, True)
        self._ask_next()
        self._accumulate_rewards()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: FBT002
        """Return what the agent to act sees, what it got, and whether it is done; ``ValueError`` when all have gone."""
        require_agents(self)
        return super().last(observe)

    def observe(self, agent: str) -> Observation:
        """Return what the agent's seat sees; its mask is empty while it is not the one to act."""
        legal = self._legal if agent == self.agent_selection else ()
        eyes = Eyes(self._seat(agent), len(self.possible_agents))
        mask = np.zeros(MOST_LEGAL, np.int8)
        mask[: len(legal)] = 1
        seen = np.zeros(self._board.size, np.int16)
        self._board.write(seen, 0, self.view(agent).board, eyes)
        return {"observation": seen, "action_mask": mask, "legal": self._wishes.rows(legal, eyes)}

    def view(self, agent: str | None) -> TableView:
        """Return the view itself, as the service would show it to the agent's seat, or to a spectator."""
        return table_view(self._table, None if agent is None else self._seat(agent))

    def parts(self) -> list[tuple[str, int, int]]:
        """Return what stands where in ``observation``: each part's name, its first place, and its size."""
        return list(self._board.parts("", 0))

    def render(self) -> str | None:
        """Return the spectator's view as JSON text."""
        if self.render_mode is None:
            return None
        return msgspec.json.format(msgspec.json.encode(self.view(None)), indent=2).decode()

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _space(self) -> spaces.Dict:
        most = self._wishes.most
        return spaces.Dict(
            {
                "observation": spaces.Box(-MOST, MOST, (self._board.size,), np.int16),
                "action_mask": spaces.Box(0, 1, (MOST_LEGAL,), np.int8),
                "legal": spaces.Box(UNKNOWN, most, (MOST_LEGAL, WIDTH), np.int16),
            }
        )

    def _seat(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(self._known(agent)))

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}: they are {', '.join(self.possible_agents)}")
        return agent

    def _act(self, seat: Seat, action: int | None) -> None:
        chosen = action_given(action)
        if chosen >= len(self._legal):
            raise ValueError(f"action {action} is none of the {len(self._legal)} legal ones")
        self._actions += 1
        wish = Wish(
            command=self._legal[chosen],
            actor=Actor("bots", "simulation", seat),
            at=self._actions * HOUR_MS,
            secret=self._setting.secret,
        )
        _, self._table = step(self._table, wish)

    def _ask_next(self) -> None:
        """Select the first of the seats that are asked: those asked at once answer in seat order, unseen."""
        self._legal: tuple[Command, ...] = ()
        asked = sorted(self._table.prompts)
        if asked:
            self.agent_selection = self.possible_agents[asked[0]]
            self._legal = tuple(self._table.played_by.legal_commands(self._table.game_state, asked[0]))
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["legal"] = self._legal


def require_agents(table: AECEnv[str, Any, Any]) -> None:
    """Raise ``ValueError`` when all agents have gone: somebody has to open another table."""
    if not table.agents:
        raise ValueError("the table is over and no agent is left: reset() opens another")


def rewards(outcome: Outcome) -> list[float]:
    """Return what each seat gets: from 1 for the first place evenly down to -1 for the last; ties share theirs."""
    last = sum(map(len, outcome.ranking)) - 1
    found: dict[int, float] = {}
    for group in outcome.ranking:
        mean = len(found) + (len(group) - 1) / 2
        found.update(dict.fromkeys(group, 1.0 - 2.0 * mean / last))
    return [found[seat] for seat in sorted(found)]


def _known_game(shelf: GamesShelf, game: str) -> tuple[Edition, ModuleType]:
    """Return a game, and the module that says how its views and commands become numbers; ``ValueError`` without."""
    name = f"services.bots.gym.{game}"
    edition = shelf.current(game)
    if edition is None or find_spec(name) is None:
        raise ValueError(f"there is no environment for {game!r}")
    return edition, import_module(name)
