"""Every combination of modules, with every number of players it allows, plays to its end."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import pytest

from services.bots.simulation.run import Order, simulate
from workers.inis.state.options import MODULES

EVERY_SET: Final = [set_of for size in range(len(MODULES) + 1) for set_of in combinations(MODULES, size)]
"""All 32, from the base game alone to all five modules."""
SOAKED: Final = 100


def counts(modules: tuple[str, ...]) -> range:
    """Return the numbers of players that modules allow."""
    return range(2, 6) if "fifth_player" in modules else range(2, 5)


def order(modules: tuple[str, ...], players: int, *, tables: int, seed: int) -> Order:
    return Order(game="inis", seats=players, tables=tables, seed=seed, options=dict.fromkeys(modules, True), check=True)


def name(modules: object) -> str:
    return "-".join(modules) or "base" if isinstance(modules, tuple) else str(modules)


SAMPLE: Final = [(modules, counts(modules)[number % len(counts(modules))]) for number, modules in enumerate(EVERY_SET)]
"""One number of players for each combination, in turn."""
WHOLE: Final = [(modules, players) for modules in EVERY_SET for players in counts(modules)]


@pytest.mark.parametrize(("modules", "players"), SAMPLE, ids=name)
def test_a_table_of_every_combination_ends_and_breaks_nothing(modules: tuple[str, ...], players: int) -> None:
    """Nobody is ever stuck, and every invariant holds at every version: every harbor at the sea among them."""
    report = simulate(order(modules, players, tables=1, seed=23))

    assert (0, 0) == (report.stuck, report.unfinished)


@pytest.mark.soak
@pytest.mark.parametrize(("modules", "players"), WHOLE, ids=name)
def test_a_hundred_tables_of_every_combination_end_and_break_nothing(modules: tuple[str, ...], players: int) -> None:
    """With every number of players."""
    report = simulate(order(modules, players, tables=SOAKED, seed=29))

    assert (0, 0) == (report.stuck, report.unfinished)


def test_there_are_thirty_two_combinations() -> None:
    """And 112 with a number of players, the fifth where it is allowed."""
    assert (32, 112) == (len(EVERY_SET), len(WHOLE))
