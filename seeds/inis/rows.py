"""The lines and entries of the catalogue files, as a person writes them."""

from __future__ import annotations

from typing import get_args

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt, field_validator

from events.inis.vocabulary import WindowKind

MOMENTS = (*get_args(WindowKind), "maneuver", "any_time")


class Row(BaseModel):
    """What all of them have in common: nothing more than is known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CardRow(Row):
    """What the lines of all card files say."""

    id: str
    season: bool
    answers: tuple[str, ...]

    @field_validator("answers", mode="before")
    @classmethod
    def _moments(cls, value: object) -> object:
        moments = tuple(value.split()) if isinstance(value, str) else value
        for moment in moments if isinstance(moments, tuple) else ():
            if moment not in MOMENTS:
                raise ValueError(f"there is no moment {moment}")
        return moments


class ActionRow(CardRow):
    """A line of ``actions.csv``."""

    name: str
    four_only: bool


class TaleRow(CardRow):
    """A line of ``epic_tales.csv``."""

    name: str


class AdvantageRow(CardRow):
    """A line of ``advantages.csv``; the card bears the name of its territory."""


class TerritoryRow(Row):
    """A line of ``territories.csv``."""

    id: str
    name: str
    entry_sanctuaries: NonNegativeInt
    citadels: bool


class PlayersRow(Row):
    """An entry of ``players`` in ``setup.yaml``."""

    players: PositiveInt
    dealt: PositiveInt
    drafts: PositiveInt
    four_only: bool


def checked_locations(value: tuple[str, ...]) -> tuple[str, ...]:
    """Return places of tiles as they are, if they are such; ``ValueError`` otherwise."""
    for location in value:
        q, comma, r = location[1:].partition(",")
        if location[:1] not in ("U", "D") or not comma or not _whole(q) or not _whole(r):
            raise ValueError(f"{location} is no place of a tile: an orientation U or D, and two whole numbers")
    return value


class SetupFile(Row):
    """The whole of ``setup.yaml``."""

    clans: PositiveInt
    start_clans: PositiveInt
    citadels: NonNegativeInt
    sanctuaries: PositiveInt
    goal: PositiveInt
    layout: tuple[str, ...]
    touching: PositiveInt
    players: tuple[PlayersRow, ...]
    amounts: dict[str, PositiveInt]

    _locations = field_validator("layout")(checked_locations)


def _whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
