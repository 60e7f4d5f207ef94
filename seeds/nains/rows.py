"""The lines and entries of the catalogue files, as a person writes them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt, field_validator

from events.nains.vocabulary import Colour, Effect, Order, Per


class Row(BaseModel):
    """What all of them have in common: nothing more than is known, and nothing for an empty cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value


class DwarfRow(Row):
    """A line of ``dwarves.csv``."""

    id: str
    era: Literal[1, 2]
    order: Order
    ranks: PositiveInt
    points: NonNegativeInt
    malt: NonNegativeInt
    hidden: NonNegativeInt
    rune: str | None
    least_lords: PositiveInt

    @field_validator("era", mode="before")
    @classmethod
    def _era_is_a_number(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.isdecimal() else value


class FighterRow(Row):
    """A line of ``fighters.csv``."""

    id: str
    name: str
    rank_colour: Literal["coloured", "white", "black"]
    order: Order | None
    ranks: NonNegativeInt
    points: NonNegativeInt
    malt: NonNegativeInt
    hidden: NonNegativeInt
    rune: str | None
    each: NonNegativeInt
    per: Per | None
    effect: Effect | None
    amount: NonNegativeInt


class MercenaryRow(Row):
    """A line of ``mercenaries.csv``."""

    id: str
    name: str
    ranks: PositiveInt
    points: NonNegativeInt
    malt: NonNegativeInt
    hidden: NonNegativeInt
    rune: str | None


class AwardRow(Row):
    """A line of ``awards.csv``."""

    id: str
    name: str
    won_by: Order | Literal["malt"]
    points: NonNegativeInt
    malt: NonNegativeInt
    hidden: NonNegativeInt
    rune: str | None
    each: NonNegativeInt
    per: Per | None
    effect: Effect | None
    amount: NonNegativeInt


class CoinRow(Row):
    """A line of ``coins.csv``."""

    id: str
    colour: Colour
    value: NonNegativeInt
    exchange: bool
    copies: PositiveInt
    thin_copies: PositiveInt


class LordsRow(Row):
    """An entry of ``lords`` in ``setup.yaml``."""

    lords: PositiveInt
    gems: tuple[PositiveInt, ...]
    cards_per_tavern: PositiveInt
    turns_per_era: PositiveInt
    first_discards_in: tuple[PositiveInt, ...]
    thins_treasury: bool


class BeyondRow(Row):
    """What continues the Shield table."""

    plus: NonNegativeInt
    over: PositiveInt


class ShieldRow(Row):
    """The Shield table of ``setup.yaml``."""

    worth: tuple[NonNegativeInt, ...]
    beyond: BeyondRow


class SetupFile(Row):
    """The whole of ``setup.yaml``."""

    taverns: tuple[str, ...]
    lords: tuple[LordsRow, ...]
    runes: dict[str, str]
    shield: ShieldRow
    retaliation_upgrade: PositiveInt
