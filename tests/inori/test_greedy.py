"""The greedy bot plays sensibly by what its seat sees."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from events.codec import to_json
from projections.inori.table import table_view
from services.bots.inori import choose
from services.bots.simulation.run import Order, simulate
from tests.inori.table import ANN, BO, on_card, table_with, tokens


def test_greedy_beats_random_at_95_of_100_tables() -> None:
    """With two seats that take turns."""
    report = simulate(Order(game="inori", seats=2, tables=100, seed=1, bots=("greedy", "random")))

    assert report.wins_by_bot["greedy"] >= 95


@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_wins_with_more_seats_too(seats: int) -> None:
    """Nearly always."""
    report = simulate(Order(game="inori", seats=seats, tables=20, seed=1, bots=("greedy", "random")))

    assert report.wins_by_bot["greedy"] >= 18


@pytest.mark.parametrize(("amount", "colour"), [(1, "YEL"), (2, "BLU")])
def test_greedy_counts_the_tokens_that_the_question_names(amount: int, colour: str) -> None:
    """One yellow token, for the card she stands on, is worth more than one blue, and less than two."""
    table = table_with(on_card("S3-YEL", [ANN]), tokens(BO, YEL=14))
    board = msgspec.json.decode(to_json(table_view(table.state, ANN)))
    legal = [{"kind": "choose_least", "colour": each} for each in ("YEL", "BLU")]
    view = {"board": board, "viewpoint": ANN, "prompt": {"kind": "least", "amount": amount}}

    assert colour == legal[choose(view, legal, Random(1))]["colour"]
