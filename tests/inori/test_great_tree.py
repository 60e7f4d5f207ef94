"""Altars, their effects, and roots (rules, sections 3.5, 5 and 9)."""

from __future__ import annotations

import pytest

from events.inori.commands import ChooseAltar, PlaceNeutral, TakeGift
from events.inori.events import (
    AltarPlaced,
    NeutralPlaced,
    OfferedToTree,
    PointsScored,
    RootTokensTaken,
    RuneDrawn,
    RuneMissed,
    TokensGained,
    TokensPaid,
)
from events.inori.vocabulary import COLOURS, CardId, Colour, RuneId, TreeSpaceId
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    NEUTRAL,
    RULES,
    asked,
    emptied,
    held,
    in_play,
    legal,
    no_rune_left,
    on_card,
    on_tree,
    runes,
    score,
    season_end,
    table_with,
    tokens,
    tree,
)
from tests.spec import Scenario
from workers.inori.state import InoriOptions, Ward


def altar(colour: Colour) -> ChooseAltar:
    return ChooseAltar(seat=ANN, colour=colour)


def neutral(card: str, space: int) -> PlaceNeutral:
    return PlaceNeutral(seat=ANN, card=CardId(card), space=space)


def test_ruling_27_the_first_visit_is_free_and_sets_the_tile() -> None:
    """Three green tokens, and the tile stays."""
    happened = table_with().when(tree("T6"), altar("GRN"))

    happened.then(
        AltarPlaced(seat=ANN, space=TreeSpaceId("T6"), colour="GRN"),
        TokensGained(seat=ANN, tokens=("GRN", "GRN", "GRN")),
    )
    assert {"GRN": 3} == held(happened)
    assert "GRN" == happened.state().tree[5].altar


def test_ruling_28_a_later_visit_costs_a_token_of_the_tile() -> None:
    """Two less one, and three more."""
    happened = table_with(on_tree("T6", altar="GRN"), tokens(ANN, GRN=2)).when(tree("T6"))

    happened.then(
        OfferedToTree(seat=ANN, space=TreeSpaceId("T6")),
        TokensPaid(seat=ANN, tokens=("GRN",)),
        TokensGained(seat=ANN, tokens=("GRN", "GRN", "GRN")),
    )
    assert {"GRN": 4} == held(happened)


def test_ruling_29_without_that_token_a_visit_is_illegal() -> None:
    """Other colours do not help."""
    table = table_with(on_tree("T6", altar="GRN"), tokens(ANN, YEL=5))

    table.when(tree("T6")).then_refused("cost_not_payable", amount=1, colour="GRN")


def test_ruling_31_praise_scores_5_and_still_takes_a_tile() -> None:
    """The tile is chosen first."""
    table = table_with().when(tree("T2")).after

    assert {ANN: "altar"} == asked(table)
    table.when(altar("PUR")).then(
        AltarPlaced(seat=ANN, space=TreeSpaceId("T2"), colour="PUR"), PointsScored(seat=ANN, points=5)
    )


def test_ruling_32_devotion_counts_after_payment() -> None:
    """Four when it is opened, three when the tile must be paid."""
    opening = table_with(tokens(ANN, RED=4)).when(tree("T4"), altar("RED"))
    again = table_with(on_tree("T4", altar="RED"), tokens(ANN, RED=4)).when(tree("T4"))

    assert (4, 3) == (score(opening), score(again))


def test_ruling_33_omen_without_runes_gives_the_token_alone() -> None:
    """One blue paid, one gained, nothing drawn."""
    happened = table_with(on_tree("T3", altar="BLU"), tokens(ANN, BLU=1), no_rune_left).when(tree("T3"))

    happened.then(
        OfferedToTree(seat=ANN, space=TreeSpaceId("T3")),
        TokensPaid(seat=ANN, tokens=("BLU",)),
        RuneMissed(seat=ANN),
        TokensGained(seat=ANN, tokens=("BLU",)),
    )


def test_omen_draws_a_rune_and_gives_a_token() -> None:
    """In this order."""
    table_with().when(tree("T3"), altar("BLU")).then_includes(
        RuneDrawn(seat=ANN, rune=RuneId("F-YEL")), TokensGained(seat=ANN, tokens=("BLU",))
    )


def test_ruling_35_ward_places_as_many_neutral_pieces_as_fit() -> None:
    """One in the only empty space, or none, and the token in either case."""
    one = cards_filled(2).when(tree("T5"), altar("RED"))
    none = cards_filled(3).when(tree("T5"), altar("RED"))

    one.then(
        AltarPlaced(seat=ANN, space=TreeSpaceId("T5"), colour="RED"),
        NeutralPlaced(seat=ANN, card=CardId("J5-GRY"), space=2),
        TokensGained(seat=ANN, tokens=("RED",)),
    )
    none.then(AltarPlaced(seat=ANN, space=TreeSpaceId("T5"), colour="RED"), TokensGained(seat=ANN, tokens=("RED",)))


def cards_filled(spaces: int) -> Scenario:
    """Three cards of two spaces each: two are full, and so many of the third's first spaces, less one."""
    third = [[CY], [BO]][: spaces - 1]
    return table_with(
        in_play("J5-YEL", "J5-BLU", "J5-GRY"),
        on_card("J5-YEL", [BO], [CY]),
        on_card("J5-BLU", [BO], [CY]),
        on_card("J5-GRY", *third),
    )


def test_ward_asks_for_one_space_after_another() -> None:
    """Two different spaces, on one card or two, and then the token."""
    table = table_with().when(tree("T5"), altar("RED")).after

    assert {ANN: "ward"} == asked(table)
    assert 9 == len(legal(table))
    second = table.when(neutral("S3-YEL", 1)).after
    assert 8 == len(legal(second))
    second.when(neutral("S3-YEL", 1)).then_refused("space_occupied", pieces=[None])
    happened = second.when(neutral("S3-YEL", 2))
    happened.then(NeutralPlaced(seat=ANN, card=CardId("S3-YEL"), space=2), TokensGained(seat=ANN, tokens=("RED",)))
    assert ((NEUTRAL,), (NEUTRAL,), ()) == happened.state().slots[0].pieces
    assert 0 == happened.state().neutrals


def test_ward_asks_for_no_more_pieces_than_there_are_in_storage() -> None:
    """One of the two stands on a card already."""
    table = table_with(on_card("S3-YEL", [NEUTRAL]), on_tree("T5", altar="RED"), tokens(ANN, RED=1)).when(tree("T5"))

    assert {ANN: Ward(left=1)} == RULES.prompts(table.state())
    assert 8 == len(legal(table.after))
    happened = table.after.when(neutral("S3-YEL", 2))
    happened.then(NeutralPlaced(seat=ANN, card=CardId("S3-YEL"), space=2), TokensGained(seat=ANN, tokens=("RED",)))
    assert 0 == happened.state().neutrals


def test_a_table_with_more_neutral_pieces_than_there_are_is_found() -> None:
    """Although placed and stored ones seem to be two together."""
    with pytest.raises(AssertionError, match="nobody owes a neutral piece"):
        table_with(on_card("S3-YEL", [NEUTRAL], [NEUTRAL], [NEUTRAL]))


def test_ruling_36_a_second_ward_in_a_season_places_nothing() -> None:
    """Both neutral pieces are out: pay one, gain one."""
    table = table_with(
        on_card("S3-YEL", [NEUTRAL], [NEUTRAL]), on_tree("T5", BO, altar="RED"), tokens(ANN, RED=1), runes(ANN, "S1")
    )
    happened = table.when(tree("T5", share=True))

    happened.then_includes(TokensPaid(seat=ANN, tokens=("RED",)), TokensGained(seat=ANN, tokens=("RED",)))
    happened.then_none(NeutralPlaced)


def test_ruling_37_an_emptied_root_may_be_chosen_and_gives_nothing() -> None:
    """It is free and takes no tile; by the option it is closed, also for a Share rune."""
    changes = (emptied("T7"), runes(ANN, "S1"))
    happened = table_with(*changes).when(tree("T7"))
    closed = table_with(*changes, options=InoriOptions(roots_close=True))
    shared = table_with(*changes, on_tree("T7", BO), options=InoriOptions(roots_close=True))

    happened.then(OfferedToTree(seat=ANN, space=TreeSpaceId("T7")))
    assert {} == held(happened)
    closed.when(tree("T7")).then_refused("root_closed")
    shared.when(tree("T7", share=True)).then_refused("root_closed")
    assert not [each for each in legal(closed) if each == tree("T7")]
    assert not [each for each in legal(shared) if each == tree("T7", share=True)]


def test_a_root_gives_the_tokens_that_lie_there() -> None:
    """Two of the colour opposite to the Start card above."""
    happened = table_with().when(tree("T7"))

    happened.then(
        OfferedToTree(seat=ANN, space=TreeSpaceId("T7")),
        RootTokensTaken(seat=ANN, space=TreeSpaceId("T7"), tokens=("PUR", "PUR")),
    )
    assert {"PUR": 2} == held(happened)
    assert () == happened.state().tree[6].tokens


def test_ruling_104_the_token_just_paid_may_be_taken_back() -> None:
    """It is in the supply when the gift is chosen."""
    table = table_with(on_tree("T1", altar="RED"), emptied("T8"), tokens(ANN, RED=1), tokens(BO, RED=14))
    happened = table.when(tree("T1"), TakeGift(seat=ANN, tokens=("BLU", "RED")))

    happened.then(TokensGained(seat=ANN, tokens=("BLU", "RED")))
    assert {"BLU": 1, "RED": 1} == held(happened)
    table.when(tree("T1"), TakeGift(seat=ANN, tokens=("RED", "RED"))).then_refused("supply_short")


def test_a_gift_is_any_two_tokens() -> None:
    """Same or different: 21 choices."""
    table = table_with().when(tree("T1"), altar("RED")).after

    assert {ANN: "gift"} == asked(table)
    assert 21 == len(legal(table))
    assert {"GRN": 2} == held(table.when(TakeGift(seat=ANN, tokens=("GRN", "GRN"))))


def test_a_gift_of_an_exhausted_supply_is_smaller() -> None:
    """Fewer where the whole supply has fewer, and then nothing is asked."""
    table = table_with(emptied("T7", "T8", "T9"), tokens(BO, **{**dict.fromkeys(COLOURS, 15), "GRY": 14}))
    happened = table.when(tree("T1"), altar("RED"))

    happened.then_includes(TokensGained(seat=ANN, tokens=("GRY",)))
    assert {ANN: "gift"} != asked(happened)


def test_the_last_altar_leaves_no_choice() -> None:
    """Six tiles, six spaces."""
    placed = [on_tree(f"T{number}", altar=colour) for number, colour in enumerate(COLOURS[:5], start=1)]

    table_with(*placed).when(tree("T6")).then_includes(AltarPlaced(seat=ANN, space=TreeSpaceId("T6"), colour="GRN"))


@pytest.mark.parametrize("colour", COLOURS)
def test_an_altar_lies_on_one_space(colour: Colour) -> None:
    """A tile already on the Tree cannot be placed again."""
    table = table_with(on_tree("T1", altar=colour)).when(tree("T6")).after

    table.when(altar(colour)).then_refused("altar_already_placed", colour=colour)
    assert 5 == len(legal(table))


def test_a_tile_stays_over_the_seasons() -> None:
    """The next season's first visitor pays."""
    happened = season_end(on_tree("T2", altar="YEL"))

    assert "YEL" == happened.state().tree[1].altar


def test_the_catalogue_names_the_effects() -> None:
    """Six Altars, then three roots."""
    names = [space.name for space in CATALOGUE.tree]

    assert ["Gift", "Praise", "Omen", "Devotion", "Ward", "Abundance", "Roots", "Roots", "Roots"] == names
