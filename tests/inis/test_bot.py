"""The greedy bot crowns kings, and beats chance."""

from __future__ import annotations

import pytest

from services.bots.simulation.play import Setting, play
from services.bots.simulation.players import player
from services.bots.simulation.run import Order, simulate
from workers.games import GamesShelf

MOST_ROUNDS = 12


def crowned_in_time(number: int) -> bool:
    """Return whether four greedy players have a king within twelve rounds."""
    setting = Setting(game="inis", seats=4, seed=9, number=number)
    played = play(GamesShelf(), setting, [player("inis", "greedy")] * 4)
    return played.state.status == "over" and played.state.game_state.round - 1 <= MOST_ROUNDS


@pytest.mark.parametrize("number", range(5))
def test_four_greedy_players_crown_a_king(number: int) -> None:
    """Within twelve rounds; at table 0 Master Craftsman and Lug Samildanach could be passed round for ever."""
    assert crowned_in_time(number)


@pytest.mark.soak
def test_four_greedy_players_nearly_always_crown_a_king() -> None:
    """At 95 of 100 tables at least."""
    crowned = sum(map(crowned_in_time, range(100)))
    print(f"\n{crowned} of 100 tables of four greedy players had a king within {MOST_ROUNDS} rounds")

    assert 95 <= crowned


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    """At nearly every table."""
    report = simulate(Order(game="inis", seats=seats, tables=5, seed=13, bots=("greedy", "random")))

    assert report.wins_by_bot.get("greedy", 0) >= 4
