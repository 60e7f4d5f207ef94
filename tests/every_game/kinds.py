"""The kinds of table that the tests of every game play: every number of seats, and options a game asks to be tested."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec

from events.games import GAMES
from events.tables.vocabulary import OptionValue
from services.bots.simulation.play import Setting
from services.bots.simulation.run import Order
from workers.games import GamesShelf

SHELF = GamesShelf()
TESTS: Final = Path(__file__).parents[1]


class TableKind(msgspec.Struct, frozen=True, kw_only=True):
    """A game with so many seats and options; those to be tested stand in ``OPTIONS`` of ``tests/<game>/options.py``."""

    game: str
    seats: int
    options: Mapping[str, OptionValue] = {}

    def __str__(self) -> str:
        return "-".join((self.game, str(self.seats), *self.options))

    @property
    def checked(self) -> int:
        """How many random tables are held to everything; fewer with options, which a game tests on its own as well."""
        return 4 if self.options else 12

    def setting(self, *, seed: int, number: int = 0) -> Setting:
        return Setting(game=self.game, seats=self.seats, seed=seed, number=number, options=self.options)

    def order(self, *, tables: int, seed: int, check: bool = False, digest: bool = False) -> Order:
        return Order(
            game=self.game,
            seats=self.seats,
            tables=tables,
            seed=seed,
            options=self.options,
            check=check,
            digest=digest,
        )


def seats_of(game: str) -> range:
    """Return the numbers of seats a game allows without options."""
    edition = SHELF.current(game)
    assert edition is not None
    return edition.rules.seats


def kinds_of(game: str) -> list[TableKind]:
    """Return what is played of a game: every number of seats, then the options it brings."""
    brings = (TESTS / game / "options.py").exists()
    options = import_module(f"tests.{game}.options").OPTIONS if brings else ()
    plain = [TableKind(game=game, seats=seats) for seats in seats_of(game)]
    return plain + [TableKind(game=game, seats=seats, options=asked) for seats, asked in options]


PLAIN = [TableKind(game=game, seats=seats) for game in GAMES for seats in seats_of(game)]
"""Tables without options."""
EVERY_KIND = [kind for game in GAMES for kind in kinds_of(game)]
