"""What holds for every message that is kept."""

from __future__ import annotations

import pytest

from events import commit
from events.games import GAMES, commands_module, events_module
from events.messages import members
from events.tables.commands import COMMANDS
from events.tables.events import EVENTS
from events.tables.vocabulary import Actor

ENTRIES = (*members(commit.Entry), commit.Envelope, commit.Received, commit.StoredEvent, Actor)


@pytest.mark.parametrize("game", GAMES)
def test_a_long_history_is_no_work_for_the_collector_of_cycles(game: str) -> None:
    unions = COMMANDS, EVENTS, commands_module(game).COMMANDS, events_module(game).EVENTS
    kept = [*ENTRIES, *(each for union in unions for each in members(union))]
    assert [each.__name__ for each in kept if each.__struct_config__.gc] == []
