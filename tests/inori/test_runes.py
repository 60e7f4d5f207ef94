"""Runes: what they do, and when they may be played (rules, sections 3.6, 6 and 9)."""

from __future__ import annotations

import pytest

from events.inori.commands import EndTurn, MovePiece, OfferToCard, OfferToTree, PlayRune
from events.inori.events import (
    OfferedToCard,
    OfferedToTree,
    PieceMoved,
    RuneDrawn,
    RunePlayed,
    RunesShuffled,
    TokensGained,
    TurnEnded,
)
from events.inori.vocabulary import CardId, Owner, RuneId, TreeSpaceId
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    NEUTRAL,
    asked,
    emptied,
    end,
    held,
    in_play,
    last_piece,
    legal,
    made,
    offer,
    on_card,
    on_tree,
    play,
    rune_pile,
    runes,
    score,
    season,
    table_with,
    tokens,
    tree,
)
from tests.spec import Scenario
from workers.inori.state import InoriOptions

ONE_RUNE = InoriOptions(one_rune_per_turn=True)


def move(owner: Owner, card: str, space: int, to_card: str, to_space: int) -> MovePiece:
    return MovePiece(seat=ANN, owner=owner, card=CardId(card), space=space, to_card=CardId(to_card), to_space=to_space)


def playable(table: Scenario) -> list[str]:
    return [each.rune for each in legal(table) if isinstance(each, PlayRune)]


def shared(table: Scenario) -> list[tuple[str, int]]:
    """Return the spaces of cards that a Share rune opens."""
    return [(each.card, each.space) for each in legal(table) if isinstance(each, OfferToCard) and each.share]


def test_ruling_39_a_share_rune_opens_a_space_of_others() -> None:
    """The cost is paid, the effect happens, and both pieces stand there."""
    table = table_with(in_play("J5-YEL"), on_card("J5-YEL", [], [BO]), tokens(ANN, GRN=1, YEL=2), runes(ANN, "S2"))
    happened = table.when(offer("J5-YEL", 2, share=True))

    happened.then_includes(
        RunePlayed(seat=ANN, rune=RuneId("S2")), OfferedToCard(seat=ANN, card=CardId("J5-YEL"), space=2)
    )
    assert ((), (BO, ANN)) == happened.state().slots[0].pieces
    assert ({"YEL": 2}, 2) == (held(happened), score(happened))


def test_a_share_rune_does_not_make_a_space_cheaper() -> None:
    """Its cost must be payable."""
    table = table_with(in_play("J5-YEL"), on_card("J5-YEL", [], [BO]), runes(ANN, "S2"))

    table.when(offer("J5-YEL", 2, share=True)).then_refused("cost_not_payable")
    assert ("J5-YEL", 2) not in shared(table)


def test_ruling_40_a_share_rune_does_not_open_a_space_of_ones_own() -> None:
    """Not even one shared with others."""
    table = table_with(on_card("S3-YEL", [ANN, BO]), runes(ANN, "S1"))

    table.when(offer("S3-YEL", 1, share=True)).then_refused("own_piece_there")
    assert [] == shared(table)


def test_ruling_41_a_share_rune_opens_a_space_of_a_neutral_piece() -> None:
    """As it does one of two others."""
    table = table_with(on_card("S3-YEL", [NEUTRAL], [BO, CY]), runes(ANN, "S1"))

    assert [("S3-YEL", 1), ("S3-YEL", 2)] == shared(table)
    assert ((NEUTRAL, ANN), (BO, CY), ()) == table.when(offer("S3-YEL", 1, share=True)).state().slots[0].pieces


def test_a_share_rune_is_not_played_on_an_empty_space() -> None:
    """It is for occupied ones."""
    table_with(runes(ANN, "S1")).when(offer("S3-YEL", 1, share=True)).then_refused("space_empty")


def test_ruling_103_a_share_rune_on_an_emptied_root_gains_nothing() -> None:
    """It is legal all the same."""
    table = table_with(emptied("T7"), on_tree("T7", BO), runes(ANN, "S1"))
    happened = table.when(tree("T7", share=True))

    happened.then(RunePlayed(seat=ANN, rune=RuneId("S1")), OfferedToTree(seat=ANN, space=TreeSpaceId("T7")))
    assert {} == held(happened)


def test_a_share_rune_may_come_back_in_its_own_offering() -> None:
    """It lies in the discard before the rune is drawn."""
    table = table_with(on_card("S3-YEL", [], [], [BO]), runes(CY, *list(CATALOGUE.runes)[:-1]), runes(ANN, "S3"))
    happened = table.when(offer("S3-YEL", 3, share=True))

    happened.then_includes(RunesShuffled(pile=(RuneId("S3"),)), RuneDrawn(seat=ANN, rune=RuneId("S3")))


@pytest.mark.parametrize("full", [True, False])
def test_ruling_43_a_move_in_rune_needs_an_empty_space_of_its_colour(*, full: bool) -> None:
    """Neither with all yellow cards full nor without a yellow card."""
    there = "J5-YEL" if full else "J5-PUR"
    table = table_with(in_play(there), on_card(there, [ANN], [BO]), on_card("S3-BLU", [CY]), runes(ANN, "I-YEL"))

    assert [] == playable(table)
    table.when(play("I-YEL")).then_refused("rune_without_effect", rune="I-YEL")


def test_ruling_44_pieces_on_the_great_tree_do_not_move() -> None:
    """With no piece on a card the rune does nothing."""
    table = table_with(on_tree("T7", BO), on_tree("T1", CY, altar="RED"), runes(ANN, "I-BLU"))

    assert [] == playable(table)
    table.when(play("I-BLU")).then_refused("rune_without_effect")


def test_ruling_45_a_move_out_rune_leaves_the_card() -> None:
    """Another green card will do, the same one will not."""
    table = table_with(
        in_play("J6-GRN", "S3-YEL", "S3-BLU", "NS-GRN"), on_card("J6-GRN", [BO]), runes(ANN, "O-GRN")
    ).when(play("O-GRN"))

    table.after.when(move(BO, "J6-GRN", 1, "J6-GRN", 2)).then_refused("same_card")
    happened = table.after.when(move(BO, "J6-GRN", 1, "NS-GRN", 3))
    happened.then(PieceMoved(seat=ANN, owner=BO, card=CardId("J6-GRN"), space=1, to_card=CardId("NS-GRN"), to_space=3))
    assert ((), (), (BO,)) == happened.state().slots[3].pieces


def test_ruling_105_a_move_in_rune_has_the_choice_of_its_cards() -> None:
    """Of two yellow ones either, also from one to the other."""
    table = table_with(
        in_play("J5-YEL", "NS-YEL"), on_card("J5-YEL", [BO]), on_card("S3-BLU", [CY]), runes(ANN, "I-YEL")
    )
    offered = legal(table.when(play("I-YEL")).after)
    targets = {(each.card, each.to_card) for each in offered if isinstance(each, MovePiece)}

    assert {("S3-BLU", "J5-YEL"), ("S3-BLU", "NS-YEL"), ("J5-YEL", "NS-YEL")} == targets


def test_any_piece_moves_and_nothing_is_paid_or_gained() -> None:
    """One's own, another's, a neutral one; of two on a space the one named."""
    table = table_with(on_card("S3-BLU", [ANN, BO], [NEUTRAL]), on_card("S3-YEL", [CY]), runes(ANN, "I-YEL")).when(
        play("I-YEL")
    )
    owners = {each.owner for each in legal(table.after) if isinstance(each, MovePiece)}

    assert {ANN, BO, NEUTRAL} == owners
    happened = table.after.when(move(NEUTRAL, "S3-BLU", 2, "S3-YEL", 3))
    assert ((ANN, BO), (), ()) == happened.state().slots[1].pieces
    assert ((CY,), (), (NEUTRAL,)) == happened.state().slots[0].pieces
    assert ({}, {}) == (held(happened), held(happened, BO))
    other = table.after.when(move(ANN, "S3-BLU", 1, "S3-YEL", 2))
    assert ((BO,), (NEUTRAL,), ()) == other.state().slots[1].pieces


def test_a_space_emptied_by_a_move_is_used_at_once() -> None:
    """By the offering of the same turn."""
    table = table_with(on_card("S3-BLU", [BO]), runes(ANN, "I-YEL"))
    happened = table.when(play("I-YEL"), move(BO, "S3-BLU", 1, "S3-YEL", 1), offer("S3-BLU", 1))

    assert {"BLU": 2} == held(happened)


def test_the_only_way_to_move_is_not_asked() -> None:
    """The rune lies open, so it tells nothing."""
    table = table_with(in_play("J5-YEL"), on_card("J5-YEL", [ANN]), on_card("S3-BLU", [BO]), runes(ANN, "I-YEL"))

    table.when(play("I-YEL")).then(
        RunePlayed(seat=ANN, rune=RuneId("I-YEL")),
        PieceMoved(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1, to_card=CardId("J5-YEL"), to_space=2),
    )


def three_runes(options: InoriOptions | None = None) -> Scenario:
    """Ann holds F-RED, F-BLU and O-PUR; a piece stands on a purple card."""
    return table_with(
        in_play("J6-PUR"), on_card("J6-PUR", [BO]), runes(ANN, "F-BLU", "F-RED", "O-PUR"), options=options
    )


def test_ruling_47_any_number_of_runes_in_a_turn() -> None:
    """In any order, before the one offering."""
    table = three_runes()
    assert ["F-BLU", "F-RED", "O-PUR"] == playable(table)
    happened = table.when(
        play("F-RED"), play("O-PUR"), move(BO, "J6-PUR", 1, "S3-BLU", 2), play("F-BLU"), offer("S3-BLU", 1)
    )

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


def test_a_favour_rune_takes_what_the_supply_has() -> None:
    """One token where there is one."""
    table = table_with(tokens(BO, YEL=14), runes(ANN, "F-YEL"))

    assert {"YEL": 1} == held(table.when(play("F-YEL")))


def test_a_played_rune_lies_face_up() -> None:
    """In the discard, at once."""
    table = table_with(runes(ANN, "F-YEL", "F-RED")).when(play("F-RED"))

    assert (RuneId("F-RED"),) == table.state().rune_discard
    assert (RuneId("F-YEL"),) == table.state().chiefs[ANN].runes


def test_an_empty_pile_is_made_of_the_discard() -> None:
    """Shuffled, and then drawn from."""
    table = table_with(runes(CY, *list(CATALOGUE.runes)[2:]))
    table = made(table, rune_pile(discard=["F-YEL", "F-BLU"]))
    happened = table.when(offer("S3-YEL", 3))

    (shuffled,) = [event for event in happened.events if isinstance(event, RunesShuffled)]
    assert ["F-BLU", "F-YEL"] == sorted(shuffled.pile)
    happened.then_includes(shuffled, RuneDrawn(seat=ANN, rune=shuffled.pile[0]))
    assert () == happened.state().rune_discard


def test_a_hand_stands_in_the_order_of_the_catalogue() -> None:
    """So that it tells nothing of when each rune came."""
    table = table_with(rune_pile("F-YEL"), runes(ANN, "F-RED")).when(offer("S3-YEL", 3))

    assert ("F-YEL", "F-RED") == table.state().chiefs[ANN].runes


def test_share_runes_on_the_tree_are_offered_where_they_are_legal() -> None:
    """On Altars and roots of others."""
    table = table_with(
        on_tree("T1", BO, altar="RED"),
        on_tree("T2", CY, altar="BLU"),
        on_tree("T7", ANN),
        on_tree("T8", BO),
        tokens(ANN, BLU=1),
        runes(ANN, "S1"),
    )

    assert ["T2", "T8"] == [each.space for each in legal(table) if isinstance(each, OfferToTree) and each.share]
