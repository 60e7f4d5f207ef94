"""Order of play, ties and gems (rules, sections 3.4, 3.8 and 8.2)."""

from __future__ import annotations

from collections.abc import Sequence

from events.nains.events import CoinsExchanged, CoinUpgraded, DwarfTaken, GemsExchanged
from events.nains.vocabulary import CardId, CoinId
from tests.nains.table import ANN, BO, CY, DI, bets, first_choices, opened, take
from tests.spec import Scenario


def after_bets(gems: Sequence[int], *first: str) -> Scenario:
    """Return a table whose first tavern was revealed with these coins; all other bets differ as far as they can."""
    rest = [[coin for coin in ("B2", "B3", "B4", "B5") if coin != bet][:2] for bet in first]
    return opened(len(first), gems=gems).when(*bets(*((bet, *two) for bet, two in zip(first, rest, strict=True)))).after


def gems_afterwards(table: Scenario) -> tuple[int, ...]:
    """Return the gems in seat order once the first tavern is resolved."""
    return tuple(lord.gem for lord in first_choices(table, lambda state: state.tavern == 2).state.lords)


def test_ruling_12_the_higher_gem_goes_first_and_is_exchanged() -> None:
    """Equal coins: the gem decides, then they swap; who did not tie keeps the gem."""
    table = after_bets((4, 5, 3), "B5", "B5", "B3")

    assert (BO, ANN, CY) == table.state.order
    assert (5, 4, 3) == gems_afterwards(table)


def test_ruling_13_two_lords_who_tie_swap_gems() -> None:
    """Gems 5 and 3."""
    assert (3, 4, 5) == gems_afterwards(after_bets((5, 4, 3), "B4", "B3", "B4"))


def test_ruling_15_three_who_tie_swap_the_ends_and_the_middle_stays() -> None:
    """The Lord with gem 4 did not tie."""
    assert (2, 4, 3, 5) == gems_afterwards(after_bets((5, 4, 3, 2), "B4", "B5", "B4", "B4"))


def test_ruling_16_four_who_tie_swap_in_two_pairs() -> None:
    """5 with 2 and 4 with 3."""
    assert (2, 3, 4, 5) == gems_afterwards(after_bets((5, 4, 3, 2), "B4", "B4", "B4", "B4"))


def test_ruling_17_five_who_tie_swap_in_two_pairs_and_the_middle_stays() -> None:
    """5 with 1 and 4 with 2."""
    assert (1, 2, 3, 4, 5) == gems_afterwards(after_bets((5, 4, 3, 2, 1), "B4", "B4", "B4", "B4", "B4"))


def test_two_groups_of_ties_are_independent() -> None:
    """Each group swaps its own gems."""
    table = after_bets((5, 4, 3, 2), "B5", "B2", "B2", "B5")

    assert ((ANN, DI), (BO, CY)) == table.state.tied
    assert (2, 3, 4, 5) == gems_afterwards(table)


def test_ruling_19_a_second_tie_is_decided_by_the_exchanged_gems() -> None:
    """Bo plays first at the second tavern, and the gems go back."""
    table = opened(2, gems=(5, 4)).when(*bets(("B5", "B4", "B3"), ("B5", "B4", "B2"))).after
    second = first_choices(table, lambda state: state.tavern == 2)
    third = first_choices(second, lambda state: state.tavern == 3)

    assert (ANN, BO) == table.state.order
    assert (BO, ANN) == second.state.order
    assert [5, 4] == [lord.gem for lord in third.state.lords]


def test_ruling_20_an_upgraded_coin_changes_neither_order_nor_tie() -> None:
    """Bo still plays next and the gems are still exchanged."""
    table = opened(2, "D1-RET-7", gems=(5, 4)).when(*bets(("B4", "B5", "B3"), ("B4", "B2", "B5"))).after
    happened = table.when(take(ANN, "D1-RET-7")).then(
        DwarfTaken(seat=ANN, card=CardId("D1-RET-7")),
        CoinUpgraded(seat=ANN, old=CoinId("B4"), new=CoinId("G5"), place="spot_1"),
    )

    assert [BO] == list(happened.state().prompts)
    happened.after.when(take(BO, happened.state().open_tavern[0])).then_includes(GemsExchanged(seats=(ANN, BO)))


def test_ruling_21_two_exchange_coins_tie() -> None:
    """Gem order, both exchanges in that order, then the gems."""
    table = opened(2, gems=(4, 5)).when(*bets(("B0", "B2", "B3"), ("B0", "B4", "B5"))).after
    bo = table.when(take(BO, table.state.open_tavern[0])).then_includes(
        CoinsExchanged(seat=BO, kept=CoinId("B2"), given=CoinId("B3"), new=CoinId("G5"))
    )
    bo.after.when(take(ANN, bo.state().open_tavern[0])).then_includes(
        CoinsExchanged(seat=ANN, kept=CoinId("B4"), given=CoinId("B5"), new=CoinId("G9")),
        GemsExchanged(seats=(BO, ANN)),
    )


def test_ruling_23_without_a_tie_no_gem_moves() -> None:
    """All coins differ."""
    table = after_bets((5, 4, 3), "B5", "B4", "B3")

    assert () == table.state.tied
    assert (5, 4, 3) == gems_afterwards(table)
