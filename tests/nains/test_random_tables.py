"""Whole tables played by chance (rules, sections 3 and 4.5)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from events.messages import Command, Seat
from events.nains.commands import NainsCommand
from tests.nains.table import RULES
from tests.nains.test_secrets import played
from tests.spec import context
from workers.kit.decider import Refused
from workers.nains.state import NainsState

TABLES = 12
MOST_OFFERED = 200


@pytest.mark.parametrize("lords", [2, 3, 4, 5])
def test_random_tables_keep_all_invariants_to_the_end(lords: int) -> None:
    """Coins, Treasury, cards, gems and questions; the last state has an outcome of all eight parts."""
    for seed in range(TABLES):
        state = None
        for _, _, state in played(lords, seed):
            RULES.check(state)
        assert state is not None
        outcome = RULES.outcome(state)
        assert outcome is not None
        assert list(range(lords)) == sorted(seat for group in outcome.ranking for seat in group)
        assert [sum(each.parts.values()) for each in outcome.scores] == [each.total for each in outcome.scores]


@pytest.mark.parametrize("lords", [2, 3, 5])
def test_what_is_offered_is_accepted_and_nothing_else(lords: int) -> None:
    """Every offer is decided; offers of other moments, seats and numbers are refused."""
    chooser = random.Random(lords)
    strangers: list[Command] = []
    for state, _, _ in played(lords, 7):
        offered: list[Command] = []
        for seat in range(lords):
            offers = RULES.legal_commands(state, Seat(seat))
            assert len(offers) <= MOST_OFFERED
            assert len(set(offers)) == len(offers)
            offered += offers
        assert all(accepted(state, command) for command in offered)
        assert not any(accepted(state, each) for each in strangers if each not in offered)
        strangers += [*chooser.sample(offered, 1), *moved(chooser.choice(offered))]
        strangers = strangers[-60:]


def moved(command: Command) -> list[Command]:
    """Return a command as seats that are not there would send it."""
    return [replace(command, seat=seat) for seat in (-1, 5, 99) if isinstance(command, NainsCommand)]


def accepted(state: NainsState, command: Command) -> bool:
    try:
        RULES.decide(state, command, context())
    except Refused:
        return False
    return True
