"""The games this program knows, and where their words live."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

GAMES: Final = ("inis", "inori", "nains")
"""Every game, in alphabetical order; a game's folders in all rooms bear its name."""


def game_of(table: str) -> str | None:
    """Return the game a table's name carries, or ``None`` when this program does not know it."""
    game, dash, _ = table.partition("-")
    return game if dash and game in GAMES else None


@cache
def commands_module(game: str) -> ModuleType:
    """Return the module whose ``COMMANDS`` is the union of the game's commands."""
    return import_module(f"events.{game}.commands")


@cache
def events_module(game: str) -> ModuleType:
    """Return the module whose ``EVENTS`` is the union of the game's events."""
    return import_module(f"events.{game}.events")


@cache
def upcasters_module(game: str) -> ModuleType:
    """Return the module whose ``UPCASTERS`` lifts old event bodies to the next schema version."""
    return import_module(f"events.{game}.upcasters")
