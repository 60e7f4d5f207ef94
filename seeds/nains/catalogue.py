"""Reads the components of Nains and refuses, with file and row, what cannot be played with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from events.nains.vocabulary import (
    ORDERS,
    SPOTS,
    Card,
    CardId,
    Coin,
    CoinId,
    Colour,
    LordsSetup,
    NainsCatalogue,
    RuneId,
)
from seeds.nains.rows import AwardRow, CoinRow, DwarfRow, FighterRow, MercenaryRow, Row, SetupFile
from seeds.reading import CatalogueError, rows_of, setup_of

ERAS: Final = (1, 2)
COINS_OF_A_LORD: Final = 5
NOT_FIRST: Final[Sequence[Colour]] = ("gold", "trade", "bronze")
"""Of coins of one value, Gold stands first: an exchange gives up the last one (rules, section 4.4)."""


AnyRow = TypeVar("AnyRow", bound=Row)


def read(folder: Path) -> NainsCatalogue:
    """Return the catalogue of a folder; ``CatalogueError`` when it cannot be played with."""
    setup = _setup(folder)
    coins = _coins(folder)
    dwarves = _cards(folder, "dwarves.csv", DwarfRow, setup)
    fighters = _cards(folder, "fighters.csv", FighterRow, setup)
    mercenaries = _cards(folder, "mercenaries.csv", MercenaryRow, setup)
    awards = _cards(folder, "awards.csv", AwardRow, setup)
    cards = _by_name(dwarves, fighters, mercenaries, awards)
    _check_awards(awards)
    _check_decks(setup, dwarves)
    by_value = {coin.id: coin for coin in coins}
    return NainsCatalogue(
        cards=cards,
        dwarves=_ids(dwarves),
        supply=_ids(fighters) + _ids(mercenaries),
        elites=tuple(card.id for card in awards if card.kind == "elite"),
        certification=next(card.id for card in awards if card.kind == "certification"),
        coins=by_value,
        bronze=tuple(coin.id for coin in coins if coin.colour == "bronze"),
        gold=tuple(coin.id for coin in coins if coin.colour == "gold"),
        trade=next(coin.id for coin in coins if coin.colour == "trade"),
        taverns=setup.taverns,
        lords={row.lords: LordsSetup(**row.model_dump()) for row in setup.lords},
        runes={RuneId(rune): name for rune, name in setup.runes.items()},
        shield=setup.shield.worth,
        shield_plus=setup.shield.beyond.plus,
        shield_over=setup.shield.beyond.over,
        retaliation_upgrade=setup.retaliation_upgrade,
    )


def _ids(cards: Iterable[Card]) -> tuple[CardId, ...]:
    return tuple(card.id for card in cards)


def _setup(folder: Path) -> SetupFile:
    file = "setup.yaml"
    setup = setup_of(folder, file, SetupFile, listed="lords")
    if len(setup.taverns) != len(SPOTS):
        raise CatalogueError(file, "taverns", f"there are {len(SPOTS)} taverns")
    for number, entry in enumerate(setup.lords, start=1):
        if len(set(entry.gems)) != entry.lords:
            raise CatalogueError(file, f"row {number} of lords", "each Lord needs a gem, and all gems differ")
        if any(tavern > len(SPOTS) for tavern in entry.first_discards_in):
            raise CatalogueError(file, f"row {number} of lords", "first_discards_in names no tavern")
    counts = [entry.lords for entry in setup.lords]
    if counts != list(range(counts[0], counts[0] + len(counts))):
        raise CatalogueError(file, "lords", "the numbers of Lords rise by one")
    plus, over = setup.shield.beyond.plus, setup.shield.beyond.over
    for ranks, worth in enumerate(setup.shield.worth):
        if worth * over != ranks * (ranks + plus):
            raise CatalogueError(file, f"row {ranks + 1} of shield.worth", f"{worth} is not what beyond continues")
    return setup


def _coins(folder: Path) -> list[Coin]:
    """Return all kinds of coin in their order."""
    file = "coins.csv"
    rows = rows_of(folder, file, CoinRow)
    seen: set[str] = set()
    for number, row in rows:
        if row.id in seen:
            raise CatalogueError(file, f"row {number}", f"{row.id} stands there twice")
        seen.add(row.id)
        if row.thin_copies > row.copies:
            raise CatalogueError(file, f"row {number}", "a thin Treasury holds no more than a full one")
        if row.exchange and row.colour == "gold":
            raise CatalogueError(file, f"row {number}", "a Gold coin is never an exchange coin")
        if row.colour != "gold" and row.copies != 1:
            raise CatalogueError(file, f"row {number}", "only Gold coins come in copies")
    last = rows[-1][0]
    bronze = [row for _, row in rows if row.colour == "bronze"]
    if len(bronze) != COINS_OF_A_LORD or [row.exchange for row in bronze].count(True) != 1:
        raise CatalogueError(file, f"row {last}", "a Lord starts with five Bronze coins, one of them an exchange coin")
    if [row.exchange for _, row in rows if row.colour == "trade"] != [True]:
        raise CatalogueError(file, f"row {last}", "there is one Trade coin, and it is an exchange coin")
    if all(row.colour != "gold" for _, row in rows):
        raise CatalogueError(file, f"row {last}", "the Treasury holds no coin")
    ordered = sorted((row for _, row in rows), key=lambda row: (row.value, NOT_FIRST.index(row.colour)))
    return [Coin(place=place, **{**row.model_dump(), "id": CoinId(row.id)}) for place, row in enumerate(ordered)]


def _cards(folder: Path, file: str, model: type[Row], setup: SetupFile) -> list[Card]:
    cards = []
    for number, row in rows_of(folder, file, model):
        where = f"row {number}"
        card = _card(row)
        if card.rune is not None and card.rune not in setup.runes:
            raise CatalogueError(file, where, f"there is no rune {card.rune}")
        if (card.rank_colour == "coloured") != (card.order is not None) and card.kind == "fighter":
            raise CatalogueError(file, where, "a coloured rank names its Order, and no other does")
        if (card.rank_colour == "white") == (card.ranks > 0) and card.kind == "fighter":
            raise CatalogueError(file, where, "all Fighters but white ones have a rank")
        if (card.per is None) != (card.each == 0):
            raise CatalogueError(file, where, "each and per go together")
        if (card.effect in ("coin_up", "unmark", "svara")) != (card.amount > 0):
            raise CatalogueError(file, where, "the effect and its amount do not go together")
        cards.append(card)
    return cards


def _card(row: Row) -> Card:
    fields = row.model_dump()
    match row:
        case DwarfRow():
            return Card(kind="dwarf", rank_colour="coloured", **fields)
        case FighterRow():
            return Card(kind="fighter", **fields)
        case MercenaryRow():
            return Card(kind="mercenary", rank_colour="multicoloured", **fields)
        case _:
            won_by = fields.pop("won_by")
            if won_by == "malt":
                return Card(kind="certification", **fields)
            return Card(kind="elite", order=won_by, **fields)


def _by_name(*files: Sequence[Card]) -> dict[CardId, Card]:
    names = ("dwarves.csv", "fighters.csv", "mercenaries.csv", "awards.csv")
    cards: dict[CardId, Card] = {}
    for file, found in zip(names, files, strict=True):
        for number, card in enumerate(found, start=2):
            if card.id in cards:
                raise CatalogueError(file, f"row {number}", f"{card.id} stands there twice")
            cards[card.id] = card
    return cards


def _check_awards(awards: Sequence[Card]) -> None:
    last = f"row {len(awards) + 1}"
    if Counter(card.order for card in awards) != Counter((*ORDERS, None)):
        raise CatalogueError("awards.csv", last, "there is one Elite Fighter for each Order, and one Certification")


def _check_decks(setup: SetupFile, dwarves: Sequence[Card]) -> None:
    last = f"row {len(dwarves) + 1}"
    for row in setup.lords:
        needed = row.cards_per_tavern * len(setup.taverns) * row.turns_per_era
        for era in ERAS:
            found = sum(card.era == era and card.least_lords <= row.lords for card in dwarves)
            if found < needed:
                problem = f"Era {era} has {found} cards and {row.lords} Lords need {needed}"
                raise CatalogueError("dwarves.csv", last, problem)
