"""Reads what Seasons of Inis adds to a catalogue of Inis: the folder ``seasons`` inside the base game's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from msgspec.structs import replace
from pydantic import NonNegativeInt, PositiveInt, field_validator

from events.inis.vocabulary import (
    Card,
    CardId,
    InisCatalogue,
    Location,
    Modules,
    PlayersSetup,
    SeasonId,
    TerritoryId,
    Tile,
    WheelSlot,
)
from seeds.inis.catalogue import cards_of
from seeds.inis.catalogue import read as read_base
from seeds.inis.rows import AdvantageRow, CardRow, PlayersRow, Row, TaleRow, checked_locations
from seeds.reading import CatalogueError, named_rows_of, setup_of

FOLDER: Final = "seasons"
AMOUNTS: Final = (
    "beltaine_move",
    "brans_journey",
    "branwens_marriage",
    "inis_mona",
    "lugnasad",
    "maelduins_expedition",
    "samhain",
)


class FifthActionRow(CardRow):
    """A line of ``actions.csv``: a card for five players."""

    name: str


class SeaTaleRow(TaleRow):
    """A line of ``epic_tales.csv``; with ``sea`` the tale needs Sea Travels."""

    sea: bool


class SeaTerritoryRow(Row):
    """A line of ``territories.csv``."""

    id: str
    name: str
    island: bool
    harbor: bool
    entry_sanctuaries: NonNegativeInt
    citadels: bool


class WheelRow(Row):
    """A line of ``wheel.csv``; an empty festival or effect is none."""

    id: SeasonId
    name: str
    festival: str
    effect: str


class ModulesFile(Row):
    """The whole of ``setup.yaml``."""

    layout: tuple[str, ...]
    players: tuple[PlayersRow, ...]
    amounts: dict[str, PositiveInt]

    _locations = field_validator("layout")(checked_locations)


def read(folder: Path) -> InisCatalogue:
    """Return the base game's catalogue with the expansion in it; ``CatalogueError`` when it cannot be played with."""
    base, inner = read_base(folder), folder / FOLDER
    setup = setup_of(inner, "setup.yaml", ModulesFile, listed="players")
    for amount in AMOUNTS:
        if amount not in setup.amounts:
            raise CatalogueError("setup.yaml", "amounts", f"{amount} is missing")
    territories = named_rows_of(inner, "territories.csv", SeaTerritoryRow)
    tiles = {TerritoryId(row.id): Tile(**{**row.model_dump(), "id": TerritoryId(row.id)}) for _, row in territories}
    names = {tile.id: tile.name for tile in tiles.values()}
    actions = cards_of(inner, "actions.csv", FifthActionRow, "action", {})
    advantages = cards_of(inner, "advantages.csv", AdvantageRow, "advantage", names)
    tales = cards_of(inner, "epic_tales.csv", SeaTaleRow, "tale", {})
    cards = {**base.cards, **_placed(base, (*actions, *advantages, *tales))}
    sea_tales = [CardId(row.id) for _, row in named_rows_of(inner, "epic_tales.csv", SeaTaleRow) if row.sea]
    moments = dict.fromkeys(moment for card in cards.values() for moment in card.answers)
    return replace(
        base,
        cards=cards,
        answering={moment: tuple(card.id for card in cards.values() if moment in card.answers) for moment in moments},
        advantages=(*base.advantages, *(card.id for card in advantages)),
        players={**base.players, **{row.players: PlayersSetup(**row.model_dump()) for row in setup.players}},
        layout=(*base.layout, *map(Location, setup.layout)),
        amounts={**base.amounts, **setup.amounts},
        modules=Modules(
            actions=tuple(card.id for card in actions),
            tales=tuple(card.id for card in tales),
            sea_tales=tuple(sea_tales),
            tiles=tiles,
            wheel=_wheel(inner),
        ),
    )


def _placed(base: InisCatalogue, found: Sequence[Card]) -> dict[CardId, Card]:
    """Return the new cards, in order behind those of the base game."""
    for card in found:
        if card.id in base.cards:
            raise CatalogueError("actions.csv, advantages.csv or epic_tales.csv", card.id, "another card has this name")
    first = len(base.cards)
    return {card.id: replace(card, place=first + number) for number, card in enumerate(found)}


def _wheel(inner: Path) -> tuple[WheelSlot, ...]:
    rows = named_rows_of(inner, "wheel.csv", WheelRow)
    if {row.id for _, row in rows} != set(get_args(SeasonId)):
        raise CatalogueError("wheel.csv", "row 2", "each of the four seasons stands there once")
    return tuple(WheelSlot(**row.model_dump()) for _, row in rows)
