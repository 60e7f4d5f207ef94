"""The whole game as the rest of the program takes it, and what must hold in every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.inori.commands import InoriCommand
from events.inori.events import InoriEvent
from events.inori.vocabulary import InoriCatalogue
from events.messages import Command, Event, Outcome, Seat
from workers.inori import legal, scoring
from workers.inori.check import check
from workers.inori.decide import step
from workers.inori.evolve import evolve
from workers.inori.follow import follow
from workers.inori.setup import initial, lay_out
from workers.inori.state import InoriOptions, InoriState
from workers.kit.decider import Context, Prompt, Rules

VERSION: Final = 1


class InoriRules:
    """Inori over one catalogue."""

    game = "inori"
    version = VERSION
    options: type[msgspec.Struct] = InoriOptions

    def __init__(self, catalogue: InoriCatalogue) -> None:
        self._catalogue = catalogue
        self.seats = range(min(catalogue.seats), max(catalogue.seats) + 1)

    def initial(self, options: InoriOptions, seats: int) -> InoriState:
        return initial(self._catalogue, options, seats)

    def open_(self, state: InoriState, context: Context) -> Sequence[InoriEvent]:
        """Return set-up until the first player is asked."""
        return follow(state, *lay_out(state, context.chance), chance=context.chance)[0]

    def decide(self, state: InoriState, command: Command, context: Context) -> Sequence[InoriEvent]:
        return self.step(state, command, context)[0]

    def step(self, state: InoriState, command: Command, context: Context) -> tuple[Sequence[InoriEvent], InoriState]:
        return step(state, command, context)

    def evolve(self, state: InoriState, event: Event) -> InoriState:
        return evolve(state, event)

    def legal_commands(self, state: InoriState, seat: Seat) -> Sequence[InoriCommand]:
        return legal.legal_commands(state, seat)

    def prompts(self, state: InoriState) -> Mapping[Seat, Prompt]:
        return state.prompts

    def outcome(self, state: InoriState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: InoriState) -> None:
        check(state)


def rules(catalogue: InoriCatalogue) -> Rules:
    """Return the rules over a catalogue."""
    return InoriRules(catalogue)
