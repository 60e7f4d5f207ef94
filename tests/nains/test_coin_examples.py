"""The worked examples of upgrades and exchanges (rules, section 4.6)."""

from __future__ import annotations

from events.nains.commands import UpgradeCoin, UpgradePouchCoin
from events.nains.events import CoinsExchanged, CoinUpgraded, PouchCoinUpgraded
from events.nains.vocabulary import CoinId
from tests.nains.table import (
    ANN,
    BRONZE,
    CATALOGUE,
    Change,
    ann_facing,
    ann_takes,
    coins,
    fields,
    made,
    opened,
    take,
    treasury,
)
from tests.spec import Happened
from workers.nains.state import CoinUp


def after_retaliation(coin: str, *changes: Change) -> tuple[Happened, CoinId]:
    """Take a Retaliation Dwarf with a coin; return what happened, and the coin that lies there then."""
    second, *pouch = [each for each in BRONZE[1:] if each != coin][:3]
    happened = ann_takes("D1-RET-7", (coin, "B0", second), *changes, pouch=pouch)
    return happened, happened.state().lords[ANN].spots[0]


def upgraded_to(coin: str, *changes: Change) -> str:
    happened, new = after_retaliation(coin, *changes)
    happened.then_includes(CoinUpgraded(seat=ANN, old=CoinId(coin), new=new, place="spot_1"))
    return new


def upgraded_by(amount: int, coin: str, *changes: Change) -> str:
    """Use COIN_UP on a coin in hand."""
    others = [each for each in BRONZE if each != coin][:4]
    asked = fields(phase="evaluation", agenda=((ANN, CoinUp(by=amount)),))
    table = made(opened(3), *changes, coins(ANN, coin, *others), asked)
    happened = table.when(UpgradeCoin(seat=ANN, coin=CoinId(coin), place="hand"))
    new = next(CoinId(each) for each in happened.state().lords[ANN].hand if each not in others)
    happened.then_includes(CoinUpgraded(seat=ANN, old=CoinId(coin), new=new, place="hand"))
    return new


def exchange(lower: str, higher: str, *changes: Change) -> Happened:
    """Take a card with the 0 coin and these coins in the pouch."""
    others = [each for each in BRONZE[1:] if each not in (lower, higher)][:2]
    return ann_takes("D1-FOR-7", ("B0", *others), *changes, pouch=(lower, higher))


def exchanged(kept: str, given: str, new: str) -> CoinsExchanged:
    return CoinsExchanged(seat=ANN, kept=CoinId(kept), given=CoinId(given), new=CoinId(new))


def pouch_of(happened: Happened) -> tuple[str, ...]:
    pouch: tuple[str, ...] = happened.state().lords[ANN].pouch
    return pouch


def in_treasury(happened: Happened, gold: str) -> int:
    copies: int = happened.state().treasury[CATALOGUE.gold.index(CoinId(gold))]
    return copies


def test_example_c1_bronze_2_becomes_gold_5() -> None:
    """There is no Gold 3 or 4; the Bronze coin is gone for good."""
    happened, new = after_retaliation("B2")

    assert new == "G5"
    assert in_treasury(happened, "G5") == 1
    assert "B2" not in happened.state().lords[ANN].coins


def test_example_c2_bronze_3_becomes_gold_5() -> None:
    """The next higher coin is meant, not the exact value."""
    assert upgraded_to("B3") == "G5"


def test_example_c3_bronze_4_becomes_gold_5() -> None:
    """The exact value is there."""
    assert upgraded_to("B4") == "G5"


def test_example_c4_bronze_5_becomes_gold_6() -> None:
    """A coin of the same value is never taken."""
    assert upgraded_to("B5") == "G6"


def test_example_c5_bronze_4_skips_the_missing_5() -> None:
    """A missing value moves the Lord up."""
    assert upgraded_to("B4", treasury(without=["G5"])) == "G6"


def test_example_c6_bronze_2_skips_all_missing_values() -> None:
    """The lowest coin at or above the target is taken, however far it is."""
    assert upgraded_to("B2", treasury(without=["G5", "G6"])) == "G7"


def test_example_c7_gold_14_becomes_15_and_returns() -> None:
    """A Gold coin given up goes back to the Treasury."""
    happened, new = after_retaliation("G14")

    assert new == "G15"
    assert in_treasury(happened, "G14") == 2
    assert in_treasury(happened, "G15") == 0


def test_example_c8_gold_14_becomes_17_when_15_and_16_are_gone() -> None:
    """Gold is skipped like Bronze."""
    assert upgraded_to("G14", treasury(without=["G15", "G16"])) == "G17"


def test_example_c9_gold_11_up_by_7_becomes_18() -> None:
    """A larger step follows the same rule."""
    assert upgraded_by(7, "G11") == "G18"


def test_example_c10_gold_9_up_by_5_becomes_15_when_both_14s_are_gone() -> None:
    """A larger step skips missing values too."""
    assert upgraded_by(5, "G9", treasury(without=["G14"])) == "G15"


def test_example_c11_gold_20_up_by_7_becomes_25() -> None:
    """With nothing at or above the target, the highest below it is taken."""
    assert upgraded_by(7, "G20") == "G25"


def test_example_c12_gold_25_becomes_24() -> None:
    """The value given is forbidden, even if that makes the upgrade a loss."""
    assert upgraded_to("G25") == "G24"


def test_example_c13_gold_14_becomes_13_when_nothing_higher_is_left() -> None:
    """The other coin of 14 is forbidden."""
    assert upgraded_to("G14", treasury(without=[f"G{value}" for value in range(15, 26)])) == "G13"


def test_example_c14_gold_24_becomes_23_when_25_is_gone() -> None:
    """The 24 just given is forbidden."""
    assert upgraded_to("G24", treasury(without=["G25"])) == "G23"


def test_example_c15_exchange_of_bronze_2_and_3() -> None:
    """The higher one goes to the box."""
    happened = exchange("B2", "B3").then_includes(exchanged("B2", "B3", "G5"))

    assert pouch_of(happened) == ("B2", "G5")


def test_example_c16_exchange_of_bronze_4_and_5() -> None:
    """The sum is the target."""
    happened = exchange("B4", "B5").then_includes(exchanged("B4", "B5", "G9"))

    assert pouch_of(happened) == ("B4", "G9")


def test_example_c17_exchange_of_bronze_2_and_gold_8_without_a_10() -> None:
    """The 8 returns, and a missing value moves up."""
    happened = exchange("B2", "G8", treasury(without=["G10"])).then_includes(exchanged("B2", "G8", "G11"))

    assert pouch_of(happened) == ("B2", "G11")
    assert in_treasury(happened, "G8") == 2


def test_example_c18_exchange_of_gold_12_and_13() -> None:
    """The highest coin can be reached by an exchange."""
    happened = exchange("G12", "G13").then_includes(exchanged("G12", "G13", "G25"))

    assert pouch_of(happened) == ("G12", "G25")


def test_example_c19_exchange_of_gold_12_and_13_when_25_is_gone() -> None:
    """With nothing at or above the sum, the highest below it is taken."""
    happened = exchange("G12", "G13", treasury(without=["G25"])).then_includes(exchanged("G12", "G13", "G24"))

    assert pouch_of(happened) == ("G12", "G24")


def test_example_c20_exchange_beyond_the_highest_coin() -> None:
    """A sum above all coins gives the highest."""
    happened = exchange("G13", "G15").then_includes(exchanged("G13", "G15", "G25"))

    assert pouch_of(happened) == ("G13", "G25")


def test_example_c21_exchange_of_the_two_highest_coins_is_a_loss() -> None:
    """The 25 just given is forbidden, and the 24 is kept."""
    happened = exchange("G24", "G25").then_includes(exchanged("G24", "G25", "G23"))

    assert pouch_of(happened) == ("G23", "G24")


def test_example_c22_exchange_of_equal_coins_gives_up_bronze() -> None:
    """Of two equal coins the Bronze one goes."""
    happened = exchange("G5", "B5").then_includes(exchanged("G5", "B5", "G10"))

    assert pouch_of(happened) == ("G5", "G10")


def retaliation_with_exchange(chosen: str) -> Happened:
    table = ann_facing("D1-RET-7", ("B0", "B3", "B4"), pouch=("B2", "B5"))
    return table.when(take(ANN, "D1-RET-7"), UpgradePouchCoin(seat=ANN, coin=CoinId(chosen)))


def test_example_c23_pouch_5_upgraded_before_the_exchange() -> None:
    """The upgrade counts in the sum of the exchange."""
    happened = retaliation_with_exchange("B5").then_includes(
        PouchCoinUpgraded(seat=ANN, old=CoinId("B5"), new=CoinId("G6")), exchanged("B2", "G6", "G8")
    )

    assert pouch_of(happened) == ("B2", "G8")


def test_example_c24_pouch_2_upgraded_before_the_exchange() -> None:
    """Upgrading the lower coin makes both equal, and the Bronze one goes."""
    happened = retaliation_with_exchange("B2").then_includes(
        PouchCoinUpgraded(seat=ANN, old=CoinId("B2"), new=CoinId("G5")), exchanged("G5", "B5", "G10")
    )

    assert pouch_of(happened) == ("G5", "G10")


def test_example_c25_a_coin_is_kept_when_the_treasury_offers_nothing_else() -> None:
    """Only coins of the forbidden value are left."""
    assert upgraded_to("B5", treasury(only=["G5"])) == "B5"
