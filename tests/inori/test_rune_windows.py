"""When runes may be played, and how many (rules, sections 3.3, 3.6, 3.10 and 9)."""

from __future__ import annotations

import pytest

from events.inori.commands import ChooseNewStart, EndTurn
from events.inori.events import (
    RunePlayed,
    TokensGained,
    TurnEnded,
)
from events.inori.vocabulary import CardId, RuneId
from tests.inori.table import (
    ANN,
    BO,
    CY,
    asked,
    end,
    fields,
    held,
    in_play,
    last_piece,
    legal,
    move,
    offer,
    on_card,
    play,
    playable,
    rune_pile,
    runes,
    score,
    season,
    table_with,
)
from tests.spec import Scenario
from workers.inori.state import InoriOptions

ONE_RUNE = InoriOptions(one_rune_per_turn=True)


def three_runes(options: InoriOptions | None = None) -> Scenario:
    """Ann holds F-RED, F-BLU and O-PUR; a piece stands on a purple card."""
    return table_with(
        in_play("J6-PUR"), on_card("J6-PUR", [BO]), runes(ANN, "F-BLU", "F-RED", "O-PUR"), options=options
    )


def test_ruling_47_any_number_of_runes_in_a_turn() -> None:
    """In any order, before the one offering."""
    table = three_runes()
    assert ["F-BLU", "F-RED", "O-PUR"] == playable(table)
    happened = table.when(play("F-RED"), play("O-PUR"), move("S3-BLU", 2), play("F-BLU"), offer("S3-BLU", 1))

    assert {"BLU": 4, "RED": 2} == held(happened)
    assert () == happened.state().chiefs[ANN].runes
    assert {BO: "offer"} == asked(happened)


def test_ruling_47_one_rune_only_by_the_option() -> None:
    """The late window is skipped then."""
    table = three_runes(ONE_RUNE).when(play("F-RED")).after

    assert [] == playable(table)
    table.when(play("F-BLU")).then_refused("rune_already_played")
    assert {BO: "offer"} == asked(table.when(offer("S3-BLU", 1)))


def test_by_the_option_a_share_rune_is_a_turns_rune_too() -> None:
    """Neither before nor after another."""
    table = table_with(on_card("S3-YEL", [BO]), runes(ANN, "F-RED", "S1"), options=ONE_RUNE)

    table.when(play("F-RED"), offer("S3-YEL", 1, share=True)).then_refused("rune_already_played")
    assert {BO: "offer"} == asked(table.when(offer("S3-YEL", 1, share=True)))


def test_by_the_option_an_unused_rune_keeps_the_late_window_open() -> None:
    """One rune may still be played, and then the turn is over."""
    table = table_with(runes(ANN, "F-RED", "F-GRN"), options=ONE_RUNE).when(offer("S3-YEL", 1)).after

    assert {ANN: "late_rune"} == asked(table)
    assert {BO: "offer"} == asked(table.when(play("F-RED")))


def test_by_the_option_every_chief_has_a_rune_of_the_turn() -> None:
    """What Ann played leaves Bo his own, and Ann hers in her next turn."""
    table = table_with(runes(ANN, "F-BLU", "F-RED"), runes(BO, "F-GRN"), options=ONE_RUNE)
    bo = table.when(play("F-RED"), offer("S3-YEL", 1)).after

    assert ({BO: "offer"}, ["F-GRN"]) == (asked(bo), playable(bo, BO))
    played = bo.when(play("F-GRN", BO))
    played.then_includes(RunePlayed(seat=BO, rune=RuneId("F-GRN")))
    ann = played.after.when(offer("S3-BLU", 1, BO), offer("S3-GRY", 1, CY)).after
    assert ({ANN: "offer"}, ["F-BLU"]) == (asked(ann), playable(ann))


def test_by_the_option_a_rune_of_the_last_turn_is_not_one_of_the_next_season() -> None:
    """Ann ends season 1 after a rune, and begins season 2."""
    table = table_with(runes(ANN, "F-BLU", "F-RED"), fields(order=(BO, CY, ANN)), last_piece, options=ONE_RUNE)
    second = table.when(play("F-RED"), offer("S3-YEL", 1), ChooseNewStart(seat=ANN, card=CardId("NS-BLU"))).after

    assert ({ANN: "offer"}, ["F-BLU"]) == (asked(second), playable(second))


def test_ruling_48_a_favour_rune_just_drawn_may_be_played() -> None:
    """After the offering that drew it."""
    table = table_with(rune_pile("F-YEL")).when(offer("S3-YEL", 3)).after

    assert [play("F-YEL"), end()] == list(legal(table))
    table.when(play("F-YEL")).then(
        RunePlayed(seat=ANN, rune=RuneId("F-YEL")), TokensGained(seat=ANN, tokens=("YEL", "YEL"))
    )


@pytest.mark.parametrize("rune", ["I-YEL", "O-PUR", "S1"])
def test_ruling_48_other_runes_wait_for_a_later_turn(rune: str) -> None:
    """The late window is for Favour runes."""
    table = table_with(rune_pile(rune), on_card("S3-BLU", [BO])).when(offer("S3-YEL", 3)).after

    assert [end()] == list(legal(table))
    table.when(play(rune)).then_refused("rune_out_of_window", rune=rune)


def test_ruling_101_the_late_window_opens_for_every_holder_of_a_rune() -> None:
    """It may hold nothing but the end of the turn; without a rune it is skipped."""
    holder = table_with(runes(ANN, "S1")).when(offer("S3-YEL", 1))

    assert {ANN: "late_rune"} == asked(holder)
    assert [EndTurn(seat=ANN)] == list(legal(holder.after))
    holder.after.when(end()).then(TurnEnded(seat=ANN))
    assert {BO: "offer"} == asked(table_with().when(offer("S3-YEL", 1)))


def test_several_favour_runes_in_the_late_window() -> None:
    """One after another; the last one closes it."""
    table = table_with(runes(ANN, "F-RED", "F-GRN"))
    happened = table.when(offer("S3-YEL", 1), play("F-GRN"), play("F-RED"))

    assert {"YEL": 2, "RED": 2, "GRN": 2} == held(happened)
    assert {BO: "offer"} == asked(happened)


def test_ruling_49_unplayed_runes_are_worth_nothing() -> None:
    """The scores are those of a table without them."""
    with_runes = table_with(season(4), last_piece, runes(ANN, "F-RED", "S1")).when(offer("S3-YEL", 1), end())

    assert "over" == with_runes.state().phase
    assert 0 == score(with_runes)
