"""The whole game as the rest of the program takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.inis.commands import InisCommand
from events.inis.events import InisEvent
from events.inis.vocabulary import InisCatalogue
from events.messages import Command, Event, Outcome, Seat
from workers.inis import legal, scoring
from workers.inis.check import check
from workers.inis.decide import step
from workers.inis.evolve import evolve
from workers.inis.follow import follow
from workers.inis.seasons.check import check_modules
from workers.inis.seasons.king import shared_outcome
from workers.inis.seasons.setup import components
from workers.inis.seasons.setup import initial as seasons_initial
from workers.inis.seasons.windows import WINDOWS as SEASONS_WINDOWS
from workers.inis.setup import initial
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.windows import WINDOWS
from workers.kit.decider import Context, Prompt, Rules

VERSION: Final = 1


class InisRules:
    """Inis over one catalogue."""

    game = "inis"
    version = VERSION
    options: type[msgspec.Struct] = InisOptions
    windows: Sequence[str] = WINDOWS

    def __init__(self, catalogue: InisCatalogue) -> None:
        self._catalogue = catalogue
        self.seats = range(min(catalogue.players), max(catalogue.players) + 1)

    def initial(self, options: InisOptions, seats: int) -> InisState:
        return initial(self._catalogue, options, seats)

    def open_(self, state: InisState, context: Context) -> Sequence[InisEvent]:
        return follow(state, None, context)[0]

    def decide(self, state: InisState, command: Command, context: Context) -> Sequence[InisEvent]:
        return self.step(state, command, context)[0]

    def step(self, state: InisState, command: Command, context: Context) -> tuple[Sequence[InisEvent], InisState]:
        return step(state, command, context)

    def evolve(self, state: InisState, event: Event) -> InisState:
        return evolve(state, event)

    def legal_commands(self, state: InisState, seat: Seat) -> Sequence[InisCommand]:
        return legal.legal_commands(state, seat)

    def prompts(self, state: InisState) -> Mapping[Seat, Prompt]:
        return legal.prompts(state)

    def asked(self, state: InisState) -> Mapping[Seat, Prompt]:
        return legal.asked(state)

    def outcome(self, state: InisState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: InisState) -> None:
        check(state)


def rules(catalogue: InisCatalogue) -> Rules:
    """Return the rules over a catalogue: those of the base game, or with Seasons of Inis where it holds that."""
    return InisRules(catalogue) if catalogue.modules is None else SeasonsRules(catalogue)


class SeasonsRules(InisRules):
    """Inis with modules of Seasons of Inis."""

    windows = (*WINDOWS, *SEASONS_WINDOWS)

    def __init__(self, catalogue: InisCatalogue) -> None:
        super().__init__(catalogue)
        self._in_play: dict[tuple[frozenset[str], int], InisCatalogue] = {}

    def initial(self, options: InisOptions, seats: int) -> InisState:
        key = (options.modules, seats)
        if key not in self._in_play:
            self._in_play[key] = components(self._catalogue, options, seats)
        return seasons_initial(self._in_play[key], options, seats)

    def outcome(self, state: InisState) -> Outcome | None:
        return scoring.outcome(state) or shared_outcome(state)

    def check(self, state: InisState) -> None:
        check(state)
        check_modules(state)
