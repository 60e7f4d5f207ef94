"""The lines and entries of the catalogue files, as a person writes them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt, field_validator

from events.inori.vocabulary import CardKind, Colour, RuneKind


class Row(BaseModel):
    """What all of them have in common: nothing more than is known, and nothing for an empty cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value


class CardRow(Row):
    """A line of ``cards.csv``; its spaces are read by ``spaces.py``."""

    id: str
    colour: Colour
    kind: CardKind
    least_seats: PositiveInt
    most_seats: PositiveInt
    space_1: str
    space_2: str
    space_3: str | None
    space_4: str | None
    if_complete: Colour
    if_incomplete: Colour

    @property
    def spaces(self) -> tuple[str | None, ...]:
        return (self.space_1, self.space_2, self.space_3, self.space_4)


class RuneRow(Row):
    """A line of ``runes.csv``; several colours stand apart by spaces."""

    id: str
    kind: RuneKind
    colours: tuple[Colour, ...]
    amount: NonNegativeInt

    @field_validator("colours", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return value.split() if isinstance(value, str) else value or ()


class TreeRow(Row):
    """A line of ``tree.csv``; its effect is read by ``spaces.py``."""

    id: str
    kind: Literal["altar", "root"]
    name: str
    effect: str
    first: NonNegativeInt
    second: NonNegativeInt


class ColourRow(Row):
    """A line of ``colours.csv``."""

    id: Colour
    place: NonNegativeInt
    opposite: Colour
    pair: str
    english: str
    korean: str
    spirit_english: str
    spirit_korean: str


class TermRow(Row):
    """A line of ``terms.csv``."""

    id: str
    english: str
    korean: str


class SeatsRow(Row):
    """An entry of ``seats`` in ``setup.yaml``."""

    seats: PositiveInt
    pieces: PositiveInt
    waiting: tuple[PositiveInt, ...]


class SetupFile(Row):
    """The whole of ``setup.yaml``."""

    pairs: tuple[tuple[Colour, Colour], ...]
    seasons: PositiveInt
    tokens_per_colour: PositiveInt
    tokens_per_root: PositiveInt
    neutral_pieces: PositiveInt
    altar_cost: PositiveInt
    new_start_drawn: PositiveInt
    seats: tuple[SeatsRow, ...]
