"""Retaliation Dwarfs, exchanges and upgrades (rules, sections 3.5, 4 and 8.3)."""

from __future__ import annotations

from events.nains.commands import ChooseDwarf, UpgradeCoin, UpgradePouchCoin
from events.nains.events import CoinsExchanged, CoinUpgraded, DwarfTaken, PouchCoinUpgraded
from events.nains.vocabulary import CardId, CoinId, Place
from tests.nains.table import (
    ANN,
    BO,
    CY,
    DI,
    ann_recruiting,
    ann_takes,
    bets,
    coins,
    copies,
    era_2,
    first_choices,
    made,
    opened,
    ranks,
    recruit,
    take,
)
from tests.spec import Happened
from workers.nains.state import NainsState, PouchUp


def upgrade(coin: str, place: Place) -> UpgradeCoin:
    return UpgradeCoin(seat=ANN, coin=CoinId(coin), place=place)


def upgraded(coin: str, new: str, place: Place) -> CoinUpgraded:
    return CoinUpgraded(seat=ANN, old=CoinId(coin), new=CoinId(new), place=place)


def test_ruling_24_a_retaliation_dwarf_upgrades_the_coin_bet() -> None:
    """Gold 5 lies on that spot; the Bronze 2 is in the box."""
    happened = ann_takes("D1-RET-7", ("B2", "B4", "B3")).then_includes(
        DwarfTaken(seat=ANN, card=CardId("D1-RET-7")), upgraded("B2", "G5", "spot_1")
    )

    assert ("G5", "B4", "B3") == happened.state().lords[ANN].spots


def test_ruling_25_the_last_5_is_taken_and_the_next_lord_gets_a_6() -> None:
    """Both give a Bronze 3, one after the other."""
    table = made(opened(2, "D1-RET-6", "D1-RET-7"), copies("G5", 1))
    table = table.when(*bets(("B3", "B4", "B5"), ("B3", "B4", "B5"))).after
    first = table.when(take(ANN, "D1-RET-7")).then_includes(upgraded("B3", "G5", "spot_1"))
    first.after.when(take(BO, "D1-RET-6")).then_includes(
        CoinUpgraded(seat=BO, old=CoinId("B3"), new=CoinId("G6"), place="spot_1")
    )


def test_ruling_27_the_trade_coin_is_never_upgraded_and_exchanges() -> None:
    """A pouch coin goes up instead, then the exchange follows."""
    table = ann_takes("D1-RET-7", ("T3", "B4", "B5"), pouch=("B2", "B3")).after
    happened = table.when(UpgradePouchCoin(seat=ANN, coin=CoinId("B3"))).then_includes(
        PouchCoinUpgraded(seat=ANN, old=CoinId("B3"), new=CoinId("G5")),
        CoinsExchanged(seat=ANN, kept=CoinId("B2"), given=CoinId("G5"), new=CoinId("G7")),
    )

    assert "T3" == happened.state().lords[ANN].spots[0]


def test_ruling_28_the_0_coin_in_the_pouch_is_never_upgraded() -> None:
    """Only the coin on the spot changes, and no pouch coin is asked for."""
    happened = ann_takes("D1-RET-7", ("B4", "B3", "B5")).then_includes(upgraded("B4", "G5", "spot_1"))

    assert {} == {seat: each for seat, each in happened.state().prompts.items() if isinstance(each, PouchUp)}
    assert ("B0", "B2") == happened.state().lords[ANN].pouch


def test_ruling_29_two_exchanges_for_the_last_9() -> None:
    """The first takes it, the second gets a 10."""
    table = made(opened(2), copies("G9", 1)).when(*bets(("B0", "B2", "B3"), ("B0", "B2", "B3"))).after
    first = table.when(take(ANN, table.state.open_tavern[0])).then_includes(
        CoinsExchanged(seat=ANN, kept=CoinId("B4"), given=CoinId("B5"), new=CoinId("G9"))
    )
    first.after.when(take(BO, first.state().open_tavern[0])).then_includes(
        CoinsExchanged(seat=BO, kept=CoinId("B4"), given=CoinId("B5"), new=CoinId("G10"))
    )


def test_ruling_31_upgrading_a_bet_face_down_raises_that_bet() -> None:
    """Gold 8 lies face down on the third tavern and is what is revealed there."""
    table = ann_recruiting(bet=("B5", "B3", "B4")).when(recruit(ANN, "F07", "RET")).after
    happened = table.when(upgrade("B4", "spot_3")).then_includes(upgraded("B4", "G8", "spot_3"))
    third = first_choices(happened.after, lambda state: state.tavern == 3)

    assert "G8" == happened.state().lords[ANN].spots[2]
    assert ANN == third.state.order[0]


def ann_raises_her_5(bo: str) -> Happened:
    """Let Ann bet Bronze 5 on the first tavern, Bo a coin, Cy and Di less, and Ann raise hers by 3 as she recruits."""
    table = made(
        opened(4, "D1-FOR-7", gems=(5, 4, 3, 2)), ranks(ANN, 1, 1, 1, 1, 0), coins(BO, "B0", "B2", "B3", "B4", bo)
    )
    table = table.when(*bets(("B5", "B4", "B3"), (bo, "B3", "B2"), ("B3", "B5", "B4"), ("B2", "B4", "B5"))).after
    table = first_choices(table, lambda state: ANN in state.prompts)
    table = table.when(take(ANN, "D1-FOR-7"), recruit(ANN, "F21", "SHI")).after
    return table.when(upgrade("B5", "spot_1")).then_includes(upgraded("B5", "G8", "spot_1"))


def second_tavern(happened: Happened) -> NainsState:
    """Return the state as the second tavern was revealed."""
    state: NainsState = first_choices(happened.after, lambda state: state.tavern == 2).state
    return state


def test_ruling_32_upgrading_the_coin_being_resolved_ends_no_tie() -> None:
    """Ann and Bo tied with 5, so Bo still plays before Cy and the two still exchange gems."""
    happened = ann_raises_her_5("B5")

    assert ((ANN, BO, CY, DI), ((ANN, BO),)) == (happened.state().order, happened.state().tied)
    assert [BO] == list(happened.state().prompts)
    assert [4, 5, 3, 2] == [lord.gem for lord in second_tavern(happened).lords]


def test_ruling_32_upgrading_the_coin_being_resolved_makes_no_tie() -> None:
    """Ann raised her 5 to the 8 of Bo, who played before her; no gem moves, though hers is higher."""
    happened = ann_raises_her_5("G8")

    assert ((BO, ANN, CY, DI), ()) == (happened.state().order, happened.state().tied)
    assert [CY] == list(happened.state().prompts)
    assert [5, 4, 3, 2] == [lord.gem for lord in second_tavern(happened).lords]


def test_ruling_33_gold_25_is_lowered_to_24() -> None:
    """The upgrade is mandatory even when it is a loss."""
    ann_takes("D1-RET-7", ("G25", "B4", "B3"), pouch=("B0", "B2")).then_includes(upgraded("G25", "G24", "spot_1"))


def test_ruling_35_only_dwarfs_of_the_retaliation_upgrade_coins() -> None:
    """Neither Kragga nor the Hired Axe does, placed in that column."""
    for card in ("F18", "M01"):
        ann_recruiting().when(recruit(ANN, card, "RET")).then_none(CoinUpgraded)


def test_ruling_101_svara_with_the_0_coin_upgrades_before_the_exchange() -> None:
    """The 3 becomes a Gold 5; after all recruits the exchange counts 5 + 5 and gives up the Bronze one."""
    table = ann_recruiting(era_2("D2-RET-7"), bet=("B0", "B2", "B4"))
    asked = table.when(recruit(ANN, "F03", "SHI"), ChooseDwarf(seat=ANN, card=CardId("D2-RET-7"))).then_none(
        CoinUpgraded
    )
    happened = asked.after.when(UpgradePouchCoin(seat=ANN, coin=CoinId("B3"))).then_includes(
        PouchCoinUpgraded(seat=ANN, old=CoinId("B3"), new=CoinId("G5")),
        CoinsExchanged(seat=ANN, kept=CoinId("G5"), given=CoinId("B5"), new=CoinId("G10")),
    )

    assert ("G5", "G10") == happened.state().lords[ANN].pouch
