"""The whole game as the rest of the program takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.inori.commands import InoriCommand
from events.inori.events import InoriEvent
from events.inori.vocabulary import InoriCatalogue
from events.messages import Command, Event, Outcome, Seat
from workers.inori import legal, scoring
from workers.inori.decide import decide
from workers.inori.evolve import evolve
from workers.inori.setup import lay_out
from workers.inori.state import InoriOptions, InoriState
from workers.kit.decider import Context, Prompt, Refused, Rules

VERSION: Final = 1


class InoriRules:
    """Inori over one catalogue."""

    game = "inori"
    version = VERSION
    seats = range(2, 5)
    options: type[msgspec.Struct] = InoriOptions

    def __init__(self, catalogue: InoriCatalogue) -> None:
        self._catalogue = catalogue

    def initial(self, options: InoriOptions, seats: int) -> InoriState:
        return InoriState(catalogue=self._catalogue, options=options, seats=seats)

    def open_(self, state: InoriState, context: Context) -> Sequence[InoriEvent]:
        return lay_out(state, context.chance)

    def decide(self, state: InoriState, command: Command, context: Context) -> Sequence[InoriEvent]:
        if not isinstance(command, InoriCommand):
            raise Refused("malformed", path="$.kind", problem="no such command in this game")
        return decide(state, command, context)

    def evolve(self, state: InoriState, event: Event) -> InoriState:
        return evolve(state, event)

    def legal_commands(self, state: InoriState, seat: Seat) -> Sequence[InoriCommand]:
        return legal.legal_commands(state, seat)

    def prompts(self, state: InoriState) -> Mapping[Seat, Prompt]:
        return state.prompts

    def outcome(self, state: InoriState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: InoriState) -> None:
        if state.stones < 0:
            raise AssertionError("more stones were taken than there were")


def rules(catalogue: InoriCatalogue) -> Rules:
    """Return the rules over a catalogue."""
    return InoriRules(catalogue)
