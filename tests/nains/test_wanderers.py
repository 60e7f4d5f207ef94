"""Pariah markers (rules, sections 3.5, 5.4 and 8.4)."""

from __future__ import annotations

from events.nains.commands import ReturnMarkers
from events.nains.events import MarkersReturned, PariahMarked
from events.nains.vocabulary import CardId
from tests.nains.table import (
    ANN,
    CATALOGUE,
    Change,
    ann_recruiting,
    ann_takes,
    army,
    ranks_of,
    recruit,
    score,
)
from tests.spec import Scenario
from workers.nains.scoring import malt_icons
from workers.nains.state import Unmark


def column(*wanderers: str, marked: tuple[str, ...] = ()) -> Change:
    """Give Ann these Wanderers, and a card of each other Order but the Forge."""
    return army(ANN, RET=["D1-RET-1"], WAN=wanderers, TEM=["D1-TEM-1"], SHI=["D2-SHI-3"], marked=marked)


def marked(card: str) -> PariahMarked:
    return PariahMarked(seat=ANN, card=CardId(card))


def wanderers(table: Scenario) -> int:
    return score(table.state.lords[ANN])["wanderers"]


def test_ruling_36_a_second_8_is_a_pariah_with_rank_and_icon() -> None:
    """The column is worth 8, has 2 ranks, and the Malt icon still counts."""
    happened = ann_takes("D1-WAN-3", ("B5", "B4", "B3"), army(ANN, WAN=["D1-WAN-4"]))
    happened.then_includes(marked("D1-WAN-3"))

    assert 8 == wanderers(happened.after)
    assert 2 == ranks_of(happened.state(), ANN, "WAN")
    assert 1 == malt_icons(CATALOGUE, happened.state().lords[ANN])


def test_ruling_37_a_third_8_is_a_pariah_too() -> None:
    """Newcomers are compared with marked cards as well."""
    held = army(ANN, WAN=["D1-WAN-4", "D2-WAN-4"], marked=["D2-WAN-4"])
    happened = ann_takes("D1-WAN-3", ("B5", "B4", "B3"), held).then_includes(marked("D1-WAN-3"))

    assert 8 == wanderers(happened.after)


def test_a_newcomer_is_compared_with_a_column_of_pariahs() -> None:
    """A marker does not take a card's points out of the comparison."""
    ann_takes("D1-WAN-3", ("B5", "B4", "B3"), army(ANN, WAN=["D2-WAN-4"], marked=["D2-WAN-4"])).then_includes(
        marked("D1-WAN-3")
    )


def test_ruling_39_a_dwarf_is_compared_with_a_black_rank() -> None:
    """The Dwarf of 7 is marked, Kragga is not; the column is worth 7."""
    happened = ann_takes("D1-WAN-2", ("B5", "B4", "B3"), army(ANN, WAN=["F18"])).then_includes(marked("D1-WAN-2"))

    assert ("D1-WAN-2",) == happened.state().lords[ANN].marked
    assert 7 == wanderers(happened.after)


def test_ruling_40_a_black_rank_is_never_a_pariah() -> None:
    """Kragga comes to a Dwarf of 7."""
    ann_recruiting(column("D1-WAN-2")).when(recruit(ANN, "F18", "WAN")).then_none(PariahMarked)


def test_ruling_41_a_mercenary_can_be_a_pariah() -> None:
    """The Hired Axe comes to Nalbek; both have 5 points."""
    ann_recruiting(column("F09")).when(recruit(ANN, "M01", "WAN")).then_includes(marked("M01"))


def test_a_coloured_fighter_can_be_a_pariah() -> None:
    """Nalbek comes to the Hired Axe."""
    ann_recruiting(column("M01")).when(recruit(ANN, "F09", "WAN")).then_includes(marked("F09"))


def test_a_card_without_points_is_never_a_pariah() -> None:
    """The Veiled Scout comes to Zerund."""
    ann_recruiting(column("F19")).when(recruit(ANN, "M03", "WAN")).then_none(PariahMarked)


def test_ruling_43_nalbek_frees_none_one_or_both() -> None:
    """Both freed adds 16, beside his own 5."""
    held = column("D1-WAN-6", "D2-WAN-6", "D1-WAN-1", "D2-WAN-1", marked=("D2-WAN-6", "D2-WAN-1"))
    before = ann_recruiting(held)
    table = before.when(recruit(ANN, "F09", "WAN")).after

    assert Unmark(most=2) == table.state.prompts[ANN]
    gained = {
        cards: wanderers(
            table.when(ReturnMarkers(seat=ANN, cards=tuple(map(CardId, cards))))
            .then_includes(MarkersReturned(seat=ANN, cards=tuple(map(CardId, cards))))
            .after
        )
        - wanderers(before)
        for cards in ((), ("D2-WAN-6",), ("D2-WAN-1",), ("D2-WAN-6", "D2-WAN-1"))
    }

    assert {
        (): 5,
        ("D2-WAN-6",): 5 + 10,
        ("D2-WAN-1",): 5 + 6,
        ("D2-WAN-6", "D2-WAN-1"): 5 + 16,
    } == gained


def test_nalbek_may_free_himself() -> None:
    """A marker just placed on him may be returned; he is compared with later newcomers all the same."""
    table = ann_recruiting(column("M01")).when(recruit(ANN, "F09", "WAN")).after
    freed = table.when(ReturnMarkers(seat=ANN, cards=(CardId("F09"),)))

    assert () == freed.state().lords[ANN].marked


def test_with_nothing_to_free_nalbek_asks_nothing() -> None:
    """The effect is told all the same."""
    ann_recruiting(column("D1-WAN-6")).when(recruit(ANN, "F09", "WAN")).then_includes(
        MarkersReturned(seat=ANN, cards=())
    )
