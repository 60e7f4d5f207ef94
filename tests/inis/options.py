"""Options with which the tests of every game play Inis too: numbers of seats, and what is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.tables.vocabulary import OptionValue
from workers.inis.state.options import MODULES

OPTIONS: Final[tuple[tuple[int, Mapping[str, OptionValue]], ...]] = (
    (5, dict.fromkeys(MODULES, True)),
    (3, {"seasons": True, "sea_travels": True, "new_epic_tales": True, "want_king": True}),
)
"""Tables of Seasons of Inis: all of it, and what three players have of it."""
