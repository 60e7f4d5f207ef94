"""The greedy bot plays sensibly by what its seat sees."""

from __future__ import annotations

import pytest

from services.bots.simulation.run import Order, simulate


def test_greedy_beats_random_at_95_of_100_tables() -> None:
    """With two seats that take turns."""
    report = simulate(Order(game="inori", seats=2, tables=100, seed=1, bots=("greedy", "random")))

    assert report.wins_by_bot["greedy"] >= 95


@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_wins_with_more_seats_too(seats: int) -> None:
    """Nearly always."""
    report = simulate(Order(game="inori", seats=seats, tables=20, seed=1, bots=("greedy", "random")))

    assert report.wins_by_bot["greedy"] >= 18
