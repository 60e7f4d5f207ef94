"""The whole game as the rest of the program takes it, and what must hold in every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.messages import Command, Event, Outcome, Seat
from events.nains.commands import NainsCommand
from events.nains.events import NainsEvent
from events.nains.vocabulary import NainsCatalogue
from workers.kit.decider import Context, Prompt, Rules
from workers.nains import legal, scoring
from workers.nains.check import check
from workers.nains.decide import step
from workers.nains.evolve import evolve
from workers.nains.follow import follow
from workers.nains.setup import initial, lay_out
from workers.nains.state import NainsOptions, NainsState

VERSION: Final = 1


class NainsRules:
    """Nains over one catalogue."""

    game = "nains"
    version = VERSION
    options: type[msgspec.Struct] = NainsOptions

    def __init__(self, catalogue: NainsCatalogue) -> None:
        self._catalogue = catalogue
        self.seats = range(min(catalogue.lords), max(catalogue.lords) + 1)

    def initial(self, options: NainsOptions, seats: int) -> NainsState:
        return initial(self._catalogue, options, seats)

    def open_(self, state: NainsState, context: Context) -> Sequence[NainsEvent]:
        """Return set-up and the first turn's cards."""
        events = list(lay_out(state, context.chance))
        for event in events[:-1]:
            state = evolve(state, event)
        return [*events[:-1], *follow(state, events[-1], context.chance)[0]]

    def decide(self, state: NainsState, command: Command, context: Context) -> Sequence[NainsEvent]:
        return self.step(state, command, context)[0]

    def step(self, state: NainsState, command: Command, context: Context) -> tuple[Sequence[NainsEvent], NainsState]:
        return step(state, command, context)

    def evolve(self, state: NainsState, event: Event) -> NainsState:
        return evolve(state, event)

    def legal_commands(self, state: NainsState, seat: Seat) -> Sequence[NainsCommand]:
        return legal.legal_commands(state, seat)

    def prompts(self, state: NainsState) -> Mapping[Seat, Prompt]:
        return state.prompts

    def outcome(self, state: NainsState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: NainsState) -> None:
        check(state)


def rules(catalogue: NainsCatalogue) -> Rules:
    """Return the rules over a catalogue."""
    return NainsRules(catalogue)
