"""Reads the components of Inori and refuses, with file and row, what cannot be played with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from events.inori.vocabulary import (
    COLOURS,
    Card,
    CardId,
    Colour,
    ColourTerms,
    InoriCatalogue,
    Rune,
    RuneId,
    SeatsSetup,
    TakeRoot,
    Term,
    TreeSpace,
    TreeSpaceId,
)
from seeds.inori.rows import CardRow, ColourRow, Row, RuneRow, SetupFile, TermRow, TreeRow
from seeds.inori.spaces import space_of, tree_effects
from seeds.reading import CatalogueError, named_rows_of, setup_of

CARDS, RUNES, TREE = "cards.csv", "runes.csv", "tree.csv"
COLOUR_TERMS, TERMS, SETUP = "colours.csv", "terms.csv", "setup.yaml"


AnyRow = TypeVar("AnyRow", bound=Row)
Read = TypeVar("Read")


def read(folder: Path) -> InoriCatalogue:
    """Return the catalogue of a folder; ``CatalogueError`` when it cannot be played with."""
    setup = _setup(folder)
    colours = _colours(folder)
    cards = _cards(folder, colours)
    tree = _tree(folder)
    runes = _runes(folder)
    _check_pairs(setup, colours)
    _check_kinds(setup, cards)
    _check_tree(setup, tree)
    return InoriCatalogue(
        cards=cards,
        runes=runes,
        tree=tree,
        colours=colours,
        terms={row.id: Term(row.english, row.korean) for _, row in _rows(folder, TERMS, TermRow)},
        pairs=setup.pairs,
        seats={row.seats: SeatsSetup(**row.model_dump()) for row in setup.seats},
        seasons=setup.seasons,
        tokens_per_colour=setup.tokens_per_colour,
        tokens_per_root=setup.tokens_per_root,
        neutral_pieces=setup.neutral_pieces,
        altar_cost=setup.altar_cost,
        new_start_drawn=setup.new_start_drawn,
    )


def _rows(folder: Path, file: str, model: type[AnyRow]) -> list[tuple[str, AnyRow]]:
    """Return the checked lines of a file, each with where it stands."""
    return [(f"row {number}", row) for number, row in named_rows_of(folder, file, model)]


def _readable(reader: Callable[[str], Read], text: str, file: str, where: str) -> Read:
    try:
        return reader(text)
    except ValueError as fault:
        raise CatalogueError(file, where, str(fault)) from None


def _setup(folder: Path) -> SetupFile:
    setup = setup_of(folder, SETUP, SetupFile, listed="seats")
    counts = [entry.seats for entry in setup.seats]
    if not counts or counts != list(range(counts[0], counts[0] + len(counts))):
        raise CatalogueError(SETUP, "seats", "the numbers of seats rise by one")
    for number, entry in enumerate(setup.seats, start=1):
        if list(entry.waiting) != sorted(set(entry.waiting) & set(range(2, setup.seasons + 1))):
            raise CatalogueError(SETUP, f"row {number} of seats", "pieces wait for later seasons, each named once")
    return setup


def _colours(folder: Path) -> dict[Colour, ColourTerms]:
    rows = _rows(folder, COLOUR_TERMS, ColourRow)
    if [row.id for _, row in rows] != list(COLOURS) or [row.place for _, row in rows] != list(range(len(COLOURS))):
        raise CatalogueError(COLOUR_TERMS, "row 2", f"the colours are {', '.join(COLOURS)}, in this order")
    opposite = {row.id: row.opposite for _, row in rows}
    for where, row in rows:
        if opposite[row.opposite] != row.id or row.opposite == row.id:
            raise CatalogueError(COLOUR_TERMS, where, f"{row.id} and {row.opposite} are not opposite each other")
    return {
        row.id: ColourTerms(
            colour=Term(row.english, row.korean),
            spirit=Term(row.spirit_english, row.spirit_korean),
            opposite=row.opposite,
        )
        for _, row in rows
    }


def _cards(folder: Path, colours: dict[Colour, ColourTerms]) -> dict[CardId, Card]:
    cards: dict[CardId, Card] = {}
    for where, row in _rows(folder, CARDS, CardRow):
        if row.if_complete != row.colour or row.if_incomplete != colours[row.colour].opposite:
            raise CatalogueError(CARDS, where, "its own colour follows a complete card, the opposite an incomplete one")
        texts = [text for text in row.spaces if text is not None]
        if list(row.spaces[: len(texts)]) != texts:
            raise CatalogueError(CARDS, where, "a space is left out")
        cards[CardId(row.id)] = Card(
            id=CardId(row.id),
            kind=row.kind,
            colour=row.colour,
            lower=row.if_incomplete,
            least_seats=row.least_seats,
            most_seats=row.most_seats,
            spaces=tuple(_readable(space_of, text, CARDS, where) for text in texts),
        )
        if row.kind == "start" and any(space.cost for space in cards[CardId(row.id)].spaces):
            raise CatalogueError(CARDS, where, "nobody has a token yet to pay the cost of a Start card")
    return cards


def _runes(folder: Path) -> dict[RuneId, Rune]:
    runes: dict[RuneId, Rune] = {}
    for where, row in _rows(folder, RUNES, RuneRow):
        if (row.kind == "share") == bool(row.colours):
            raise CatalogueError(RUNES, where, "all runes but Share runes show a colour")
        if (row.kind == "favour") != (row.amount > 0):
            raise CatalogueError(RUNES, where, "Favour runes, and no others, bring tokens")
        runes[RuneId(row.id)] = Rune(id=RuneId(row.id), kind=row.kind, colours=row.colours, amount=row.amount)
    return runes


def _tree(folder: Path) -> tuple[TreeSpace, ...]:
    spaces = []
    for where, row in _rows(folder, TREE, TreeRow):
        effects = _readable(tree_effects, row.effect, TREE, where)
        if (row.kind == "root") != (TakeRoot() in effects) or (row.kind == "root" and len(effects) > 1):
            raise CatalogueError(TREE, where, "a root gives the tokens that lie there, and nothing else does")
        if row.first < row.second:
            raise CatalogueError(TREE, where, "the second place is worth no more than the first")
        spaces.append(
            TreeSpace(
                id=TreeSpaceId(row.id),
                name=row.name,
                takes_altar=row.kind == "altar",
                effects=effects,
                first=row.first,
                second=row.second,
            )
        )
    return tuple(spaces)


def _check_pairs(setup: SetupFile, colours: dict[Colour, ColourTerms]) -> None:
    named = Counter(colour for pair in setup.pairs for colour in pair)
    if named != Counter(COLOURS) or any(colours[one].opposite != other for one, other in setup.pairs):
        raise CatalogueError(SETUP, "pairs", "each colour stands in one pair, with its opposite")


def _check_kinds(setup: SetupFile, cards: dict[CardId, Card]) -> None:
    """A slot never leaves its pair, so a pile must last for every slot of its pair (rules, section 7.4, example H)."""
    last = f"row {len(cards) + 1}"
    for row in setup.seats:
        starts = [card.colour for card in cards.values() if _in_play(card, "start", row.seats)]
        if Counter(starts) != Counter(COLOURS):
            raise CatalogueError(CARDS, last, f"{row.seats} seats need one Start card of each colour")
        news = [card for card in cards.values() if _in_play(card, "new_start", row.seats)]
        if len(news) < setup.new_start_drawn * (setup.seasons - 1):
            raise CatalogueError(CARDS, last, f"there are not enough New Start cards for {row.seats} seats")
        for colour in COLOURS:
            pile = sum(_in_play(card, "journey", row.seats) and card.colour == colour for card in cards.values())
            if pile < setup.seasons * (setup.seasons - 1) // 2:
                raise CatalogueError(CARDS, last, f"the {colour} pile may run out")


def _in_play(card: Card, kind: str, seats: int) -> bool:
    return card.kind == kind and card.least_seats <= seats <= card.most_seats


def _check_tree(setup: SetupFile, tree: Sequence[TreeSpace]) -> None:
    altars = [space.takes_altar for space in tree]
    if altars != [True] * len(COLOURS) + [False] * len(setup.pairs):
        raise CatalogueError(
            TREE, f"row {len(tree) + 1}", "a space for each Altar comes first, then a root for each pair"
        )
