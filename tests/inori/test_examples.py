"""The worked examples of scoring and of a season (rules, section 7.4); E is in test_costs, F in test_final_scoring."""

from __future__ import annotations

from collections import Counter

import pytest

from events.inori.commands import ChooseAltar, ChooseNewStart
from events.inori.events import CardReplaced, NewStartCardsDrawn
from events.inori.vocabulary import COLOURS, CardId
from tests.inori.play import moments
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    NEUTRAL,
    asked,
    end,
    held,
    in_play,
    made,
    offer,
    on_card,
    opened,
    points_for,
    rune_pile,
    season_end,
    tokens,
    tree,
)
from tests.spec import Happened


def followed_by(happened: Happened, old: str) -> str:
    """Return the colour of the card that replaced one."""
    new = next(event.new for event in happened.events if isinstance(event, CardReplaced) and event.old == old)
    return CATALOGUE.cards[new].colour


YELLOW = (in_play("J3-YEL"), tokens(ANN, YEL=4), tokens(BO, YEL=2), tokens(CY, YEL=6))
RED = (in_play("NS-RED"), tokens(ANN, BLU=3, RED=5), tokens(BO, RED=5))


def test_example_a_a_complete_card() -> None:
    """4, 2 and 0; yellow follows."""
    happened = season_end(*YELLOW, on_card("J3-YEL", [ANN], [BO], [ANN]))

    assert (4, 2, 0) == points_for(happened, "J3-YEL")
    assert "YEL" == followed_by(happened, "J3-YEL")


def test_example_b_an_incomplete_journey_card() -> None:
    """Nothing for anybody; purple follows."""
    happened = season_end(*YELLOW, on_card("J3-YEL", [ANN], [BO]))

    assert (0, 0, 0) == points_for(happened, "J3-YEL")
    assert "PUR" == followed_by(happened, "J3-YEL")


def test_example_c_an_incomplete_new_start_card() -> None:
    """The lower-right colour is blue: 3 and 0; blue follows."""
    happened = season_end(*RED, on_card("NS-RED", [ANN], [BO]))

    assert (3, 0, 0) == points_for(happened, "NS-RED")
    assert "BLU" == followed_by(happened, "NS-RED")


def test_example_d_a_complete_new_start_card() -> None:
    """A neutral piece completes it: 5 and 5 of red; red follows."""
    happened = season_end(*RED, on_card("NS-RED", [ANN], [BO], [NEUTRAL]))

    assert (5, 5, 0) == points_for(happened, "NS-RED")
    assert "RED" == followed_by(happened, "NS-RED")


def test_example_g_season_1_of_two() -> None:
    """Every offering, the tokens, the cards' points, what follows, and who begins."""
    table = made(opened(2, cards=["S3-YEL", "S3-RED", "S3-GRY"]), rune_pile("O-PUR"))
    happened = table.when(
        offer("S3-YEL", 1),
        tree("T6", BO),
        ChooseAltar(seat=BO, colour="RED"),
        offer("S3-YEL", 2),
        offer("S3-RED", 1, BO),
        tree("T7"),
        offer("S3-YEL", 3, BO),
        end(BO),
        offer("S3-GRY", 1),
        tree("T4", BO),
        ChooseAltar(seat=BO, colour="GRY"),
        end(BO),
    )

    assert {"YEL": 2, "BLU": 1, "GRY": 3, "PUR": 2} == held(happened)
    assert {"RED": 5} == held(happened, BO)
    assert [(2, 0), (0, 0), (0, 0)] == [points_for(happened, card) for card in ("S3-YEL", "S3-RED", "S3-GRY")]
    assert ["YEL", "BLU", "GRN"] == [followed_by(happened, card) for card in ("S3-YEL", "S3-RED", "S3-GRY")]
    assert [(2, 5), (0, 5)] == [(chief.score, chief.left) for chief in happened.state().chiefs]
    assert {BO: "new_start"} == asked(happened)
    happened.then_includes(NewStartCardsDrawn(seat=BO, cards=(CardId("NS-YEL"), CardId("NS-BLU"))))

    second = happened.after.when(ChooseNewStart(seat=BO, card=CardId("NS-BLU")))
    assert {BO: "offer"} == asked(second)
    assert ("GRY", "RED", ()) == (*(second.state().tree[at].altar for at in (3, 5)), second.state().tree[6].tokens)
    assert {"RED": 4 + 3} == held(second.after.when(tree("T6", BO)), BO)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_example_h_a_journey_pile_cannot_run_out(seats: int) -> None:
    """At most 1, 2 and 3 cards of a colour are drawn after seasons 1, 2 and 3, and a slot never leaves its pair."""
    for seed in range(8):
        drawn = Counter[tuple[int, str]]()
        for before, events, _ in moments(seats, seed):
            replaced = [event for event in events if isinstance(event, CardReplaced)]
            for event in replaced:
                old, new = before.card(event.old), before.card(event.new)
                assert new.colour in (old.colour, old.lower)
                drawn[before.season, new.colour] += 1

        assert all(drawn[season, colour] <= season for season in (1, 2, 3) for colour in COLOURS)
        assert [3, 4, 5] == [sum(drawn[season, colour] for colour in COLOURS) for season in (1, 2, 3)]
        assert 3 + 4 + 5 == sum(drawn.values())
