"""Whole tables played by chance (rules, section 9, invariants)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from events.inori.commands import InoriCommand
from events.messages import Command, Seat
from tests.inori.play import moments
from tests.inori.table import RULES
from tests.spec import context
from workers.inori.state import InoriOptions, InoriState
from workers.kit.decider import Refused

TABLES = 6
MOST_OFFERED = 200
OPTIONS = [
    InoriOptions(),
    InoriOptions(roots_close=True),
    InoriOptions(one_rune_per_turn=True),
    InoriOptions(roots_close=True, one_rune_per_turn=True),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_tables_keep_all_invariants_to_the_end(seats: int, options: InoriOptions) -> None:
    """Tokens, pieces, runes, cards and questions, by every option; the last state has an outcome of three parts."""
    for seed in range(TABLES):
        state = None
        for _, _, state in moments(seats, seed, options):
            RULES.check(state)
        assert state is not None
        outcome = RULES.outcome(state)
        assert outcome is not None
        assert list(range(seats)) == sorted(seat for group in outcome.ranking for seat in group)
        assert [sum(each.parts.values()) for each in outcome.scores] == [each.total for each in outcome.scores]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_offered_is_accepted_and_nothing_else(seats: int, options: InoriOptions) -> None:
    """Every offer is decided; offers of other moments, seats and numbers are refused."""
    chooser = random.Random(seats)
    strangers: list[Command] = []
    for _, _, state in moments(seats, 7, options):
        offered: list[Command] = []
        for seat in range(seats):
            offers = RULES.legal_commands(state, Seat(seat))
            assert len(offers) <= MOST_OFFERED
            assert len(set(offers)) == len(offers)
            offered += offers
        assert all(accepted(state, command) for command in offered)
        assert not any(accepted(state, each) for each in strangers if each not in offered)
        if offered:
            strangers += [*chooser.sample(offered, 1), *moved(chooser.choice(offered))]
            strangers = strangers[-60:]


def moved(command: Command) -> list[Command]:
    """Return a command as seats that are not there would send it."""
    return [replace(command, seat=seat) for seat in (-1, 5, 99) if isinstance(command, InoriCommand)]


def accepted(state: InoriState, command: Command) -> bool:
    try:
        RULES.decide(state, command, context())
    except Refused:
        return False
    return True
