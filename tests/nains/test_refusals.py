"""What the rules say no to, by which code (rules, section 3.12, Illegal input)."""

from __future__ import annotations

import pytest

from events.messages import Seat
from events.nains.commands import ChooseDwarf, DiscardDwarf, PlaceBets, ReturnMarkers, UpgradeCoin, UpgradePouchCoin
from events.nains.vocabulary import CardId, CoinId, Place
from tests.nains.table import (
    ANN,
    BO,
    ann_facing,
    ann_recruiting,
    ann_takes,
    army,
    bets,
    fields,
    made,
    opened,
    recruit,
    supply,
    take,
)
from tests.spec import Scenario


def bet(*coins: str, seat: int = ANN) -> PlaceBets:
    return PlaceBets(seat=Seat(seat), coins=tuple(map(CoinId, coins)))


def freeing(*cards: str) -> ReturnMarkers:
    return ReturnMarkers(seat=ANN, cards=tuple(map(CardId, cards)))


def marked_cards() -> Scenario:
    """Ann may free two of three marked cards."""
    held = army(
        ANN,
        RET=["D1-RET-1"],
        WAN=["D1-WAN-3", "D1-WAN-4", "D2-WAN-4", "D1-WAN-6", "D2-WAN-6"],
        marked=["D1-WAN-4", "D2-WAN-4", "D2-WAN-6"],
        TEM=["D1-TEM-1"],
        SHI=["D2-SHI-3"],
    )
    return ann_recruiting(held).when(recruit(ANN, "F09", "WAN")).after


@pytest.mark.parametrize("coins", [(), ("B2",), ("B2", "B3"), ("B2", "B3", "B4", "B5")])
def test_bet_incomplete(coins: tuple[str, ...]) -> None:
    """All three spots are filled, no more."""
    opened(2).when(bet(*coins)).then_refused("bet_incomplete", spots=3)


@pytest.mark.parametrize("coin", ["G5", "T3", "B1", "", "B-1", "\0", "G99"])
def test_coin_not_yours(coin: str) -> None:
    """Neither a coin of the Treasury nor one that does not exist can be bet."""
    opened(2).when(bet("B2", "B3", coin)).then_refused("coin_not_yours", coin=coin)


def test_coins_repeated() -> None:
    """A coin lies on one spot."""
    opened(2).when(bet("B2", "B3", "B2")).then_refused("coins_repeated", coin="B2")


def test_already_bet() -> None:
    """A placement is final."""
    opened(2).when(bet("B2", "B3", "B4"), bet("B2", "B3", "B5")).then_refused("already_bet")


@pytest.mark.parametrize("seat", [-1, 2, 99, BO])
def test_not_your_turn(seat: int) -> None:
    """Only the decider moves, and a seat that is not there never does."""
    table = ann_facing("D1-FOR-7")
    table.when(take(Seat(seat), "D1-FOR-7")).then_refused("not_your_turn", asked=[ANN])
    table.when(bet("B2", "B3", "B4", seat=seat)).then_refused("not_your_turn")


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there_cannot_bet(seat: int) -> None:
    """Nor has it bet already."""
    opened(2).when(bet("B2", "B3", "B4", seat=seat)).then_refused("not_your_turn")


def test_wrong_question() -> None:
    """A command answers the question that was asked."""
    table = ann_facing("D1-FOR-7")
    for command in (
        bet("B2", "B3", "B4"),
        recruit(ANN, "F11"),
        DiscardDwarf(seat=ANN, card=CardId("D1-FOR-7")),
        UpgradeCoin(seat=ANN, coin=CoinId("B5"), place="spot_1"),
        UpgradePouchCoin(seat=ANN, coin=CoinId("B2")),
        ChooseDwarf(seat=ANN, card=CardId("D1-FOR-7")),
        freeing(),
    ):
        table.when(command).then_refused("wrong_question", asked="take")


@pytest.mark.parametrize("card", ["D1-FOR-1", "F11", "", "D9-RET-1"])
def test_card_not_in_tavern(card: str) -> None:
    """Only cards of the tavern being resolved can be taken."""
    ann_facing("D1-FOR-7").when(take(ANN, card)).then_refused("card_not_in_tavern", card=card, tavern=1)


def test_card_not_in_tavern_when_discarding() -> None:
    """The same holds for the discard with two Lords."""
    table = opened(2).when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2"))).after
    for _ in range(2):
        seat = next(iter(table.state.prompts))
        table = table.when(take(seat, table.state.open_tavern[0])).after
    table = table.when(take(ANN, table.state.open_tavern[0])).after
    table.when(DiscardDwarf(seat=ANN, card=CardId("D1-FOR-7"))).then_refused("card_not_in_tavern", tavern=2)


@pytest.mark.parametrize("card", ["F11", "M09", "D1-FOR-7", "CERT", "E-RET", ""])
def test_card_not_in_supply(card: str) -> None:
    """A recruit is a Fighter or Mercenary still there."""
    ann_recruiting(supply("F12", "F14")).when(recruit(ANN, card)).then_refused("card_not_in_supply", card=card)


def test_column_forbidden() -> None:
    """The colour of the rank decides where a card may be placed."""
    table = ann_recruiting()
    table.when(recruit(ANN, "F01", "SHI")).then_refused("column_forbidden", card="F01", allowed=["TEM"])
    table.when(recruit(ANN, "F11", "SHI")).then_refused("column_forbidden", card="F11", allowed=[None])
    table.when(recruit(ANN, "M01")).then_refused("column_forbidden", card="M01")


def upgrading() -> Scenario:
    """Ann may raise any coin by 4; B5, B4 and B3 lie on the spots, B0 and B2 in the pouch."""
    return ann_recruiting().when(recruit(ANN, "F07", "RET")).after


@pytest.mark.parametrize(
    ("coin", "place", "code"),
    [
        ("B0", "pouch", "exchange_coin_fixed"),
        ("G9", "pouch", "coin_not_yours"),
        ("B9", "spot_1", "coin_not_yours"),
        ("B5", "spot_2", "coin_not_there"),
        ("B5", "pouch", "coin_not_there"),
        ("B2", "hand", "coin_not_there"),
    ],
)
def test_coins_that_cannot_be_upgraded(coin: str, place: Place, code: str) -> None:
    """Exchange coins are fixed, and a coin is named where it lies."""
    upgrading().when(UpgradeCoin(seat=ANN, coin=CoinId(coin), place=place)).then_refused(code)


def test_the_trade_coin_cannot_be_upgraded() -> None:
    """It is an exchange coin too."""
    table = ann_recruiting(bet=("B5", "B4", "T3"), pouch=("B2", "B3")).when(recruit(ANN, "F13")).after
    table.when(UpgradeCoin(seat=ANN, coin=CoinId("T3"), place="spot_3")).then_refused("exchange_coin_fixed")


@pytest.mark.parametrize(
    ("coin", "code"), [("B4", "coin_not_in_pouch"), ("B0", "exchange_coin_fixed"), ("G5", "coin_not_yours")]
)
def test_pouch_coins_that_cannot_be_upgraded(coin: str, code: str) -> None:
    """Only the two coins of the pouch can."""
    table = ann_takes("D1-RET-7", ("B0", "B4", "B5")).after
    table.when(UpgradePouchCoin(seat=ANN, coin=CoinId(coin))).then_refused(code)


def test_card_not_looked_at() -> None:
    """Svara chooses among the cards she looked at."""
    table = ann_recruiting().when(recruit(ANN, "F03", "SHI")).after
    for card in (table.state.decks[1][5], "D1-FOR-1", ""):
        table.when(ChooseDwarf(seat=ANN, card=CardId(card))).then_refused("card_not_looked_at")


def test_card_not_marked() -> None:
    """Only a card with a marker is freed."""
    marked_cards().when(freeing("D1-WAN-3")).then_refused("card_not_marked", card="D1-WAN-3")


def test_cards_repeated() -> None:
    """A card has one marker."""
    marked_cards().when(freeing("D1-WAN-4", "D1-WAN-4")).then_refused("cards_repeated")


def test_too_many_cards() -> None:
    """Nalbek frees two."""
    marked_cards().when(freeing("D1-WAN-4", "D2-WAN-4", "D2-WAN-6")).then_refused("too_many_cards", most=2)


def test_cards_not_in_column_order() -> None:
    """A set has one name."""
    marked_cards().when(freeing("D2-WAN-4", "D1-WAN-4")).then_refused("cards_not_in_column_order")


def test_nothing_is_accepted_when_the_game_is_over() -> None:
    """Nobody is asked."""
    over = made(opened(2), fields(phase="over"))
    over.when(bet("B2", "B3", "B4")).then_refused("not_your_turn", asked=[])


def test_a_refused_command_changes_nothing() -> None:
    """The state is the one before."""
    table = opened(2)
    table.when(bet("B2", "B3", "B2")).then_refused("coins_repeated")

    assert table.state == opened(2).state
