"""What the rules say no to, by which code (rules, section 3.9, Illegal input); nothing changes by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from events.inori.commands import (
    ChooseAltar,
    ChooseLeast,
    ChooseNewStart,
    ChoosePiece,
    MovePiece,
    OfferToCard,
    OfferToTree,
    PayMajority,
    PlaceNeutral,
    ReleasePiece,
    TakeGift,
)
from events.inori.vocabulary import CardId, Colour, Owner, TreeSpaceId
from events.messages import Command, Seat
from tests.inori.table import (
    ANN,
    BO,
    CY,
    NEUTRAL,
    choose,
    end,
    fields,
    in_play,
    lay_aside,
    move,
    offer,
    on_card,
    on_tree,
    opened,
    play,
    runes,
    season_end,
    table_with,
    tokens,
    tree,
)
from tests.spec import Scenario
from workers.inori.state import InoriOptions


def refused(table: Scenario, command: Command, code: str, **details: object) -> None:
    """Check the code, and that the table is as it was."""
    before = table.state
    happened = table.when(command)
    happened.then_refused(code, **details)

    assert before == happened.after.state


def moving() -> Scenario:
    """Ann just played I-YEL; Bo stands on S3-BLU, Cy and a neutral piece on S3-GRY, Ann on S3-YEL."""
    pieces = (on_card("S3-BLU", [BO]), on_card("S3-GRY", [CY], [NEUTRAL]), on_card("S3-YEL", [ANN]))
    return table_with(*pieces, runes(ANN, "I-YEL")).when(play("I-YEL")).after


@pytest.mark.parametrize("card", ["S3-PUR", "J1-YEL", "NS-RED", "S4-YEL", "", "S3-yel", "\0"])
def test_card_not_in_play(card: str) -> None:
    """Neither a card of a pile nor one that does not exist."""
    refused(opened(), offer(card, 1), "card_not_in_play", card=card)


@pytest.mark.parametrize("space", [0, 4, -1, 10**9])
def test_no_such_space(space: int) -> None:
    """S3-YEL has three spaces."""
    refused(opened(), offer("S3-YEL", space), "no_such_space", card="S3-YEL", spaces=3)


@pytest.mark.parametrize("space", ["T0", "T10", "t1", "", "S3-YEL"])
def test_no_such_space_of_the_tree(space: str) -> None:
    """It has nine."""
    refused(opened(), tree(space), "no_such_space", space=space)


@pytest.mark.parametrize("owners", [[BO], [ANN], [NEUTRAL], [BO, CY]])
def test_space_occupied(owners: Sequence[Owner]) -> None:
    """By anybody."""
    table = table_with(on_card("S3-YEL", owners))
    refused(table, offer("S3-YEL", 1), "space_occupied", pieces=list(owners))


def test_space_occupied_on_the_tree() -> None:
    """Altars and roots alike, also by oneself."""
    table = table_with(on_tree("T1", BO, altar="RED"), on_tree("T7", ANN), tokens(ANN, RED=1))
    refused(table, tree("T1"), "space_occupied", pieces=[BO])
    refused(table, tree("T7"), "space_occupied", pieces=[ANN])


def test_cost_not_payable() -> None:
    """A colour, the majority, an Altar."""
    table = table_with(in_play("J4-YEL"), on_tree("T1", altar="RED"))
    refused(table, offer("J4-YEL", 2), "cost_not_payable", amount=1, colour=None)
    refused(table, offer("J4-YEL", 3), "cost_not_payable", amount=1, colour="BLU")
    refused(table, tree("T1"), "cost_not_payable", amount=1, colour="RED")


def test_rune_not_held() -> None:
    """Another's, one that does not exist, and a Share rune."""
    table = table_with(runes(BO, "F-YEL", "S1"), on_card("S3-YEL", [BO]))
    for rune in ("F-YEL", "F-BLU", "S1", "X", ""):
        refused(table, play(rune), "rune_not_held", rune=rune)
    refused(table, offer("S3-YEL", 1, share=True), "rune_not_held", kind="share")
    refused(table, tree("T1", share=True), "rune_not_held", kind="share")


def test_space_empty() -> None:
    """A Share rune is not wasted."""
    table = table_with(runes(ANN, "S1"))
    refused(table, offer("S3-YEL", 1, share=True), "space_empty")
    refused(table, tree("T6", share=True), "space_empty")


def test_own_piece_there() -> None:
    """A Share rune does not help past one's own piece."""
    table = table_with(runes(ANN, "S1"), on_card("S3-YEL", [ANN, BO]), on_tree("T7", ANN))
    refused(table, offer("S3-YEL", 1, share=True), "own_piece_there")
    refused(table, tree("T7", share=True), "own_piece_there")


def test_root_closed() -> None:
    """By the option."""
    table = table_with(options=InoriOptions(roots_close=True)).when(tree("T7")).after
    refused(table, tree("T7", BO), "root_closed", space="T7")


def test_rune_out_of_window() -> None:
    """A Share rune alone before the offering, a Move or Share rune after it."""
    table = table_with(runes(ANN, "I-BLU", "S1"), on_card("S3-YEL", [BO]))
    refused(table, play("S1"), "rune_out_of_window", rune="S1")
    late = table.when(offer("S3-YEL", 2)).after
    refused(late, play("S1"), "rune_out_of_window", rune="S1")
    refused(late, play("I-BLU"), "rune_out_of_window", rune="I-BLU")


def test_rune_without_effect() -> None:
    """No piece to move, or nowhere to move it."""
    refused(table_with(runes(ANN, "I-BLU")), play("I-BLU"), "rune_without_effect", rune="I-BLU")


def test_rune_already_played() -> None:
    """By the option."""
    one = InoriOptions(one_rune_per_turn=True)
    table = table_with(runes(ANN, "F-YEL", "F-BLU", "S1"), on_card("S3-YEL", [BO]), options=one)
    after = table.when(play("F-YEL")).after
    refused(after, play("F-BLU"), "rune_already_played")
    refused(after, offer("S3-YEL", 1, share=True), "rune_already_played")


def test_offering_possible() -> None:
    """Nobody keeps a piece back."""
    refused(opened(), lay_aside(), "offering_possible")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (choose(BO, "S3-RED", 1), "card_not_in_play"),
        (choose(BO, "S3-BLU", 7), "no_such_space"),
        (choose(BO, "S3-BLU", 2), "piece_not_there"),
        (choose(CY, "S3-BLU", 1), "piece_not_there"),
        (choose(NEUTRAL, "S3-BLU", 1), "piece_not_there"),
        (choose(Seat(9), "S3-BLU", 1), "piece_not_there"),
        (choose(ANN, "S3-YEL", 1), "piece_not_movable"),
    ],
)
def test_pieces_that_cannot_be_chosen(command: ChoosePiece, code: str) -> None:
    """A piece that is there, on a card that the rune can move it from."""
    refused(moving(), command, code)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (move("S3-PUR", 2), "card_not_in_play"),
        (move("S3-YEL", 0), "no_such_space"),
        (move("S3-GRY", 3), "card_of_other_colour"),
        (move("S3-BLU", 2), "same_card"),
        (move("S3-YEL", 1), "space_occupied"),
    ],
)
def test_moves_that_cannot_be_made(command: MovePiece, code: str) -> None:
    """To an empty space of another card of the rune's colour."""
    refused(moving().when(choose(BO, "S3-BLU", 1)).after, command, code)


def test_a_piece_moves_out_of_the_runes_colour_alone() -> None:
    """A piece on another card is not chosen, and goes to any other card but its own."""
    pieces = (on_card("S3-RED", [CY, ANN]), on_card("S3-GRY", [BO]))
    table = table_with(in_play("S3-RED"), *pieces, runes(ANN, "O-RED"))
    asking = table.when(play("O-RED")).after
    refused(asking, choose(BO, "S3-GRY", 1), "piece_not_movable", card="S3-GRY")
    refused(asking.when(choose(CY, "S3-RED", 1)).after, move("S3-RED", 2), "same_card")


def test_no_other_piece() -> None:
    """The only one that can move stays chosen."""
    table = table_with(on_card("S3-BLU", [BO]), runes(ANN, "I-YEL")).when(play("I-YEL")).after
    refused(table, ReleasePiece(seat=ANN), "no_other_piece")


def test_colour_not_tied() -> None:
    """Neither for the cost nor for the gain, nor is a colour that does not exist."""
    paying = table_with(in_play("J4-GRN"), tokens(ANN, YEL=2, RED=2)).when(offer("J4-GRN", 2)).after
    gaining = table_with(in_play("J6-GRN"), tokens(ANN, YEL=2, RED=2)).when(offer("J6-GRN", 1)).after
    wrong: Any
    for wrong in ("BLU", "", "MAJ"):
        refused(paying, PayMajority(seat=ANN, colour=wrong), "colour_not_tied", tied=["YEL", "RED"])
    for wrong in ("YEL", "RED", "LEAST"):
        refused(gaining, ChooseLeast(seat=ANN, colour=wrong), "colour_not_tied")


def test_altar_already_placed() -> None:
    """And no tile that does not exist."""
    table = table_with(on_tree("T1", altar="RED")).when(tree("T2")).after
    unknown: Any = "PINK"
    refused(table, ChooseAltar(seat=ANN, colour="RED"), "altar_already_placed", colour="RED")
    refused(table, ChooseAltar(seat=ANN, colour=unknown), "altar_already_placed")


@pytest.mark.parametrize(
    ("gift", "code"),
    [
        ((), "gift_of_other_size"),
        (("YEL",), "gift_of_other_size"),
        (("YEL", "YEL", "YEL"), "gift_of_other_size"),
        (("RED", "YEL"), "tokens_not_in_order"),
        (("PINK", "YEL"), "no_such_colour"),
        (("GRY", "GRY"), "supply_short"),
        (("YEL", "BLU"), "supply_short"),
    ],
)
def test_gifts_that_cannot_be_taken(gift: Any, code: str) -> None:  # noqa: ANN401  some are no colours
    """Two tokens that the supply has, in their usual order."""
    table = (
        table_with(tokens(BO, GRY=14, BLU=15), on_tree("T1", altar="RED"), tokens(ANN, RED=1)).when(tree("T1")).after
    )
    refused(table, TakeGift(seat=ANN, tokens=gift), code)


@pytest.mark.parametrize(
    ("card", "space", "code"),
    [
        ("S3-PUR", 1, "card_not_in_play"),
        ("S3-YEL", 4, "no_such_space"),
        ("S3-YEL", 1, "space_occupied"),
        ("T7", 1, "card_not_in_play"),
    ],
)
def test_neutral_pieces_that_cannot_be_placed(card: str, space: int, code: str) -> None:
    """They go to empty spaces of cards."""
    table = table_with(on_card("S3-YEL", [BO]), on_tree("T5", altar="RED"), tokens(ANN, RED=1)).when(tree("T5")).after
    refused(table, PlaceNeutral(seat=ANN, card=CardId(card), space=space), code)


def test_card_not_drawn() -> None:
    """Only the two drawn can be kept."""
    table = season_end().after
    seat = table.state.turn
    for card in ("NS-GRN", "J1-YEL", ""):
        refused(table, ChooseNewStart(seat=seat, card=CardId(card)), "card_not_drawn", card=card)


@pytest.mark.parametrize("seat", [-1, 3, 99, BO, CY])
def test_not_your_turn(seat: int) -> None:
    """Only who is asked, and a seat that is not there never is."""
    for command in (
        offer("S3-YEL", 1, Seat(seat)),
        tree("T1", Seat(seat)),
        play("F-YEL", Seat(seat)),
        end(Seat(seat)),
        lay_aside(Seat(seat)),
    ):
        refused(table_with(runes(BO, "F-YEL")), command, "not_your_turn", asked=[ANN])


def test_wrong_question() -> None:
    """A command answers the question that was asked."""
    colour: Colour = "RED"
    answers: list[Command] = [
        choose(BO, "S3-BLU", 1),
        move("S3-YEL", 2),
        ReleasePiece(seat=ANN),
        PayMajority(seat=ANN, colour=colour),
        ChooseAltar(seat=ANN, colour=colour),
        ChooseLeast(seat=ANN, colour=colour),
        TakeGift(seat=ANN, tokens=("YEL", "YEL")),
        PlaceNeutral(seat=ANN, card=CardId("S3-YEL"), space=1),
        ChooseNewStart(seat=ANN, card=CardId("NS-YEL")),
        end(),
    ]
    for command in answers:
        refused(opened(), command, "wrong_question", asked="offer")
    late = table_with(runes(ANN, "F-YEL")).when(offer("S3-YEL", 1)).after
    for command in (
        OfferToCard(seat=ANN, card=CardId("S3-BLU"), space=1),
        OfferToTree(seat=ANN, space=TreeSpaceId("T7")),
        lay_aside(),
    ):
        refused(late, command, "wrong_question", asked="late_rune")


def test_nothing_is_accepted_when_the_game_is_over() -> None:
    """Nobody is asked."""
    over = table_with(fields(phase="over", agenda=()))
    refused(over, offer("S3-YEL", 1), "not_your_turn", asked=[])
