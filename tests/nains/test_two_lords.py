"""The table of two (rules, sections 2.1 and 8.6)."""

from __future__ import annotations

from events.nains.commands import DiscardDwarf, UpgradePouchCoin
from events.nains.events import (
    CoinsExchanged,
    DwarfDiscarded,
    DwarfTaken,
    FighterRecruited,
    LeftoverDiscarded,
    PouchCoinUpgraded,
)
from events.nains.vocabulary import CardId, CoinId
from tests.nains.table import ANN, BO, RULES, bets, card_in, coins, first_choices, made, opened, ranks, recruit, take
from tests.spec import Scenario
from workers.nains.state import NainsState


def ann_first_at_2(state: NainsState) -> bool:
    return state.tavern == 2 and ANN in state.prompts


def at_tavern_2() -> Scenario:
    table = opened(2).when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2"))).after
    return first_choices(table, ann_first_at_2)


def test_ruling_59_the_third_card_of_the_first_tavern_is_discarded() -> None:
    """Both have taken one."""
    table = opened(2).when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2"))).after
    first, second, third = table.state.open_tavern
    happened = table.when(take(ANN, first), take(BO, second)).then_includes(LeftoverDiscarded(card=third))

    assert (third,) == happened.state().discard


def test_ruling_60_the_first_lord_of_the_second_tavern_discards_a_card() -> None:
    """One of the two left; the second Lord takes the last without a choice."""
    table = at_tavern_2()
    first, second, third = table.state.open_tavern
    taken = table.when(take(ANN, first)).after
    offered = [DiscardDwarf(seat=ANN, card=second), DiscardDwarf(seat=ANN, card=third)]

    assert offered == RULES.legal_commands(taken.state, ANN)
    taken.when(offered[0]).then_includes(DwarfDiscarded(seat=ANN, card=second), DwarfTaken(seat=BO, card=third))


def test_ruling_61_card_and_effect_then_discard_then_recruit_then_exchange() -> None:
    """The Trade coin is bet on the second tavern, and the Retaliation Dwarf there completes a row."""
    table = made(opened(2), card_in(2, "D1-RET-7"), ranks(ANN, 0, 1, 1, 1, 1), coins(ANN, "T3", "B2", "B3", "B4", "B5"))
    table = table.when(*bets(("B5", "T3", "B4"), ("B3", "B2", "B4"))).after
    table = first_choices(table, ann_first_at_2)
    other = table.state.open_tavern[0]
    events = []
    for command in (
        take(ANN, "D1-RET-7"),
        UpgradePouchCoin(seat=ANN, coin=CoinId("B2")),
        DiscardDwarf(seat=ANN, card=other),
        recruit(ANN, "F11"),
    ):
        happened = table.when(command)
        events += [type(event) for event in happened.events]
        table = happened.after

    assert [DwarfTaken, PouchCoinUpgraded, DwarfDiscarded, FighterRecruited, CoinsExchanged] == events[:5]
    assert CardId("F11") in table.state.lords[ANN].command_area
