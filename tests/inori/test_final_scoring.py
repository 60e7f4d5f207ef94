"""Altars at the end of the game, and who wins (rules, sections 3.8, 7.3 and 9)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from events.inori.events import AltarScored, CardScored
from events.inori.vocabulary import COLOURS, TreeSpaceId
from events.messages import Score, Seat
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    DI,
    RULES,
    Change,
    chief_of,
    fields,
    on_tree,
    season,
    season_end,
    table_with,
    tokens,
)
from tests.spec import Happened
from workers.inori.scoring import altar_points


def altar(space: str, *counts: int) -> tuple[int, ...]:
    """Return what a space gives for so many tokens of its colour."""
    return altar_points(next(each for each in CATALOGUE.tree if each.id == space), counts)


def last_season(*changes: Change, seats: int = 3) -> Happened:
    return season_end(season(4), *changes, seats=seats)


def altars(happened: Happened) -> dict[str, tuple[int, ...]]:
    return {event.space: event.points for event in happened.events if isinstance(event, AltarScored)}


def test_ruling_56_a_tie_for_second_gives_second_to_all() -> None:
    """Also when the game plays it."""
    happened = last_season(
        on_tree("T4", altar="RED"), tokens(ANN, RED=5), tokens(BO, RED=3), tokens(CY, RED=3), tokens(DI, RED=1), seats=4
    )

    assert (12, 6, 6, 0) == altar("T4", 5, 3, 3, 1)
    assert {"T4": (12, 6, 6, 0)} == altars(happened)
    assert [12, 6, 6, 0] == [chief.altars for chief in happened.state().chiefs]


def test_ruling_57_a_tie_for_first_leaves_no_second() -> None:
    """All who tie get the first place."""
    assert (12, 12, 0, 0) == altar("T4", 5, 5, 3, 1)


def test_ruling_59_without_tokens_nobody_scores() -> None:
    """Most of nothing is nothing."""
    assert (0, 0, 0) == altar("T4", 0, 0, 0)


def test_ruling_60_a_space_without_a_tile_scores_nothing() -> None:
    """It is not even told of, and the colour left over is worth nothing."""
    happened = last_season(on_tree("T2", altar="RED"), tokens(ANN, BLU=9))

    assert {"T2": (0, 0, 0)} == altars(happened)
    assert 0 == happened.state().chiefs[ANN].score


def test_ruling_61_two_seats_have_a_second_place() -> None:
    """T6 with 4 and 2 tokens."""
    happened = last_season(on_tree("T6", altar="GRN"), tokens(ANN, GRN=4), tokens(BO, GRN=2), seats=2)

    assert (6, 3) == altar("T6", 4, 2)
    assert {"T6": (6, 3)} == altars(happened)


@pytest.mark.parametrize(
    ("space", "counts", "points"),
    [
        ("T4", (5, 3, 3), (12, 6, 6)),
        ("T5", (4, 4, 2), (10, 10, 0)),
        ("T6", (3, 0, 0), (6, 0, 0)),
        ("T2", (0, 0, 0), (0, 0, 0)),
    ],
)
def test_example_f_altars_of_three(space: str, counts: Sequence[int], points: tuple[int, ...]) -> None:
    """The four Altars with a tile; the one without scores nothing (ruling 60)."""
    assert points == altar(space, *counts)


def test_a_game_without_any_altar_ends_with_its_cards() -> None:
    """Nothing is left to score."""
    happened = last_season()

    assert {} == altars(happened)
    assert isinstance(happened.events[-1], CardScored)
    assert RULES.outcome(happened.state()) is not None


def ranking(*changes: Change) -> tuple[tuple[Seat, ...], ...]:
    outcome = RULES.outcome(table_with(*changes, fields(phase="over", agenda=())).state)
    assert outcome is not None
    return outcome.ranking


def test_most_points_win() -> None:
    """All three parts count."""
    assert ((CY,), (ANN,), (BO,)) == ranking(
        chief_of(ANN, offerings=3, cards=1), chief_of(BO, cards=3), chief_of(CY, altars=5)
    )


def test_a_tie_is_broken_by_tokens_and_then_by_colours() -> None:
    """More tokens; then more different colours; then the place is shared."""
    assert ((BO,), (CY,), (ANN,)) == ranking(tokens(BO, YEL=3), tokens(CY, YEL=1, RED=1))
    assert ((BO,), (CY,), (ANN,)) == ranking(tokens(BO, YEL=1, RED=1), tokens(CY, YEL=2))
    assert ((BO, CY), (ANN,)) == ranking(tokens(BO, YEL=1, RED=1), tokens(CY, BLU=1, GRN=1))
    assert ((ANN, BO, CY),) == ranking()


def test_scores_name_their_parts() -> None:
    """Offerings, cards and Altars."""
    table = table_with(chief_of(ANN, offerings=1, cards=2, altars=4), fields(phase="over", agenda=()))
    outcome = RULES.outcome(table.state)

    assert outcome is not None
    assert Score(seat=ANN, total=7, parts={"offerings": 1, "cards": 2, "altars": 4}) == outcome.scores[ANN]
    assert "final_scoring" == outcome.reason


def test_values_of_the_great_tree() -> None:
    """First and second place of each Altar space; roots have none."""
    assert [(8, 4), (8, 4), (8, 4), (12, 6), (10, 5), (6, 3), (0, 0), (0, 0), (0, 0)] == [
        (space.first, space.second) for space in CATALOGUE.tree
    ]
    assert [TreeSpaceId(f"T{number}") for number in range(1, 10)] == [space.id for space in CATALOGUE.tree]
    assert len(COLOURS) == sum(space.takes_altar for space in CATALOGUE.tree)
