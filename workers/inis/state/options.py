"""What may be agreed before a game of Inis."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

MODULES: Final = ("fifth_player", "want_king", "seasons", "sea_travels", "new_epic_tales")
"""The modules of Seasons of Inis, in the order in which they are printed (expansion, section 1.2)."""


class InisOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What may be agreed before play (rules, section 1.4).

    Args:
        first_brenn: whether the Brenn of round 1 is the one of set-up, or the chieftain of the capital.
        deeds: whether a deed that completed a condition in vain is spent.
        eriu_stack: whether several clans placed by Eriu may go to one territory.
        window_floor: milliseconds that a response window stays open at least; kept by the table's life.
        fifth_player: whether a fifth may play, so five seats need it: a module of Seasons of Inis (expansion, section
            1.2).
        want_king: whether to play with the module of the King tile (expansion, section 1.2).
        seasons: whether to play with the module of seasons and festivals (expansion, section 1.2).
        sea_travels: whether to play with the module of islands and harbors (expansion, section 1.2).
        new_epic_tales: whether to play with the module of more Epic Tales (expansion, section 1.2).

    A module that is not asked for is not stored, so that tables of the base game say what they always did.
    """

    first_brenn: Literal["setup", "capital"] = "setup"
    deeds: Literal["single_use", "kept"] = "single_use"
    eriu_stack: Literal["off", "on"] = "off"
    window_floor: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    fifth_player: bool | UnsetType = UNSET
    want_king: bool | UnsetType = UNSET
    seasons: bool | UnsetType = UNSET
    sea_travels: bool | UnsetType = UNSET
    new_epic_tales: bool | UnsetType = UNSET

    @property
    def modules(self) -> frozenset[str]:
        """The modules asked for, by their names."""
        return frozenset(each for each in MODULES if getattr(self, each) is True)

    @property
    def expansion(self) -> str:
        """The name of the catalogue that holds the modules asked for."""
        return "seasons" if self.modules else ""

    @property
    def most_seats(self) -> int:
        """A fifth player needs the module of that name."""
        return 5 if "fifth_player" in self.modules else 4
