"""The components: what they are, and what is refused (rules, section 1)."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from events.nains.vocabulary import ORDERS, Card
from seeds.catalogues import ROOT
from seeds.nains.catalogue import read
from seeds.reading import CatalogueError
from tests.nains.table import CATALOGUE

FILES = ROOT / "nains" / "v1"


def dwarves(era: int, *, extra: bool) -> list[Card]:
    """Return the base cards of an Era, or those for five Lords only."""
    cards = (CATALOGUE.cards[card] for card in CATALOGUE.dwarves)
    return [card for card in cards if card.era == era and (card.least_lords == 5) == extra]


@pytest.mark.parametrize(
    ("era", "extra", "orders", "malt", "hidden", "runes"),
    [
        (1, False, (7, 8, 7, 7, 7), 8, 4, {"R1": 2, "R2": 2, "R3": 1, "R4": 1}),
        (1, True, (2, 2, 2, 1, 2), 2, 1, {"R3": 1, "R4": 1}),
        (2, False, (7, 8, 7, 8, 7), 7, 4, {"R3": 1, "R4": 1, "R5": 2, "R6": 2}),
        (2, True, (2, 2, 2, 1, 2), 1, 1, {"R1": 1, "R2": 1}),
    ],
)
def test_composition_of_the_decks(
    era: int, extra: bool, orders: tuple[int, ...], malt: int, hidden: int, runes: dict[str, int]
) -> None:
    """The totals of section 1.4."""
    cards = dwarves(era, extra=extra)
    counts = Counter(card.order for card in cards)

    assert orders == tuple(counts[order] for order in ORDERS)
    assert (malt, hidden) == (sum(card.malt for card in cards), sum(card.hidden for card in cards))
    assert runes == Counter(card.rune for card in cards if card.rune)
    assert all(card.ranks == 1 for card in cards)


def test_points_of_every_order_and_era() -> None:
    """A sum over each table of section 1.5 finds a slip of the pen."""
    sums = Counter[tuple[int, str | None]]()
    for card in CATALOGUE.dwarves:
        found = CATALOGUE.cards[card]
        sums[found.era, found.order] += found.points

    assert {
        (1, "RET"): 53,
        (1, "WAN"): 87,
        (1, "TEM"): 13,
        (1, "SHI"): 0,
        (1, "FOR"): 29,
        (2, "RET"): 62,
        (2, "WAN"): 91,
        (2, "TEM"): 14,
        (2, "SHI"): 0,
        (2, "FOR"): 34,
    } == sums


def test_the_treasury_has_34_coins_worth_437() -> None:
    """Values 5 to 25, none lower."""
    gold = [CATALOGUE.coins[coin] for coin in CATALOGUE.gold]

    assert 34 == sum(coin.copies for coin in gold)
    assert 437 == sum(coin.copies * coin.value for coin in gold)
    assert list(range(5, 26)) == [coin.value for coin in gold]
    assert [2, 2, 3, 2, 3, 2, 3, 2, 2, 2, *[1] * 11] == [coin.copies for coin in gold]
    assert 28 == sum(coin.thin_copies for coin in gold)


def test_bronze_and_trade_coins() -> None:
    """Five Bronze coins worth 14 and one Trade coin; the 0 and the Trade are exchange coins."""
    assert [0, 2, 3, 4, 5] == [CATALOGUE.coins[coin].value for coin in CATALOGUE.bronze]
    assert 3 == CATALOGUE.coins[CATALOGUE.trade].value
    assert ["B0", "T3"] == [coin.id for coin in CATALOGUE.coins.values() if coin.exchange]


def test_gold_stands_before_bronze_of_its_value() -> None:
    """So the last of two equal coins is the one an exchange gives up."""
    assert CATALOGUE.coins[CATALOGUE.gold[0]].place < CATALOGUE.coins[CATALOGUE.bronze[4]].place


def test_the_shield_table() -> None:
    """Twenty-one numbers that follow the formula."""
    assert CATALOGUE.shield == tuple(ranks * (ranks + 5) // 2 for ranks in range(21))


def test_supply_and_awards() -> None:
    """21 Fighters, 5 Mercenaries, 5 Elite Fighters and the Certification."""
    kinds = Counter(card.kind for card in CATALOGUE.cards.values())

    assert {"dwarf": 91, "fighter": 21, "mercenary": 5, "elite": 5, "certification": 1} == kinds
    assert [f"F{number:02}" for number in range(1, 22)] == list(CATALOGUE.supply[:21])
    assert [2, 2, 2, 2, 2] == [
        sum(CATALOGUE.cards[card].order == order for card in CATALOGUE.supply) for order in ORDERS
    ]


def test_nine_runes_exist() -> None:
    """Six on Dwarfs, three on others; the Rune Pedlar shows one once more."""
    assert set(CATALOGUE.runes) == {card.rune for card in CATALOGUE.cards.values() if card.rune}
    assert 9 == len(CATALOGUE.runes)


def test_the_taverns_and_what_goes_by_the_number_of_lords() -> None:
    """The table of section 1.3."""
    rows = [(row.lords, row.cards_per_tavern, row.turns_per_era) for row in CATALOGUE.lords.values()]

    assert ("Yjdad's Mug", "Roasted Pig", "Tasty Halberd") == CATALOGUE.taverns
    assert [(2, 3, 4), (3, 3, 4), (4, 4, 3), (5, 5, 3)] == rows
    assert {2: (2,), 3: (), 4: (), 5: ()} == {row.lords: row.first_discards_in for row in CATALOGUE.lords.values()}


@pytest.mark.parametrize(
    ("file", "old", "new", "row", "problem"),
    [
        ("dwarves.csv", "D1-RET-3,1,RET", "D1-RET-3,1,RED", "row 4", "order"),
        ("dwarves.csv", "D1-RET-3,1,RET", "D1-RET-2,1,RET", "row 4", "D1-RET-2 stands there twice"),
        ("dwarves.csv", "D1-RET-3,1,RET,1,5", "D1-RET-3,1,RET,1,many", "row 4", "points"),
        ("dwarves.csv", "D1-RET-3,1,RET,1,5", "D1-RET-3,1,RET,1,-5", "row 4", "points"),
        ("dwarves.csv", "D1-RET-3,1,RET", "D1-RET-3,3,RET", "row 4", "era"),
        ("dwarves.csv", "D1-FOR-1,1,FOR,1,2,0,0,R1", "D1-FOR-1,1,FOR,1,2,0,0,R0", "row 38", "there is no rune R0"),
        ("dwarves.csv", "D1-RET-3,1,RET,1,5,1,0,,2", "D1-RET-3,1,RET,1,5,1,0,,2,9", "row 4", "too_many"),
        ("dwarves.csv", "D1-RET-3,1,RET,1,5,1,0,,2", "D1-RET-3,1,RET", "row 4", "ranks"),
        ("fighters.csv", "F02,Fey,coloured,TEM", "F02,Fey,coloured,", "row 3", "a coloured rank names its Order"),
        ("fighters.csv", "F02,Fey,coloured,TEM,1", "F02,Fey,coloured,TEM,0", "row 3", "have a rank"),
        ("fighters.csv", "svara,5", "svara,0", "row 4", "the effect and its amount"),
        ("fighters.csv", "1,highest_coin", "0,highest_coin", "row 13", "each and per go together"),
        ("mercenaries.csv", "M01,Hired Axe,1", "M01,Hired Axe,none", "row 2", "ranks"),
        ("mercenaries.csv", "M01", "F01", "row 2", "F01 stands there twice"),
        ("awards.csv", "CERT,Liquor Certification,malt", "CERT,Liquor Certification,RET", "row 7", "one Certification"),
        ("coins.csv", "B0,bronze,0,yes", "B0,bronze,0,no", "row 28", "one of them an exchange coin"),
        ("coins.csv", "G5,gold,5,no", "G5,gold,5,yes", "row 8", "never an exchange coin"),
        ("coins.csv", "G6,gold,6,no,2,2", "G6,gold,6,no,2,3", "row 9", "thin Treasury"),
        ("coins.csv", "G6,gold,6", "G5,gold,6", "row 9", "G5 stands there twice"),
        ("coins.csv", "B4,bronze,4,no,1,1", "B4,bronze,4,no,2,1", "row 5", "only Gold coins"),
        ("setup.yaml", "3, gems: [3, 4, 5]", "3, gems: [3, 4]", "row 2 of lords", "each Lord needs a gem"),
        ("setup.yaml", "lords: 3, gems", "lords: three, gems", "row 2 of lords", "lords"),
        ("setup.yaml", "cards_per_tavern: 4", "cards_per_tavern: 9", "row 92", "4 Lords need 81"),
        ("setup.yaml", "worth: [0, 3, 7", "worth: [0, 3, 8", "row 3 of shield.worth", "8 is not"),
        ("setup.yaml", "taverns:\n", "taverns: [\n", "row 3", "expected"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_row(
    tmp_path: Path, file: str, old: str, new: str, row: str, problem: str
) -> None:
    """The sentence says what to mend where."""
    folder = tmp_path / "broken"
    shutil.copytree(FILES, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    with pytest.raises(CatalogueError, match=re.escape(problem)) as fault:
        read(folder)
    assert re.search(rf"^(dwarves\.csv|{re.escape(file)}), .*{row}", str(fault.value))


@pytest.mark.parametrize("file", sorted(each.name for each in FILES.iterdir()))
def test_a_missing_or_garbled_file_is_named(tmp_path: Path, file: str) -> None:
    """Neither nothing nor noise nor emptiness is a catalogue."""
    for content in (None, b"\xff\xfe", b"\0", b""):
        folder = tmp_path / f"{file}-{content!r}".replace("\\", "")
        shutil.copytree(FILES, folder)
        (folder / file).unlink()
        if content is not None:
            (folder / file).write_bytes(content)
        with pytest.raises(CatalogueError, match=f"^{file}, "):
            read(folder)
