"""What offerings to cards cost and bring (rules, sections 3.4 and 9)."""

from __future__ import annotations

import pytest

from events.inori.commands import ChooseLeast, PayMajority
from events.inori.events import OfferedToCard, PointsScored, RuneDrawn, TokensGained, TokensPaid
from events.inori.vocabulary import COLOURS, CardId, RuneId
from events.messages import Seat
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    asked,
    held,
    in_play,
    legal,
    made,
    offer,
    on_card,
    score,
    table_with,
    tokens,
)


def test_ruling_15_a_tie_for_most_is_the_chiefs_choice() -> None:
    """Yellow or red, and no other."""
    table = table_with(in_play("J4-GRN"), tokens(ANN, YEL=3, RED=3)).when(offer("J4-GRN", 2)).after

    assert {ANN: "pay_maj"} == asked(table)
    assert [PayMajority(seat=ANN, colour="YEL"), PayMajority(seat=ANN, colour="RED")] == list(legal(table))
    table.when(PayMajority(seat=ANN, colour="BLU")).then_refused("colour_not_tied", tied=["YEL", "RED"])


def test_ruling_16_without_tokens_the_majority_cannot_be_paid() -> None:
    """Nothing is the most of nothing."""
    table_with(in_play("J4-GRN")).when(offer("J4-GRN", 2)).then_refused("cost_not_payable", amount=1, colour=None)

    assert () == table_with().state.chiefs[ANN].most


def test_ruling_17_a_cost_is_paid_in_its_colour_alone() -> None:
    """Whatever else the chief owns."""
    table = table_with(in_play("J2-YEL"), tokens(ANN, YEL=4, BLU=3, GRY=2, RED=2, GRN=2))

    table.when(offer("J2-YEL", 4)).then_refused("cost_not_payable", amount=1, colour="PUR")


def test_ruling_19_the_cost_is_paid_before_points_are_counted() -> None:
    """Red is the most after a yellow token was paid."""
    table = table_with(in_play("J4-GRN"), tokens(ANN, YEL=4, RED=4, BLU=1))
    happened = table.when(offer("J4-GRN", 2), PayMajority(seat=ANN, colour="YEL"))

    happened.then(TokensPaid(seat=ANN, tokens=("YEL",)), PointsScored(seat=ANN, points=4))


def test_example_e_with_5_yellow_the_yellow_paid_still_leaves_most() -> None:
    """Nothing is asked, and 4 points are scored."""
    happened = table_with(in_play("J4-GRN"), tokens(ANN, YEL=5, RED=2)).when(offer("J4-GRN", 2))

    happened.then(
        OfferedToCard(seat=ANN, card=CardId("J4-GRN"), space=2),
        TokensPaid(seat=ANN, tokens=("YEL",)),
        PointsScored(seat=ANN, points=4),
    )


def test_ruling_20_the_only_token_pays_and_leaves_nothing_to_count() -> None:
    """Legal, and worth nothing."""
    happened = table_with(in_play("J4-GRN"), tokens(ANN, BLU=1)).when(offer("J4-GRN", 2))

    assert ({}, 0) == (held(happened), score(happened))


def test_ruling_21_least_is_one_of_the_colours_tied() -> None:
    """Two tokens of it, not one and one."""
    table = table_with(in_play("J6-GRN"), tokens(ANN, YEL=2, BLU=1, RED=3)).when(offer("J6-GRN", 1)).after

    assert {ANN: "least"} == asked(table)
    assert [ChooseLeast(seat=ANN, colour=colour) for colour in ("GRY", "PUR", "GRN")] == list(legal(table))
    table.when(ChooseLeast(seat=ANN, colour="PUR")).then(TokensGained(seat=ANN, tokens=("PUR", "PUR")))


def test_least_is_not_asked_without_a_tie() -> None:
    """The one colour the chief has fewest of is taken."""
    table = table_with(in_play("J6-GRN"), tokens(ANN, YEL=2, BLU=1, GRY=1, PUR=1, RED=1))
    happened = table.when(offer("J6-GRN", 1))

    happened.then_includes(TokensGained(seat=ANN, tokens=("GRN", "GRN")))


def test_a_tied_colour_may_be_chosen_though_the_supply_has_none() -> None:
    """What is there is taken, and that may be nothing."""
    table = table_with(in_play("J6-GRN"), tokens(BO, GRY=15)).when(offer("J6-GRN", 1)).after

    table.when(ChooseLeast(seat=ANN, colour="GRY")).then(TokensGained(seat=ANN, tokens=()))


@pytest.mark.parametrize(
    ("counts", "points"),
    [({"YEL": 3, "BLU": 1}, 2), (dict.fromkeys(COLOURS, 1), 6), ({}, 0)],
)
def test_ruling_23_unique_counts_colours(counts: dict[str, int], points: int) -> None:
    """A point for each different one."""
    assert points == score(table_with(in_play("J1-GRN"), tokens(ANN, **counts)).when(offer("J1-GRN", 4)))


def test_ruling_24_majority_counts_one_of_the_tied_colours() -> None:
    """No choice is needed; here a blue token is paid first."""
    table = table_with(in_play("J4-GRY"), tokens(ANN, YEL=4, BLU=5, GRY=1))

    assert 4 == score(table.when(offer("J4-GRY", 2)))


def test_ruling_25_a_short_supply_gives_what_it_has() -> None:
    """The offering stays legal."""
    table = table_with(in_play("J1-GRN"), tokens(BO, GRN=12))
    table = made(table, tokens(CY, GRN=table.state.supply[5] - 1))
    happened = table.when(offer("J1-GRN", 1))

    happened.then_includes(TokensGained(seat=ANN, tokens=("GRN",)))
    assert {"GRN": 1} == held(happened)


def test_per_counts_the_tokens_of_its_colour_after_the_cost() -> None:
    """J5-RED, space 2: a purple token for a point for each red one."""
    assert 3 == score(table_with(in_play("J5-RED"), tokens(ANN, RED=3, PUR=1)).when(offer("J5-RED", 2)))


def test_a_space_of_two_colours_gives_both() -> None:
    """S3-YEL, space 2."""
    happened = table_with().when(offer("S3-YEL", 2))

    assert {"BLU": 1, "GRY": 1} == held(happened)


def test_a_drawn_rune_is_the_top_one() -> None:
    """It is hidden in its owner's hand."""
    happened = table_with().when(offer("S3-YEL", 3))

    happened.then(OfferedToCard(seat=ANN, card=CardId("S3-YEL"), space=3), RuneDrawn(seat=ANN, rune=RuneId("F-YEL")))
    assert (RuneId("F-YEL"),) == happened.state().chiefs[ANN].runes


@pytest.mark.parametrize("card", [card.id for card in CATALOGUE.cards.values() if card.kind != "start"])
def test_every_space_of_every_card_can_be_used(card: CardId) -> None:
    """A chief with some of everything finds each space payable, and it brings something."""
    for space in range(1, len(CATALOGUE.cards[card].spaces) + 1):
        rich = {"YEL": 3, "BLU": 3, "GRY": 2, "PUR": 2, "RED": 2, "GRN": 2}
        table = table_with(in_play(card), tokens(ANN, **rich)).when(offer(card, space)).after
        if table.state.prompts.get(ANN) is not None and asked(table)[ANN] in ("pay_maj", "least"):
            table = table.when(legal(table)[0]).after
        after = table.state

        assert (Seat(0),) == after.slots[after.slot_of(card)].pieces[space - 1]
        assert after.chiefs[ANN] != table_with(in_play(card), tokens(ANN, **rich)).state.chiefs[ANN]


def test_a_space_holds_one_piece() -> None:
    """The next chief needs another one."""
    table_with(on_card("S3-YEL", [BO])).when(offer("S3-YEL", 1)).then_refused("space_occupied", pieces=[BO])
