"""What runes do, and where (rules, sections 3.6, 6 and 9); when they may be played is in test_rune_windows."""

from __future__ import annotations

import pytest

from events.inori.commands import ChoosePiece, MovePiece, OfferToCard, OfferToTree, ReleasePiece
from events.inori.events import (
    OfferedToCard,
    OfferedToTree,
    PieceChosen,
    PieceMoved,
    PieceReleased,
    RuneDrawn,
    RunePlayed,
    RunesShuffled,
)
from events.inori.vocabulary import CardId, RuneId, TreeSpaceId
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    DI,
    NEUTRAL,
    asked,
    choose,
    emptied,
    held,
    in_play,
    legal,
    made,
    move,
    offer,
    on_card,
    on_tree,
    play,
    playable,
    rune_pile,
    runes,
    score,
    table_with,
    tokens,
    tree,
)
from tests.spec import Scenario


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

    table.after.when(move("J6-GRN", 2)).then_refused("same_card")
    happened = table.after.when(move("NS-GRN", 3))
    happened.then(PieceMoved(seat=ANN, owner=BO, card=CardId("J6-GRN"), space=1, to_card=CardId("NS-GRN"), to_space=3))
    assert ((), (), (BO,)) == happened.state().slots[3].pieces


def test_ruling_105_a_move_in_rune_has_the_choice_of_its_cards() -> None:
    """Of two yellow ones either, also from one to the other."""
    pieces = (on_card("J5-YEL", [BO]), on_card("S3-BLU", [CY]))
    table = table_with(in_play("J5-YEL", "NS-YEL"), *pieces, runes(ANN, "I-YEL")).when(play("I-YEL")).after
    from_blue, from_yellow = (table.when(each).after for each in (choose(CY, "S3-BLU", 1), choose(BO, "J5-YEL", 1)))

    assert {ANN: "move"} == asked(table)
    assert [choose(BO, "J5-YEL", 1), choose(CY, "S3-BLU", 1)] == list(legal(table))
    assert [("J5-YEL", 2), ("NS-YEL", 1), ("NS-YEL", 2), ("NS-YEL", 3)] == to_spaces(from_blue)
    assert [("NS-YEL", 1), ("NS-YEL", 2), ("NS-YEL", 3)] == to_spaces(from_yellow)


def to_spaces(table: Scenario) -> list[tuple[str, int]]:
    """Return where the piece chosen may go."""
    return [(each.card, each.space) for each in legal(table) if isinstance(each, MovePiece)]


def test_the_choice_of_a_piece_may_be_taken_back() -> None:
    """Until it has moved; then another one may be chosen."""
    table = table_with(on_card("S3-BLU", [BO, CY]), runes(ANN, "I-YEL")).when(play("I-YEL")).after
    chosen = table.when(choose(BO, "S3-BLU", 1))
    released = chosen.after.when(ReleasePiece(seat=ANN))

    chosen.then(PieceChosen(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1))
    assert {ANN: "move_to"} == asked(chosen)
    assert ReleasePiece(seat=ANN) in legal(chosen.after)
    released.then(PieceReleased(seat=ANN))
    assert {ANN: "move"} == asked(released)
    assert list(legal(table)) == list(legal(released.after))


def test_a_choice_is_taken_back_once_for_each_rune() -> None:
    """The second choice stands; another Move rune brings another chance."""
    release = ReleasePiece(seat=ANN)
    first = (play("I-YEL"), choose(BO, "S3-BLU", 1), release, choose(CY, "S3-BLU", 1))
    chosen = table_with(on_card("S3-BLU", [BO, CY]), runes(ANN, "I-YEL", "I-GRY")).when(*first).after

    assert [move("S3-YEL", space) for space in (1, 2, 3)] == list(legal(chosen))
    chosen.when(release).then_refused("piece_already_released")
    again = chosen.when(move("S3-YEL", 1), play("I-GRY"), choose(BO, "S3-BLU", 1)).after
    assert release in legal(again)
    again.when(release).then(PieceReleased(seat=ANN))


def test_the_choice_of_the_only_piece_is_not_taken_back() -> None:
    """There is no other."""
    table = table_with(on_card("S3-BLU", [BO]), runes(ANN, "I-YEL")).when(play("I-YEL"))

    table.then(
        RunePlayed(seat=ANN, rune=RuneId("I-YEL")), PieceChosen(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1)
    )
    assert {ANN: "move_to"} == asked(table)
    table.after.when(ReleasePiece(seat=ANN)).then_refused("no_other_piece")
    assert ReleasePiece(seat=ANN) not in legal(table.after)


def test_a_full_table_never_offers_more_than_200_commands() -> None:
    """Even with pieces stacked as high as they go; so a move is asked for in steps."""
    everybody = [ANN, BO, CY, DI]
    table = table_with(
        in_play("J1-YEL", "J1-BLU", "J1-GRY", "NS-YEL", "J2-YEL", "J1-PUR"),
        *(on_card(card, [], [], everybody) for card in ("J1-BLU", "J1-GRY", "J1-YEL", "J1-PUR")),
        runes(ANN, *list(CATALOGUE.runes)),
        seats=4,
    )
    questions = [table, table.when(play("I-YEL")).after]
    questions.append(questions[1].when(legal(questions[1])[0]).after)

    assert [{ANN: "offer"}, {ANN: "move"}, {ANN: "move_to"}] == [asked(each) for each in questions]
    assert all(len(legal(each)) <= 60 for each in questions)


def test_any_piece_moves_and_nothing_is_paid_or_gained() -> None:
    """One's own, another's, a neutral one; of two on a space the one named."""
    table = table_with(on_card("S3-BLU", [ANN, BO], [NEUTRAL]), on_card("S3-YEL", [CY]), runes(ANN, "I-YEL")).when(
        play("I-YEL")
    )
    owners = {each.owner for each in legal(table.after) if isinstance(each, ChoosePiece)}

    assert {ANN, BO, NEUTRAL} == owners
    happened = table.after.when(choose(NEUTRAL, "S3-BLU", 2), move("S3-YEL", 3))
    assert ((ANN, BO), (), ()) == happened.state().slots[1].pieces
    assert ((CY,), (), (NEUTRAL,)) == happened.state().slots[0].pieces
    assert ({}, {}) == (held(happened), held(happened, BO))
    other = table.after.when(choose(ANN, "S3-BLU", 1), move("S3-YEL", 2))
    assert ((BO,), (NEUTRAL,), ()) == other.state().slots[1].pieces


def test_of_two_pieces_on_a_space_the_one_named_moves() -> None:
    """Also where it came second; the other one stays."""
    table = table_with(on_card("S3-BLU", [ANN, BO]), runes(ANN, "I-YEL")).when(play("I-YEL")).after
    happened = table.when(choose(BO, "S3-BLU", 1), move("S3-YEL", 2))

    happened.then(PieceMoved(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1, to_card=CardId("S3-YEL"), to_space=2))
    assert ((), (BO,), ()) == happened.state().slots[0].pieces
    assert ((ANN,), (), ()) == happened.state().slots[1].pieces


def test_a_space_emptied_by_a_move_is_used_at_once() -> None:
    """By the offering of the same turn."""
    table = table_with(on_card("S3-BLU", [BO]), runes(ANN, "I-YEL"))
    happened = table.when(play("I-YEL"), move("S3-YEL", 1), offer("S3-BLU", 1))

    assert {"BLU": 2} == held(happened)


def test_the_only_way_to_move_is_not_asked() -> None:
    """The rune lies open, so it tells nothing."""
    table = table_with(in_play("J5-YEL"), on_card("J5-YEL", [ANN]), on_card("S3-BLU", [BO]), runes(ANN, "I-YEL"))

    table.when(play("I-YEL")).then(
        RunePlayed(seat=ANN, rune=RuneId("I-YEL")),
        PieceChosen(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1),
        PieceMoved(seat=ANN, owner=BO, card=CardId("S3-BLU"), space=1, to_card=CardId("J5-YEL"), to_space=2),
    )


def test_a_favour_rune_takes_what_the_supply_has() -> None:
    """One token where there is one."""
    table = table_with(tokens(BO, YEL=14), runes(ANN, "F-YEL"))

    assert {"YEL": 1} == held(table.when(play("F-YEL")))


def test_played_runes_lie_face_up_in_order() -> None:
    """In the discard, at once."""
    table = table_with(runes(ANN, "F-YEL", "F-BLU", "F-RED")).when(play("F-RED"), play("F-BLU"))

    assert ("F-RED", "F-BLU") == table.state().rune_discard
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


def test_a_new_pile_is_shuffled() -> None:
    """Chance decides its order, not the order in which the runes were played."""
    played = list(CATALOGUE.runes)[:12]
    table = table_with(runes(CY, *list(CATALOGUE.runes)[12:]), rune_pile(discard=played))
    piles = []
    for seed in (bytes(32), bytes(range(32))):
        happened = table.when(offer("S3-YEL", 3), seed=seed)
        piles += [list(event.pile) for event in happened.events if isinstance(event, RunesShuffled)]

    assert [sorted(played)] * 2 == [sorted(pile) for pile in piles]
    assert piles[0] != piles[1]
    assert played not in piles


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
