"""Random tables of Inori, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from events.messages import Event
from tests.inori.table import RULES
from tests.spec import context
from workers.inori.state import InoriOptions, InoriState

Moment = tuple[InoriState, Sequence[Event], InoriState]
"""The state before a command, its events, and the state after."""


def moments(seats: int, seed: int, options: InoriOptions | None = None) -> Iterator[Moment]:
    """Play a random table from set-up to the end."""
    chooser = random.Random(seed)
    state: InoriState = RULES.initial(options or InoriOptions(), seats)
    events = RULES.open_(state, context(seed=chooser.randbytes(32)))
    while True:
        after = state
        for event in events:
            after = RULES.evolve(after, event)
        yield state, events, after
        state = after
        prompts = RULES.prompts(state)
        if not prompts:
            return
        command = chooser.choice(RULES.legal_commands(state, next(iter(prompts))))
        events = RULES.decide(state, command, context(seed=chooser.randbytes(32)))
