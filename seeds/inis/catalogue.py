"""Reads the components of Inis and refuses, with file and row, what cannot be played with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

from events.inis.vocabulary import Card, CardId, CardKind, InisCatalogue, Location, PlayersSetup, TerritoryId, Tile
from seeds.inis.rows import ActionRow, AdvantageRow, CardRow, Row, SetupFile, TaleRow, TerritoryRow
from seeds.reading import CatalogueError, named_rows_of, setup_of

AMOUNTS: Final = (
    "dagdas_cauldron",
    "dagdas_harp",
    "eriu",
    "manannans_horses",
    "new_clans",
    "no_clans",
    "tailtus_land",
    "tale_of_cuchulain",
    "the_other_world",
    "the_stone_of_fal",
    "tuans_memory",
)
SMALLEST_HAND: Final = 3
"""Below this a Brenn could hold no Season card (rules, section 3.2)."""


AnyRow = TypeVar("AnyRow", bound=Row)


def read(folder: Path) -> InisCatalogue:
    """Return the catalogue of a folder; ``CatalogueError`` when it cannot be played with."""
    setup = _setup(folder)
    territories = named_rows_of(folder, "territories.csv", TerritoryRow)
    tiles = {TerritoryId(row.id): Tile(**{**row.model_dump(), "id": TerritoryId(row.id)}) for _, row in territories}
    actions = cards_of(folder, "actions.csv", ActionRow, "action", {})
    names = {tile.id: tile.name for tile in tiles.values()}
    advantages = cards_of(folder, "advantages.csv", AdvantageRow, "advantage", names)
    tales = cards_of(folder, "epic_tales.csv", TaleRow, "tale", {})
    cards = _by_name(actions, advantages, tales)
    _check_territories(territories, advantages, setup)
    _check_decks(actions, setup)
    moments = dict.fromkeys(moment for card in cards.values() for moment in card.answers)
    return InisCatalogue(
        cards=cards,
        answering={moment: tuple(card.id for card in cards.values() if moment in card.answers) for moment in moments},
        actions=tuple(card.id for card in actions),
        advantages=tuple(card.id for card in advantages),
        tales=tuple(card.id for card in tales),
        tiles=tiles,
        players={row.players: PlayersSetup(**row.model_dump()) for row in setup.players},
        clans=setup.clans,
        start_clans=setup.start_clans,
        citadels=setup.citadels,
        sanctuaries=setup.sanctuaries,
        goal=setup.goal,
        layout=tuple(map(Location, setup.layout)),
        touching=setup.touching,
        amounts=setup.amounts,
    )


def _setup(folder: Path) -> SetupFile:
    file = "setup.yaml"
    setup = setup_of(folder, file, SetupFile, listed="players")
    counts = [entry.players for entry in setup.players]
    if counts != list(range(counts[0], counts[0] + len(counts))):
        raise CatalogueError(file, "players", "the numbers of players rise by one")
    if len(setup.layout) < counts[-1]:
        raise CatalogueError(file, "layout", "each player needs a start tile")
    for number, entry in enumerate(setup.players, start=1):
        if entry.dealt * entry.drafts < SMALLEST_HAND:
            raise CatalogueError(file, f"row {number} of players", f"a hand has at least {SMALLEST_HAND} Action cards")
    for amount in AMOUNTS:
        if amount not in setup.amounts:
            raise CatalogueError(file, "amounts", f"{amount} is missing")
    return setup


def cards_of(
    folder: Path, file: str, model: type[CardRow], kind: CardKind, names: dict[TerritoryId, str]
) -> list[Card]:
    """Return the cards of a file; an Advantage card bears the name of its territory."""
    cards = []
    for number, row in named_rows_of(folder, file, model):
        if not row.season and not row.answers:
            raise CatalogueError(file, f"row {number}", f"{row.id} can never be played")
        name = getattr(row, "name", None) or names.get(TerritoryId(row.id))
        if name is None:
            raise CatalogueError(file, f"row {number}", f"there is no territory {row.id}")
        four_only = bool(getattr(row, "four_only", False))
        card = Card(
            id=CardId(row.id), kind=kind, name=name, season=row.season, answers=row.answers, four_only=four_only
        )
        cards.append(card)
    return cards


def _by_name(*files: Sequence[Card]) -> dict[CardId, Card]:
    names = ("actions.csv", "advantages.csv", "epic_tales.csv")
    cards: dict[CardId, Card] = {}
    for file, found in zip(names, files, strict=True):
        for number, card in enumerate(found, start=2):
            if card.id in cards:
                raise CatalogueError(file, f"row {number}", f"{card.id} is the name of another card")
            placed = Card(
                id=card.id,
                kind=card.kind,
                name=card.name,
                season=card.season,
                answers=card.answers,
                four_only=card.four_only,
                place=len(cards),
            )
            cards[card.id] = placed
    return cards


def _check_territories(
    territories: Sequence[tuple[int, TerritoryRow]], advantages: Sequence[Card], setup: SetupFile
) -> None:
    file = "territories.csv"
    held = {card.id for card in advantages}
    for number, row in territories:
        if CardId(row.id) not in held:
            raise CatalogueError(file, f"row {number}", f"{row.id} has no Advantage card")
    last = f"row {territories[-1][0]}"
    most = setup.players[-1].players
    if len(territories) < most:
        raise CatalogueError(file, last, f"{most} players need as many territories")
    if all(not row.citadels for _, row in territories):
        raise CatalogueError(file, last, "no territory can hold the Capital")


def _check_decks(actions: Sequence[Card], setup: SetupFile) -> None:
    last = f"row {len(actions) + 1}"
    for row in setup.players:
        found = sum(row.four_only or not card.four_only for card in actions)
        needed = row.players * row.dealt * row.drafts + 1
        if found != needed:
            problem = f"{row.players} players need {needed} Action cards and there are {found}"
            raise CatalogueError("actions.csv", last, problem)
