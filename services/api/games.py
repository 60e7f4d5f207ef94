"""What can be played here: seats, options and commands of every game."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Response

from events.codec import to_json
from events.games import GAMES
from projections.tables.games import describe
from services.api.bodies import Body
from services.api.shapes import command_schemas, commands_of, option_schema

router = APIRouter(prefix="/v1/games", tags=["games"])


class Seats(Body):
    """
    The fewest and the most seats of a table.

    Args:
        most: with fitting options; the description of an option tells where seats need it.
    """

    least: int
    most: int


class Game(Body):
    """A game; ``options`` and ``schemas`` are JSON schemas, ``commands`` names the schema of each kind."""

    game: str
    seats: Seats
    rules: int
    catalogue: int
    options: dict[str, Any]
    commands: dict[str, str]
    schemas: dict[str, Any]


class Games(Body):
    """Every game of this program."""

    games: list[Game]


@router.get("", response_model=Games)
def list_games() -> Response:
    """Return every game that tables can be opened of."""
    return Response(_games(), media_type="application/json")


@cache
def _games() -> bytes:
    return to_json({"games": [_game(game) for game in GAMES]})


def _game(game: str) -> dict[str, Any]:
    about = describe(game)
    return {
        "game": game,
        "seats": {"least": about.least, "most": about.most},
        "rules": about.rules,
        "catalogue": about.catalogue,
        "options": option_schema(game),
        "commands": commands_of(game),
        "schemas": command_schemas(game),
    }
