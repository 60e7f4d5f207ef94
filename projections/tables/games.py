"""What anybody may know of the games this program plays: how many seats, which options."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from workers.games import GamesShelf

SHELF: Final = GamesShelf()
"""The rules of this program, for whoever reads tables; nothing is loaded before it is asked for."""


class GameDescription(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game as new tables of it are opened.

    Args:
        least: the fewest seats; ``most`` the most that any options allow.
        options: the type of its options, with their defaults.
        rules: version of its rules, and ``catalogue`` of its components.
    """

    game: str
    least: int
    most: int
    options: type[msgspec.Struct]
    rules: int
    catalogue: int


@cache
def describe(game: str) -> GameDescription:
    """Return what is known of a game of this program."""
    edition = SHELF.current(game)
    if edition is None:
        raise ValueError(f"the game {game!r} is not known here")
    seats = edition.seats
    return GameDescription(
        game=game,
        least=seats.start,
        most=seats.stop - 1,
        options=edition.rules.options,
        rules=edition.rules.version,
        catalogue=edition.catalogue,
    )
