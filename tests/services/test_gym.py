"""Every game is an environment that passes PettingZoo's own tests, and shows an agent its seat's view alone."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test.api_test import api_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.seed_test import seed_test

from events.games import GAMES
from events.messages import Outcome, Seat
from events.tables.vocabulary import OptionValue
from services.bots.gym import ILLEGAL_REWARD, TableEnv, env
from services.bots.gym.environment import rewards
from tests.every_game.kinds import TableKind, kinds_of

SEATS = 3
KINDS = [kind for game in GAMES for kind in kinds_of(game) if kind.options or kind.seats in {2, 4}]
EPISODES = [kind for game in GAMES for kind in kinds_of(game) if kind.options or kind.seats == SEATS]
"""Each game once, and with all that it brings."""


@contextmanager
def expecting(*messages: str) -> Iterator[None]:
    """Let warnings pass that say nothing is wrong: PettingZoo advises against what masked actions need."""
    with warnings.catch_warnings():
        for message in messages:
            warnings.filterwarnings("ignore", message)
        yield


def played(
    game: str, seed: int, *, seats: int = SEATS, actions: int = 150, options: Mapping[str, OptionValue] | None = None
) -> Iterator[TableEnv]:
    """Give a table before each of its random actions, and once it is over."""
    table = TableEnv(game, seats=seats, max_actions=actions, options=options or {})
    table.reset(seed)
    random = Random(seed)
    while not any((*table.terminations.values(), *table.truncations.values())):
        yield table
        table.step(random.choice(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])))
    yield table


@pytest.mark.parametrize("kind", EPISODES, ids=str)
def test_api(kind: TableKind) -> None:
    """PettingZoo's test of the interface passes."""
    with expecting("Observation is not a NumPy array", "Observation space for each agent probably should be"):
        api_test(env(kind.game, seats=kind.seats, options=kind.options), num_cycles=400)


@pytest.mark.parametrize("kind", EPISODES, ids=str)
def test_seeds(kind: TableKind) -> None:
    """PettingZoo's test of seeds passes: the same seed and actions give the same table."""
    seed_test(partial(env, kind.game, seats=kind.seats, options=kind.options), num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_performance(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's benchmark runs through, over the end of tables."""
    performance_benchmark(env(game, seats=SEATS))

    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_observation_lies_in_its_space(kind: TableKind) -> None:
    """What any agent sees at any moment is inside the space, and every word of its commands is known."""
    for table in played(kind.game, 5, seats=kind.seats, options=kind.options, actions=300):
        for agent in table.agents:
            seen = table.observe(agent)

            assert table.observation_space(agent).contains(seen)
            assert seen["legal"].min() >= 0


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_legal_commands_differ_as_rows(kind: TableKind) -> None:
    """No two actions look the same to an agent, and a row stands for each legal command."""
    for table in played(kind.game, 6, seats=kind.seats, options=kind.options, actions=300):
        legal = table.infos[table.agent_selection].get("legal", ())
        rows = table.observe(table.agent_selection)["legal"]

        assert len(legal) == len({tuple(row) for row in rows[: len(legal)].tolist()})
        assert not rows[len(legal) :].any()


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_cover_the_view(game: str) -> None:
    """Each number of an observation belongs to one part, and each field of the game's view is among the parts."""
    table = TableEnv(game, seats=SEATS)
    table.reset(1)
    parts = table.parts()
    ends = [first + size for _, first, size in parts]
    board = table.view("seat_0").board
    assert board is not None

    assert [first for _, first, _ in parts] == [0, *ends[:-1]]
    assert table.observe("seat_0")["observation"].size == ends[-1]
    assert set(board.__struct_fields__) == {name.partition(".")[0].partition("[")[0] for name, _, _ in parts}


def test_a_bet_is_hidden_until_all_have_bet() -> None:
    """Seats asked at once act one after the other, and none sees what another chose before it."""
    tables = [TableEnv("nains", seats=2), TableEnv("nains", seats=2)]
    for choice, table in enumerate(tables):
        table.reset(3)
        table.step(choice)
    one, other = tables

    assert "seat_1" == one.agent_selection == other.agent_selection
    assert all(np.array_equal(seen, other.observe("seat_1")[name]) for name, seen in one.observe("seat_1").items())
    assert not np.array_equal(one.observe("seat_0")["observation"], other.observe("seat_0")["observation"])


def test_seats_see_themselves_first() -> None:
    """Seats are counted from the one that looks."""
    table = TableEnv("inori", seats=4)
    table.reset(2)
    first, size = next((first, size) for name, first, size in table.parts() if name == "order")
    orders = [table.observe(agent)["observation"][first : first + size].tolist() for agent in table.agents]

    assert [1, 2, 3, 4] == sorted(orders[0])
    assert [[*orders[0][seat:], *orders[0][:seat]] for seat in range(4)] == orders


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        (((1,), (0,), (2,)), [0.0, 1.0, -1.0]),
        (((0, 2), (1,)), [0.5, -1.0, 0.5]),
        (((0, 1),), [0.0, 0.0]),
        (((3,), (0, 1), (2,)), [0.0, 0.0, -1.0, 1.0]),
    ],
)
def test_rewards_follow_the_ranking(ranking: tuple[tuple[int, ...], ...], expected: list[float]) -> None:
    """From 1 down to -1 in even steps; who shares a place shares its rewards, so they sum to nothing."""
    groups = tuple(tuple(map(Seat, group)) for group in ranking)
    found = rewards(Outcome(reason="scored", ranking=groups))

    assert pytest.approx(expected) == found
    assert pytest.approx(0) == sum(found)


@pytest.mark.parametrize("game", ["nains", "inori"])
def test_a_table_ends_with_its_rewards(game: str) -> None:
    """When a table is over every agent is done, with what its place is worth."""
    *_, table = played(game, 7, actions=20_000)
    outcome = table.view(None).outcome
    assert outcome is not None

    assert all(table.terminations.values())
    assert dict(zip(table.possible_agents, rewards(outcome), strict=True)) == table.rewards


def test_a_limit_of_actions_truncates() -> None:
    """Who trains need not wait for a long table to end."""
    *_, table = played("inis", 8, actions=20)

    assert all(table.truncations.values())
    assert not any(table.terminations.values())


def test_an_illegal_action_ends_the_table() -> None:
    """The guarded environment punishes it; the bare one refuses it."""
    guarded = env("nains", seats=2)
    guarded.reset(1)
    guarded.step(199)
    bare = TableEnv("nains", seats=2)
    bare.reset(1)

    assert ILLEGAL_REWARD == guarded.rewards["seat_0"]
    with pytest.raises(ValueError, match="action 199"):
        bare.step(199)


@pytest.mark.parametrize("seed", [np.int64(5), np.uint8(5)])
def test_a_seed_of_numpy_is_a_seed(seed: int) -> None:
    """As the same number of Python is."""
    tables = [TableEnv("nains", seats=2) for _ in range(2)]
    for table, each in zip(tables, (5, seed), strict=True):
        table.reset(each)
    seen = [[table.observe(agent)["observation"].tolist() for agent in table.agents] for table in tables]

    assert seen[0] == seen[1]


@pytest.mark.parametrize("seed", [-1, 1.5, "5", True, np.float64(5)])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:  # noqa: ANN401  what is none
    """Python would take some of them, and two of them for the same chance."""
    table = env("nains", seats=2)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        table.reset(seed=seed)


@pytest.mark.parametrize("most", [0, -1, 1.5, True, "9"])
def test_a_limit_of_actions_that_cannot_be_is_refused(most: Any) -> None:  # noqa: ANN401  what is none
    """It would never be reached."""
    with pytest.raises(ValueError, match="max_actions is a whole number, 1 or more"):
        env("nains", seats=2, max_actions=most)


def test_a_way_to_render_that_there_is_not_is_refused() -> None:
    """No window opens."""
    with pytest.raises(ValueError, match="there is no render_mode 'human'"):
        env("nains", seats=2, render_mode="human")


def test_options_of_the_table_are_not_for_a_reset() -> None:
    """Nobody trains on another table than they think; what is no option of the table is nothing, as elsewhere."""
    table = env("nains", seats=2)
    table.reset(seed=1, options={"other": 1})
    with pytest.raises(ValueError, match="when the environment is made: thin_treasury"):
        table.reset(seed=1, options={"thin_treasury": True})


@pytest.mark.parametrize("action", [True, False, 1.0, "1", None, -1, 200, np.float32(1), [0]])
@pytest.mark.parametrize("make", [env, TableEnv])
def test_an_action_that_is_none_is_refused(make: Callable[..., AECEnv[str, Any, Any]], action: Any) -> None:  # noqa: ANN401  what is none
    """In words; the table is as it was."""
    table = make("nains", seats=2)
    table.reset(1)
    with pytest.raises(ValueError, match=r"an action is (a whole number, 0 or more|below 200), and not"):
        table.step(action)

    assert "seat_0" == table.agent_selection
    assert not any((*table.rewards.values(), *table.terminations.values()))


@pytest.mark.parametrize("make", [env, TableEnv])
def test_an_agent_that_is_done_acts_no_more(make: Callable[..., AECEnv[str, Any, Any]]) -> None:
    """It goes with ``None`` alone."""
    table = make("nains", seats=2, max_actions=1)
    table.reset(1)
    table.step(0)
    for action in (0, "1", 200):
        with pytest.raises(ValueError, match="only valid action is None"):
            table.step(action)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seats": 9}, "seats: nains has 2 to 5 of them"),
        ({"seats": "3"}, "seats is a whole number, 1 or more, and not '3'"),
        ({"seats": 0}, "seats is a whole number"),
        ({"seats": True}, "seats is a whole number"),
        ({"seats": 2, "options": {"x": 1}}, "there is no option 'x': there are .*thin_treasury"),
        ({"seats": 2, "options": {"thin_treasury": 1}}, r"options.thin_treasury: .*`bool`"),
        ({"seats": 2, "options": {1: 1}}, "there is no option 1"),
        ({"seats": 2, "options": ["thin_treasury"]}, "options are a mapping"),
    ],
)
def test_a_table_that_cannot_be_opened_is_told_in_words(given: dict[str, Any], told: str) -> None:
    """Each that the rules refuse as well."""
    with pytest.raises(ValueError, match=told):
        env("nains", **given)


@pytest.mark.parametrize("game", GAMES)
def test_no_hand_is_laid_on_what_actions_mean(game: str) -> None:
    """What an agent is told of its commands is not what decides about them."""
    table = env(game, seats=SEATS)
    table.reset(seed=1)

    assert isinstance(table.infos[table.agent_selection]["legal"], tuple)


def test_an_agent_that_there_is_not_is_named() -> None:
    """Wherever one is asked for."""
    table = env("nains", seats=2)
    table.reset(seed=1)
    for ask in (table.observe, table.observation_space, table.action_space):
        with pytest.raises(ValueError, match="there is no agent 'seat_2': they are seat_0, seat_1"):
            ask("seat_2")


@pytest.mark.parametrize(
    "ask", [lambda table: table.step(0), lambda table: table.observe("seat_0"), lambda table: table.agent_iter()]
)
def test_what_is_asked_before_the_first_reset_is_told_by_the_guards(ask: Callable[[Any], object]) -> None:
    """As PettingZoo tells it."""
    table = env("nains", seats=2)
    with pytest.raises(AssertionError, match="reset"):
        ask(table)
    with pytest.raises(AttributeError, match="before reset"):
        table.last()


@pytest.mark.parametrize("make", [env, TableEnv])
def test_a_table_that_all_have_left_says_so(make: Callable[..., AECEnv[str, Any, Any]]) -> None:
    """Until it is opened anew."""
    table = make("nains", seats=2, max_actions=1)
    table.reset(seed=1)
    table.step(0)
    for _ in range(2):
        table.step(None)

    assert [] == table.agents
    with pytest.raises(ValueError, match="no agent is left"):
        table.last()
    table.reset(seed=1)
    assert table.last()[1:4] == (0.0, False, False)


def test_a_table_can_be_read() -> None:
    """Rendering gives a spectator's view."""
    table = TableEnv("nains", seats=2, render_mode="ansi")
    table.reset(1)

    assert '"viewpoint": null' in str(table.render())


def test_a_game_without_an_environment_is_named() -> None:
    """Whoever asks for one learns that nobody has written it down; what lies beside them is none."""
    for game in ("hnefatafl", "shapes", "", None):
        with pytest.raises(ValueError, match=f"there is no environment for {game!r}"):
            TableEnv(game, seats=2)  # type: ignore[arg-type]  # None is none


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/reference/gym.md shows plays a table to its end."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "gym.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "gym.md", "exec"), {})  # noqa: S102  our own page

    assert ["seat_0", "seat_1", "seat_2"] == sorted(line.split()[0] for line in capsys.readouterr().out.splitlines())
