"""What Lords are worth (rules, sections 6 and 8.8)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.nains.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    RULES,
    bets,
    fields,
    first_choices,
    lord,
    lord_of,
    made,
    opened,
    score,
)
from workers.nains.scoring import PARTS, shield_worth
from workers.nains.state import Lord, NainsOptions

WHOLE = lord(
    RET=["D1-RET-4", "D1-RET-7", "D2-RET-3", "D2-RET-4"],
    WAN=["D1-WAN-3", "D1-WAN-6", "D2-WAN-6", "F10"],
    TEM=["D1-TEM-1", "D1-TEM-4", "D2-TEM-4", "F01"],
    SHI=["D1-SHI-1", "D1-SHI-3", "D1-SHI-4", "D2-SHI-2", "D2-SHI-5"],
    FOR=["D1-FOR-1", "D1-FOR-4", "D2-FOR-5", "M04"],
    command=["F12", "E-WAN", "CERT"],
    marked=["D2-WAN-6"],
    held=["B0", "G5", "G9", "G11", "G14"],
)
"""The Lord of section 6.3."""

SEVEN_SHIELDS = ("D1-SHI-1", "D1-SHI-2", "D1-SHI-3", "D1-SHI-4", "D1-SHI-5", "D1-SHI-6", "D1-SHI-7")
SIX_RUNES = ("D1-FOR-1", "D1-FOR-3", "D1-FOR-5", "D1-FOR-6", "D2-FOR-3", "D2-FOR-5")


def test_example_6_2_retaliation_is_the_sum() -> None:
    """6, 8, 6 and 7."""
    assert 27 == score(lord(RET=["D1-RET-4", "D1-RET-7", "D2-RET-3", "D2-RET-4"]))["retaliation"]


def test_example_6_2_wanderers_leave_out_marked_cards() -> None:
    """8, a marked 8, and 12."""
    assert 20 == score(lord(WAN=["D1-WAN-3", "D1-WAN-4", "D1-WAN-8"], marked=["D1-WAN-4"]))["wanderers"]


@pytest.mark.parametrize(
    ("temple", "worth"),
    [
        (("D1-TEM-1", "D1-TEM-4", "F01", "F18"), 19),
        (("D1-TEM-1", "D1-TEM-2", "F02"), 0),
        (("D1-TEM-4", "D1-TEM-5", "M01"), 14),
        ((), 0),
    ],
)
def test_example_6_2_temple_is_multiplied_by_hidden_icons(temple: Sequence[str], worth: int) -> None:
    """Black ranks are added afterwards, Mercenaries are multiplied."""
    assert worth == score(lord(TEM=temple))["temple"]


@pytest.mark.parametrize(("more", "worth"), [((), 63), (("F18",), 82)])
def test_example_6_2_shield_goes_by_the_table(more: Sequence[str], worth: int) -> None:
    """Seven Dwarfs and Hjorgrim have nine ranks; Kragga adds one, and his points."""
    assert worth == score(lord(SHI=[*SEVEN_SHIELDS, "F04", *more]))["shield"]


@pytest.mark.parametrize(
    ("forge", "command", "worth"),
    [
        (("D1-FOR-1", "D1-FOR-2", "D1-FOR-3"), (), 11),
        ((*SIX_RUNES, "F06"), (), 70),
        ((), ("F15", "E-FOR"), 4),
    ],
)
def test_example_6_2_forge_adds_the_square_of_its_runes(
    forge: Sequence[str], command: Sequence[str], worth: int
) -> None:
    """Different runes count wherever they are, even without a Forge card."""
    assert worth == score(lord(FOR=forge, command=command))["forge"]


def test_example_6_2_essa_counts_the_gem() -> None:
    """Gem 5."""
    assert 19 == score(replace(lord(command=["F17"]), gem=5))["command_area"]


def test_example_6_3_a_whole_lord() -> None:
    """All eight parts of one Lord."""
    expected = dict(zip(PARTS, (27, 32, 21, 25, 27, 20, 18, 39), strict=True))

    assert expected == score(WHOLE)
    assert (4, 4, 5, 5, 4) == WHOLE.ranks


def test_ruling_75_the_temple_needs_a_hidden_icon_anywhere() -> None:
    """3, 2 and Fey are worth nothing; with Yrsael in the Shield column they are worth 10."""
    temple = ["D1-TEM-1", "D1-TEM-2", "F02"]

    assert 0 == score(lord(TEM=temple))["temple"]
    assert 10 == score(lord(TEM=temple, SHI=["F20"]))["temple"]


def test_ruling_76_a_black_rank_multiplies_but_is_not_multiplied() -> None:
    """3, Fey and Yrsael."""
    assert 10 == score(lord(TEM=["D1-TEM-1", "F02", "F20"]))["temple"]


def test_ruling_77_a_black_rank_is_worth_its_points_without_an_icon() -> None:
    """3 and Kragga."""
    assert 7 == score(lord(TEM=["D1-TEM-1", "F18"]))["temple"]


def test_ruling_79_a_mercenary_adds_its_points_to_the_shield() -> None:
    """One Dwarf and the Hired Axe."""
    assert 7 + 5 == score(lord(SHI=["D1-SHI-3", "M01"]))["shield"]


def test_ruling_80_equal_runes_count_once() -> None:
    """R1, R1 and R2."""
    assert 11 == score(lord(FOR=["D1-FOR-1", "D1-FOR-2", "D1-FOR-3"]))["forge"]


def test_ruling_81_six_runes_and_the_crown() -> None:
    """16 points on Dwarfs, 5 of Ulvda, 7 runes."""
    assert 70 == score(lord(FOR=[*SIX_RUNES, "F06"]))["forge"]


def test_ruling_83_a_rune_on_a_mercenary_is_no_second_one() -> None:
    """A Dwarf and the Rune Pedlar, both R3."""
    assert 3 + 2 + 1 == score(lord(FOR=["D1-FOR-5", "M04"]))["forge"]


def test_ruling_84_the_certification_counts_all_malt_icons() -> None:
    """Six, two of them in the command area."""
    malt = lord(RET=["D1-RET-1", "D1-RET-2", "D1-RET-3", "D2-RET-1"], command=["E-WAN", "CERT"])

    assert 18 == score(malt)["certification"]
    assert 6 == score(malt)["command_area"]


def test_ruling_85_the_malt_icon_of_a_pariah_counts() -> None:
    """A marker cancels points only."""
    malt = lord(WAN=["D1-WAN-4", "D1-WAN-3"], marked=["D1-WAN-3"], command=["CERT"])

    assert 3 == score(malt)["certification"]


def test_without_the_certification_malt_icons_are_worth_nothing() -> None:
    """The part is 0."""
    assert 0 == score(lord(RET=["D1-RET-1"]))["certification"]


@pytest.mark.parametrize(("gem", "worth"), [(1, 7), (5, 19)])
def test_ruling_87_essa_counts_the_gem_held_at_the_end(gem: int, worth: int) -> None:
    """4 and 3 times the gem."""
    assert worth == score(replace(lord(command=["F17"]), gem=gem))["command_area"]


def test_ruling_87_the_last_gem_exchange_counts() -> None:
    """Both tie at the last tavern of the last turn, and Ann gives her gem 5 for 4."""
    table = made(opened(2), fields(era=2, turn=4), lord_of(ANN, command_area=("F17",)))
    table = table.when(*bets(("B4", "B5", "B3"), ("B5", "B4", "B3"))).after
    over = first_choices(table, lambda _: False)
    outcome = RULES.outcome(over.state)

    assert outcome is not None
    assert 4 + 3 * 4 == outcome.scores[ANN].parts["command_area"]


def test_ruling_88_the_whole_lord_is_worth_209() -> None:
    """The sum of the eight parts."""
    assert 209 == sum(score(WHOLE).values())


def ranking(*lords: Lord, options: NainsOptions | None = None) -> object:
    table = made(opened(len(lords), options=options), fields(phase="over", lords=lords))
    outcome = RULES.outcome(table.state)
    assert outcome is not None
    return outcome.ranking


RICHER = replace(WHOLE, hand=("B0", "G5", "G11", "G12", "G14"), gem=4)
POORER = replace(WHOLE, hand=("B0", "B5", "G5", "G11", "G14"), gem=5)


def test_ruling_89_equal_values_share_the_victory_and_the_next_place_counts_on() -> None:
    """212, 212 and 205."""
    assert (212, 205) == (sum(score(RICHER).values()), sum(score(POORER).values()))
    assert ((ANN, CY), (BO,)) == ranking(RICHER, POORER, replace(RICHER, gem=3))


def test_the_higher_gem_wins_if_that_was_agreed() -> None:
    """The option breaks every tie, since gems differ."""
    decisive = NainsOptions(tie_break="gem")

    assert ((CY,), (ANN,), (BO,)) == ranking(replace(RICHER, gem=3), POORER, RICHER, options=decisive)


def test_the_shield_table_goes_on_beyond_its_end() -> None:
    """The formula of the table continues it."""
    assert [0, 3, 250, 21 * 26 // 2, 33 * 38 // 2] == [shield_worth(CATALOGUE, ranks) for ranks in (0, 1, 20, 21, 33)]


def test_nothing_is_over_before_the_end() -> None:
    """There is no outcome while the game goes on."""
    assert RULES.outcome(opened(2).state) is None
