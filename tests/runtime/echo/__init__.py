"""The smallest game there is: its rules only echo, so that tests and measurements see the machinery alone."""

from __future__ import annotations

import sys

from events import games
from tests.runtime.echo import commands, events, upcasters

NAME = "echo"


def learn() -> None:
    """Make the game known to this process, as a line in ``events/games.py`` would."""
    if NAME not in games.GAMES:
        vars(games)["GAMES"] = (*games.GAMES, NAME)
    for module in (commands, events, upcasters):
        sys.modules[f"events.{NAME}.{module.__name__.rpartition('.')[2]}"] = module
