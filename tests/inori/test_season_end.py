"""What cards are worth and what follows them at the end of a season (rules, sections 3.7, 7.1 and 9)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from events.inori.events import (
    AltarScored,
    CardReplaced,
    NewStartCardsDrawn,
    PiecesTakenBack,
    WaitingPiecesTaken,
)
from events.inori.vocabulary import CardId, Owner, TreeSpaceId
from tests.inori.table import (
    ANN,
    BO,
    CY,
    NEUTRAL,
    RULES,
    choose,
    end,
    fields,
    in_play,
    last_piece,
    move,
    offer,
    on_card,
    on_tree,
    play,
    points_for,
    runes,
    score,
    season,
    season_end,
    table_with,
    tokens,
    was_complete,
)
from tests.spec import Happened


def replacement(happened: Happened, old: str) -> str:
    """Return the colour of the card that followed one."""
    new = next(event.new for event in happened.events if isinstance(event, CardReplaced) and event.old == old)
    return str(new).partition("-")[2]


def replaced_by(happened: Happened, old: str) -> CardId:
    return next(event.new for event in happened.events if isinstance(event, CardReplaced) and event.old == old)


def yellow_3() -> Happened:
    """J3-YEL with pieces of Ann, Bo and Ann."""
    return season_end(
        in_play("J3-YEL"),
        on_card("J3-YEL", [ANN], [BO], [ANN]),
        tokens(ANN, YEL=4),
        tokens(BO, YEL=2),
        tokens(CY, YEL=6),
    )


def test_ruling_1_each_chief_present_scores_a_complete_card_once() -> None:
    """However many pieces stand there."""
    assert (4, 2, 0) == points_for(yellow_3(), "J3-YEL")


def test_ruling_3_an_incomplete_journey_card_scores_nothing_and_turns() -> None:
    """The lower-right colour follows."""
    happened = season_end(
        in_play("J1-BLU"),
        on_card("J1-BLU", [ANN], [BO], [CY]),
        tokens(ANN, BLU=3),
        tokens(BO, BLU=2),
        tokens(CY, BLU=1),
    )

    assert (0, 0, 0) == points_for(happened, "J1-BLU")
    assert "RED" == replacement(happened, "J1-BLU")


def test_ruling_4_a_complete_card_is_followed_by_the_top_of_its_own_pile() -> None:
    """A Journey card too."""
    table = (in_play("J1-BLU"), on_card("J1-BLU", [ANN], [BO], [CY], [BO]))

    assert CardId("J2-BLU") == replaced_by(season_end(*table), "J1-BLU")


IN_SLOTS = [
    ("S3-YEL", "J1-YEL", "J1-PUR"),
    ("S3-BLU", "J1-BLU", "J1-RED"),
    ("S3-GRY", "J1-GRY", "J1-GRN"),
    ("NS-YEL", "J1-YEL", "J2-PUR"),
    ("NS-BLU", "J1-BLU", "J2-RED"),
]
"""The card in each slot, what follows it where it alone is complete, and where no card is: then slots 4 and 5 come
after 1 and 2, which took the first card of the pile."""


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("number", "slot"), [(number, slot) for number in (1, 2, 3) for slot in range(len(IN_SLOTS) - 3 + number)]
)
def test_ruling_4_every_slot_is_filled_anew_in_seasons_1_to_3(number: int, slot: int, *, complete: bool) -> None:
    """From the pile of the card's own colour or of its lower-right one; the card keeps its slot."""
    card, own, lower = IN_SLOTS[slot]
    happened = season_end(season(number), on_card(card, [ANN], [BO], [CY] if complete else []))
    state = happened.state()
    expected = CardId(own if complete else lower)

    assert complete == was_complete(happened, card)
    assert expected == replaced_by(happened, card) == state.slots[slot].card
    assert not any(expected in pile for pile in state.journey)
    assert [CardReplaced] * (number + 2) == [type(each) for each in happened.events if isinstance(each, CardReplaced)]


def test_ruling_5_start_cards_have_no_exception() -> None:
    """S3-GRN incomplete scores nothing, and grey follows."""
    happened = season_end(in_play("S3-GRN"), on_card("S3-GRN", [ANN], [BO]), tokens(ANN, GRY=4))

    assert (0, 0, 0) == points_for(happened, "S3-GRN")
    assert "GRY" == replacement(happened, "S3-GRN")


def new_start(own: str, lower: str, *spaces: Sequence[Owner]) -> Happened:
    """A New Start card with pieces; Ann has 3 tokens of the lower-right colour and 5 of its own, Bo 5 of its own."""
    held = (tokens(ANN, **{lower: 3, own: 5}), tokens(BO, **{own: 5}), tokens(CY, **{lower: 1}))
    return season_end(in_play(f"NS-{own}"), on_card(f"NS-{own}", *spaces), *held)


NEW_STARTS = [("YEL", "PUR"), ("BLU", "RED"), ("GRY", "GRN"), ("PUR", "YEL"), ("RED", "BLU"), ("GRN", "GRY")]
"""The colour of each New Start card, and its lower-right one."""


@pytest.mark.parametrize(("own", "lower"), NEW_STARTS)
def test_ruling_6_an_incomplete_new_start_card_scores_its_lower_right_colour(own: str, lower: str) -> None:
    """That colour counts, and follows: blue for NS-RED."""
    happened = new_start(own, lower, [ANN], [BO])

    assert (3, 0, 0) == points_for(happened, f"NS-{own}")
    assert lower == replacement(happened, f"NS-{own}")


@pytest.mark.parametrize(("own", "lower"), NEW_STARTS)
def test_ruling_7_a_complete_new_start_card_scores_its_own_colour(own: str, lower: str) -> None:
    """Red counts for NS-RED, blue does not."""
    happened = new_start(own, lower, [ANN], [BO], [ANN])

    assert (5, 5, 0) == points_for(happened, f"NS-{own}")
    assert own == replacement(happened, f"NS-{own}")


def test_ruling_8_a_new_start_card_without_pieces_scores_nothing() -> None:
    """Nobody is present."""
    happened = new_start("RED", "BLU")

    assert (0, 0, 0) == points_for(happened, "NS-RED")
    assert "BLU" == replacement(happened, "NS-RED")


def test_ruling_9_a_neutral_piece_completes_a_card() -> None:
    """Any piece on each space is asked for."""
    happened = season_end(in_play("J5-YEL"), on_card("J5-YEL", [ANN], [NEUTRAL]), tokens(ANN, YEL=2))

    assert was_complete(happened, "J5-YEL")
    assert (2, 0, 0) == points_for(happened, "J5-YEL")


def test_ruling_11_who_was_moved_away_is_not_present() -> None:
    """Another piece in the place completes the card without the one that left."""
    table = table_with(
        in_play("J5-PUR"),
        on_card("J5-PUR", [ANN], [BO]),
        tokens(ANN, PUR=4),
        tokens(BO, PUR=3),
        tokens(CY, PUR=2),
        runes(CY, "O-PUR"),
        fields(turn=CY),
        last_piece,
    )
    away = (choose(ANN, "J5-PUR", 1, CY), move("S3-BLU", 1, CY))
    happened = table.when(play("O-PUR", CY), *away, offer("J5-PUR", 1, CY), end(CY))

    assert was_complete(happened, "J5-PUR")
    assert (0, 3, 2) == points_for(happened, "J5-PUR")


def test_ruling_12_two_cards_of_a_colour_score_separately() -> None:
    """Ann scores her yellow tokens twice."""
    happened = season_end(
        in_play("J5-YEL", "J6-YEL"), on_card("J5-YEL", [ANN], [BO]), on_card("J6-YEL", [CY], [ANN]), tokens(ANN, YEL=4)
    )

    assert 8 == score(happened)


def test_ruling_13_season_4_ends_with_the_altars_alone() -> None:
    """No card is replaced, no piece gained, no New Start card drawn."""
    happened = season_end(season(4), on_tree("T4", altar="RED"), tokens(ANN, RED=2))
    for kind in (CardReplaced, PiecesTakenBack, WaitingPiecesTaken, NewStartCardsDrawn):
        happened.then_none(kind)

    happened.then_includes(AltarScored(space=TreeSpaceId("T4"), points=(12, 0, 0)))
    assert RULES.outcome(happened.state()) is not None


def test_ruling_13_cards_are_scored_in_season_4_too() -> None:
    """A complete card by its own colour, an incomplete New Start card by its lower-right one."""
    complete = season_end(season(4), on_card("S3-YEL", [ANN], [BO], [CY]), tokens(ANN, YEL=3))
    incomplete = season_end(season(4), on_card("NS-YEL", [ANN]), tokens(ANN, PUR=3, YEL=1))

    assert (3, 0, 0) == points_for(complete, "S3-YEL")
    assert (3, 0, 0) == points_for(incomplete, "NS-YEL")
    assert [3, 3] == [score(each) for each in (complete, incomplete)]


def test_pieces_come_back_and_altars_stay() -> None:
    """Also from the Great Tree, and neutral pieces too."""
    happened = season_end(
        in_play("J5-YEL"), on_card("J5-YEL", [ANN], [NEUTRAL]), on_tree("T6", BO, altar="GRN"), on_tree("T7", CY)
    )
    state = happened.state()

    assert not any(pieces for slot in state.slots for pieces in slot.pieces)
    assert not any(spot.pieces for spot in state.tree)
    assert ("GRN", 2) == (state.tree[5].altar, state.neutrals)
    assert [(4, 4, 0)] * 3 == [(chief.pieces, chief.left, chief.aside) for chief in state.chiefs]
