"""Rows and recruits (rules, sections 3.6, 5.4 and 8.5)."""

from __future__ import annotations

import pytest

from events.chance import Chance
from events.nains.commands import ChooseDwarf
from events.nains.events import (
    CardsLookedAt,
    CoinUpgraded,
    DwarfChosen,
    EraShuffled,
    FighterRecruited,
    RecruitLost,
)
from events.nains.vocabulary import ORDERS, CardId, CoinId
from tests.nains.table import (
    ANN,
    RULES,
    SEEDS,
    ann_recruiting,
    ann_takes,
    army,
    bets,
    era_2,
    fields,
    first_choices,
    made,
    opened,
    ranks,
    ranks_of,
    recruit,
    supply,
    take,
)
from tests.spec import Happened, Scenario
from workers.nains.state import Recruit, Svara

BET = "B5", "B4", "B3"


def owed(table: Scenario) -> bool:
    return isinstance(table.state.prompts.get(ANN), Recruit)


def choose(card: str) -> ChooseDwarf:
    return ChooseDwarf(seat=ANN, card=CardId(card))


def test_ruling_44_a_completed_row_gives_exactly_one_recruit() -> None:
    """Four columns wait for a Forge Dwarf."""
    table = ann_recruiting()

    assert owed(table)
    assert not owed(table.when(recruit(ANN, "F11")).after)


def test_ruling_45_a_rewarded_row_gives_nothing_more() -> None:
    """A third Shield rank completes no row."""
    assert not owed(ann_takes("D1-SHI-7", BET, ranks(ANN, 2, 2, 2, 2, 2)).after)


def test_ruling_47_a_recruit_may_complete_two_rows() -> None:
    """Ararun's two ranks give two more recruits, one after the other."""
    table = ann_takes("D1-TEM-1", BET, ranks(ANN, 4, 4, 1, 4, 4)).after
    ararun = table.when(recruit(ANN, "F01", "TEM")).after
    first = ararun.when(recruit(ANN, "F11")).after
    second = first.when(recruit(ANN, "F14")).after

    assert 4 == ranks_of(ararun.state, ANN, "TEM")
    assert [True, True, True, False] == [owed(each) for each in (table, ararun, first, second)]


def test_ruling_48_a_white_rank_completes_no_row() -> None:
    """Boldric goes to the command area."""
    table = ann_takes("D1-TEM-1", BET, ranks(ANN, 3, 3, 1, 3, 3)).after

    assert owed(table)
    assert not owed(table.when(recruit(ANN, "F11")).after)


def test_ruling_49_two_black_ranks_complete_a_row_where_they_are_put() -> None:
    """Zerund in the Temple makes three rows."""
    table = ann_takes("D1-TEM-1", BET, ranks(ANN, 3, 3, 1, 3, 3)).after
    zerund = table.when(recruit(ANN, "F19", "TEM")).after

    assert 4 == ranks_of(zerund.state, ANN, "TEM")
    assert owed(zerund)
    assert not owed(zerund.when(recruit(ANN, "F11")).after)


def test_ruling_51_the_last_card_of_the_supply_must_be_taken() -> None:
    """Only its column is a choice."""
    table = ann_recruiting(supply("M02"))

    assert [recruit(ANN, "M02", order) for order in ORDERS] == RULES.legal_commands(table.state, ANN)


def test_a_last_card_without_a_choice_of_column_is_taken_at_once() -> None:
    """The forced recruit is told like any other."""
    ann_takes("D1-FOR-7", BET, ranks(ANN, 1, 1, 1, 1, 0), supply("F11")).then_includes(
        FighterRecruited(seat=ANN, card=CardId("F11"))
    )


def test_ruling_52_without_a_supply_the_row_counts_as_rewarded() -> None:
    """Nobody can be recruited; the recruit is lost."""
    happened = ann_takes("D1-FOR-7", BET, ranks(ANN, 1, 1, 1, 1, 0), supply()).then_includes(RecruitLost(seat=ANN))

    assert 1 == happened.state().lords[ANN].rewarded
    assert not owed(happened.after)


def test_when_the_supply_runs_dry_all_other_recruits_are_lost() -> None:
    """Three rows, one card."""
    held = army(
        ANN,
        RET=["F08", "D1-RET-1"],
        WAN=["F09", "D1-WAN-6"],
        TEM=["F01", "D1-TEM-1"],
        SHI=["F04", "D2-SHI-3"],
        FOR=["F05"],
        rewarded=0,
    )
    happened = ann_takes("D1-FOR-7", BET, held, supply("F11")).then_includes(
        FighterRecruited(seat=ANN, card=CardId("F11")), RecruitLost(seat=ANN), RecruitLost(seat=ANN)
    )

    assert 3 == happened.state().lords[ANN].rewarded


def test_ruling_53_a_row_counts_by_the_lowest_column() -> None:
    """A Shield Dwarf alone completes nothing; the Forge Dwarf that comes later does."""
    table = made(opened(2, "D1-SHI-7"), ranks(ANN, 2, 2, 2, 1, 1))
    table = table.when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2")), take(ANN, "D1-SHI-7")).after

    assert 1 == min(table.state.lords[ANN].ranks)
    assert not owed(table)

    third = first_choices(table, lambda state: state.tavern == 3 and ANN in state.prompts)
    forge = third.when(take(ANN, "D1-FOR-1")).after

    assert owed(forge)
    assert not owed(forge.when(recruit(ANN, "F11")).after)


def test_ruling_55_svara_and_her_dwarf_may_complete_a_row_together() -> None:
    """Rows are counted after both are placed."""
    table = ann_takes("D1-SHI-7", BET, ranks(ANN, 3, 3, 2, 1, 3), era_2("D2-TEM-1")).after
    svara = table.when(recruit(ANN, "F03", "SHI"))
    chosen = svara.after.when(choose("D2-TEM-1"))

    assert Svara() == svara.state().prompts[ANN]
    assert [DwarfChosen, EraShuffled] == [type(event) for event in chosen.events]
    assert owed(chosen.after)
    assert not owed(chosen.after.when(recruit(ANN, "F11")).after)


def test_ruling_56_svaras_retaliation_dwarf_upgrades_the_coin_bet() -> None:
    """The Bronze 5 becomes a Gold 6."""
    table = ann_recruiting(era_2("D2-RET-7")).when(recruit(ANN, "F03", "SHI")).after
    table.when(choose("D2-RET-7")).then_includes(
        CoinUpgraded(seat=ANN, old=CoinId("B5"), new=CoinId("G6"), place="spot_1")
    )


def test_svaras_wanderer_is_checked_for_a_pariah() -> None:
    """The Order effect applies to what she brings."""
    held = army(ANN, RET=["D1-RET-1"], WAN=["D1-WAN-4"], TEM=["D1-TEM-1"], SHI=["D2-SHI-3"])
    table = ann_recruiting(held, era_2("D2-WAN-4")).when(recruit(ANN, "F03", "SHI")).after

    assert ("D2-WAN-4",) == table.when(choose("D2-WAN-4")).state().lords[ANN].marked


def test_ruling_57_svara_looks_at_fewer_cards_when_fewer_are_left() -> None:
    """Three cards: she sees 3, takes 1, and 2 remain, shuffled."""
    few = era_2("D2-TEM-1", "D2-TEM-2", "D2-WAN-1", only=True)
    table = ann_recruiting(few).when(recruit(ANN, "F03", "SHI"))
    chosen = table.after.when(choose("D2-WAN-1")).then_includes(DwarfChosen(seat=ANN, card=CardId("D2-WAN-1")))

    assert CardsLookedAt(seat=ANN, cards=tuple(map(CardId, ("D2-TEM-1", "D2-TEM-2", "D2-WAN-1")))) in table.events
    assert {"D2-TEM-1", "D2-TEM-2"} == set(chosen.state().decks[1])
    assert EraShuffled(era=2, deck=chosen.state().decks[1]) in chosen.events


@pytest.mark.parametrize("seed", SEEDS, ids=bytes.hex)
def test_ruling_57_the_whole_deck_is_shuffled_after_the_look(seed: bytes) -> None:
    """Chance puts the cards not taken and all below them into a new order, which is recorded."""
    table = ann_recruiting().when(recruit(ANN, "F03", "SHI")).after
    rest = tuple(card for card in table.state.decks[1] if card != table.state.looked[1])
    shuffled = Chance(seed, 0).shuffle(rest)
    happened = table.when(choose(table.state.looked[1]), seed=seed).then_includes(EraShuffled(era=2, deck=shuffled))

    assert 32 == len(rest), "far more than were looked at"
    assert shuffled == happened.state().decks[1]


def test_ruling_57_other_seeds_shuffle_otherwise() -> None:
    """Chance alone decides the order; none leaves the deck as it lay."""
    table = ann_recruiting().when(recruit(ANN, "F03", "SHI")).after
    first = table.state.looked[0]
    decks = [table.when(choose(first), seed=seed).state().decks[1] for seed in SEEDS]

    assert len(SEEDS) == len({table.state.decks[1][1:], *decks}) - 1
    assert 1 == len({frozenset(deck) for deck in decks})


def test_svara_looks_at_five_cards_of_a_full_deck() -> None:
    """The top five, in the order they lie."""
    table = ann_recruiting()
    top = table.state.decks[1][:5]
    table.when(recruit(ANN, "F03", "SHI")).then_includes(CardsLookedAt(seat=ANN, cards=top))


def test_svara_meets_an_empty_deck() -> None:
    """Nothing happens."""
    ann_recruiting(era_2(only=True)).when(recruit(ANN, "F03", "SHI")).then_none(CardsLookedAt)


def last_card() -> Happened:
    alone = era_2("D2-TEM-1", only=True)
    return ann_recruiting(alone, fields(era=2, turn=4)).when(recruit(ANN, "F03", "SHI"))


def test_ruling_103_svara_must_take_the_spare_card() -> None:
    """In the last turn it lies alone in the deck, which is empty then."""
    happened = last_card().then_includes(
        CardsLookedAt(seat=ANN, cards=(CardId("D2-TEM-1"),)), DwarfChosen(seat=ANN, card=CardId("D2-TEM-1"))
    )
    happened.then_none(EraShuffled)

    assert () == happened.state().decks[1]
