"""What each Fighter, Mercenary and Elite Fighter is and does (rules, section 5)."""

from __future__ import annotations

import pytest

from events.nains.commands import UpgradeCoin
from events.nains.events import CardsLookedAt, MarkersReturned
from events.nains.vocabulary import COLUMN, ORDERS, CardId, Order
from tests.nains.table import (
    ANN,
    CATALOGUE,
    RULES,
    ann_recruiting,
    army,
    evaluation,
    fields,
    holding,
    lord,
    ranks_of,
    recruit,
    score,
)
from workers.nains.legal import columns_for
from workers.nains.state import CoinUp, Svara, Unmark

ROW = {"RET": 1, "WAN": 1, "TEM": 1, "SHI": 1, "FOR": 1}
"""Ranks Ann has when she recruits."""


@pytest.mark.parametrize(
    ("card", "order", "ranks", "points", "icons"),
    [
        ("F01", "TEM", 2, 2, {"hidden": 1}),
        ("F02", "TEM", 1, 5, {}),
        ("F03", "SHI", 1, 0, {}),
        ("F04", "SHI", 2, 0, {}),
        ("F05", "FOR", 2, 10, {}),
        ("F06", "FOR", 1, 5, {"rune": "R7"}),
        ("F07", "RET", 1, 9, {}),
        ("F08", "RET", 2, 11, {}),
        ("F09", "WAN", 2, 5, {"malt": 1}),
        ("F10", "WAN", 1, 14, {"malt": 1}),
    ],
)
def test_coloured_fighters_join_their_order(
    card: str, order: Order, ranks: int, points: int, icons: dict[str, object]
) -> None:
    """One column is allowed, and it gains their ranks."""
    table = ann_recruiting()
    after = table.when(recruit(ANN, card, order)).after
    found = CATALOGUE.cards[CardId(card)]

    assert (order,) == columns_for(found)
    assert ROW[order] + ranks == ranks_of(after.state, ANN, order)
    assert CardId(card) in after.state.lords[ANN].columns[COLUMN[order]]
    assert (points, {"malt": 0, "hidden": 0, "rune": None, **icons}) == (found.points, icons_of(card))
    table.when(recruit(ANN, card)).then_refused("column_forbidden")


@pytest.mark.parametrize(
    ("card", "worth", "icons"),
    [
        ("F11", 17, {}),
        ("F12", 5, {}),
        ("F13", 8, {}),
        ("F14", 8, {"hidden": 1}),
        ("F15", 8, {"rune": "R8"}),
        ("F16", 9, {"malt": 3}),
        ("F17", 4 + 3 * 5, {}),
    ],
)
def test_white_fighters_go_to_the_command_area(card: str, worth: int, icons: dict[str, object]) -> None:
    """They complete no row; with Bronze coins and gem 5, Selka is worth 5 and Essa 19."""
    table = ann_recruiting()
    after = table.when(recruit(ANN, card)).after

    assert (1, 1, 1, 1, 1) == after.state.lords[ANN].ranks
    assert worth == score(after.state.lords[ANN])["command_area"]
    assert {"malt": 0, "hidden": 0, "rune": None, **icons} == icons_of(card)
    table.when(recruit(ANN, card, "RET")).then_refused("column_forbidden")


@pytest.mark.parametrize(
    ("card", "ranks", "points", "icons"),
    [
        ("F18", 1, 7, {}),
        ("F19", 2, 0, {}),
        ("F20", 1, 2, {"hidden": 1}),
        ("F21", 1, 2, {"malt": 2}),
        ("M01", 1, 5, {}),
        ("M02", 1, 3, {"malt": 1}),
        ("M03", 1, 0, {"hidden": 1}),
        ("M04", 1, 2, {"rune": "R3"}),
        ("M05", 2, 0, {}),
    ],
)
def test_black_and_multicoloured_ranks_go_anywhere(
    card: str, ranks: int, points: int, icons: dict[str, object]
) -> None:
    """All five columns are allowed, the command area is not."""
    table = ann_recruiting()
    after = {order: table.when(recruit(ANN, card, order)).after for order in ORDERS}
    found = CATALOGUE.cards[CardId(card)]

    assert all(1 + ranks == ranks_of(each.state, ANN, order) for order, each in after.items())
    assert (points, {"malt": 0, "hidden": 0, "rune": None, **icons}) == (found.points, icons_of(card))
    table.when(recruit(ANN, card)).then_refused("column_forbidden")


def icons_of(card: str) -> dict[str, object]:
    found = CATALOGUE.cards[CardId(card)]
    return {"malt": found.malt, "hidden": found.hidden, "rune": found.rune}


@pytest.mark.parametrize(("card", "order", "by"), [("F07", "RET", 4), ("F13", None, 7), ("F21", "TEM", 3)])
def test_coin_up_asks_for_any_coin_but_an_exchange_coin(card: str, order: Order | None, by: int) -> None:
    """Revealed, face down or in the pouch: four coins."""
    table = ann_recruiting().when(recruit(ANN, card, order)).after
    legal = RULES.legal_commands(table.state, ANN)
    offered = {(each.coin, each.place) for each in legal if isinstance(each, UpgradeCoin)}

    assert CoinUp(by=by) == table.state.prompts[ANN]
    assert {("B5", "spot_1"), ("B4", "spot_2"), ("B3", "spot_3"), ("B2", "pouch")} == offered


def test_svara_looks_and_asks() -> None:
    """The look is told before the question."""
    happened = ann_recruiting().when(recruit(ANN, "F03", "SHI"))

    assert [CardsLookedAt] == [type(event) for event in happened.events[1:]]
    assert Svara() == happened.state().prompts[ANN]


def test_nalbek_frees_up_to_two() -> None:
    """With nothing marked it is told that none was freed."""
    marked = army(
        ANN, RET=["D1-RET-1"], WAN=["D1-WAN-3", "D1-WAN-4"], marked=["D1-WAN-4"], TEM=["D1-TEM-1"], SHI=["D2-SHI-3"]
    )

    assert Unmark(most=2) == ann_recruiting(marked).when(recruit(ANN, "F09", "WAN")).state().prompts[ANN]
    ann_recruiting().when(recruit(ANN, "F09", "WAN")).then_includes(MarkersReturned(seat=ANN, cards=()))


@pytest.mark.parametrize(
    ("order", "card", "parts"),
    [
        ("RET", "E-RET", {"command_area": 0, "coins": 17}),
        ("WAN", "E-WAN", {"command_area": 6, "coins": 14}),
        ("TEM", "E-TEM", {"command_area": 0, "temple": 3}),
        ("SHI", "E-SHI", {"command_area": 3, "coins": 14}),
        ("FOR", "E-FOR", {"command_area": 3, "forge": 7 + 1}),
    ],
)
def test_elite_fighters_bring_points_and_icons(order: Order, card: str, parts: dict[str, int]) -> None:
    """Each is won with a single rank of its Order that nobody else has."""
    one = {"RET": "D1-RET-4", "WAN": "D1-WAN-4", "TEM": "D1-TEM-1", "SHI": "D2-SHI-3", "FOR": "D2-FOR-7"}[order]
    held = holding(ANN, lord(**{order: [one]}))
    state = evaluation(held, fields(awards=(CardId(card),))).state()
    found = score(state.lords[ANN])

    assert (CardId(card),) == state.lords[ANN].command_area
    assert parts == {part: found[part] for part in parts}
