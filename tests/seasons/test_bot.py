"""The greedy bot plays Seasons of Inis to its end, and beats chance."""

from __future__ import annotations

import msgspec
import pytest

from projections.inis.table import table_view
from services.bots.inis import Table
from services.bots.simulation.run import Order, simulate
from tests.inis.table import ANN
from tests.seasons.table import season_state
from workers.inis.state import InisState
from workers.inis.state.options import MODULES


def judged(state: InisState, card: str) -> Table:
    """Return what the bot makes of a state in which Ann declares a card."""
    board = msgspec.to_builtins(table_view(state, ANN))
    return Table({"board": board, "viewpoint": ANN, "prompt": {"kind": "declare", "card": card, "parts": ()}})


def test_greedy_looks_over_the_sea() -> None:
    """For where to go by Conquest, and for whence by Migration: an island has no neighbours."""
    tiles = ("cove", "forest", "valley", "moor", "inis_mona")
    table = judged(season_state(tiles, clans={"cove": (4,), "inis_mona": (3,)}), "conquest")
    assert table.moved("cove", "inis_mona", 1) == table.declare({"territory": "inis_mona"})

    table = judged(season_state(tiles, clans={"inis_mona": (3,)}), "migration")
    assert 2.0 + table.moved("inis_mona", "cove", 1) == table.declare({"territory": "inis_mona"})


def test_greedy_of_the_base_game_knows_no_sea() -> None:
    """Without harbors its neighbours are all."""
    table = judged(season_state(modules=("seasons",)), "conquest")

    assert {"forest", "valley"} == set(table.ways["cove"])


@pytest.mark.parametrize("seats", [2, 5])
def test_greedy_beats_random(seats: int) -> None:
    """With all modules, at nearly every table."""
    options = dict.fromkeys(MODULES, True)
    order = Order(game="inis", seats=seats, tables=5, seed=13, options=options, bots=("greedy", "random"))
    report = simulate(order)

    assert (0, 0) == (report.stuck, report.unfinished)
    assert report.wins_by_bot.get("greedy", 0) >= 4
