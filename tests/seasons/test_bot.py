"""The greedy bot plays Seasons of Inis to its end, and beats chance."""

from __future__ import annotations

import pytest

from services.bots.simulation.run import Order, simulate
from workers.inis.state import MODULES


@pytest.mark.parametrize("seats", [2, 5])
def test_greedy_beats_random(seats: int) -> None:
    """With all modules, at nearly every table."""
    options = dict.fromkeys(MODULES, True)
    order = Order(game="inis", seats=seats, tables=5, seed=13, options=options, bots=("greedy", "random"))
    report = simulate(order)

    assert (0, 0) == (report.stuck, report.unfinished)
    assert report.wins_by_bot.get("greedy", 0) >= 4
