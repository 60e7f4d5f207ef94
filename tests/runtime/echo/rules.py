"""The rules of the game of echoes, and the shelf they stand on."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from events.messages import Command, Event, Outcome, Seat
from tests.runtime.echo.commands import Balk, Crash, Echo, Finish, Kill, Ponder
from tests.runtime.echo.events import Echoed, Finished
from workers.kit.decider import Context, Prompt, Refused, Rules, Step, stepped
from workers.tables.state import Edition, RulesUnavailableError

DIGEST = bytes(32)


class EchoOptions(msgspec.Struct, frozen=True, kw_only=True):
    """``turns``: seats speak one after another; otherwise all are asked at once, again and again."""

    turns: bool = False


class Speak(Prompt, frozen=True):
    """Say something."""


class EchoState(msgspec.Struct, frozen=True, kw_only=True):
    """How many echoes there were."""

    seats: int
    turns: bool
    echoes: int = 0
    over: bool = False


class EchoRules:
    """Implements ``Rules``."""

    game = "echo"
    version = 1
    seats = range(1, 8)
    options: type[msgspec.Struct] = EchoOptions

    def initial(self, options: EchoOptions, seats: int) -> EchoState:
        return EchoState(seats=seats, turns=options.turns)

    def open_(self, state: EchoState, context: Context) -> Sequence[Event]:
        return []

    def decide(self, state: EchoState, command: Command, context: Context) -> Sequence[Event]:
        if isinstance(command, Echo):
            if command.seat not in self.prompts(state):
                raise Refused("not_your_turn")
            return [Echoed(seat=command.seat, text=command.text)]
        return self._strange(command)

    def step(self, state: EchoState, command: Command, context: Context) -> Step:
        return stepped(self, state, command, context)

    def _strange(self, command: Command) -> Sequence[Event]:
        match command:
            case Balk():
                raise Refused("told_to_refuse")
            case Crash():
                raise RuntimeError("told to crash")
            case Kill():
                os.kill(os.getpid(), signal.SIGKILL)
            case Ponder():
                time.sleep(command.seconds)
                return [Echoed(seat=command.seat, text="thought")]
            case Finish():
                return [Finished()]
        raise AssertionError(f"no echo of {command}")

    def evolve(self, state: EchoState, event: Event) -> EchoState:
        if isinstance(event, Finished):
            return replace(state, over=True)
        return replace(state, echoes=state.echoes + 1)

    def legal_commands(self, state: EchoState, seat: Seat) -> Sequence[Command]:
        return [Echo(seat=seat)] if seat in self.prompts(state) else []

    def prompts(self, state: EchoState) -> Mapping[Seat, Prompt]:
        if state.turns:
            return {Seat(state.echoes % state.seats): SPEAK}
        return {Seat(seat): SPEAK for seat in range(state.seats)}

    def outcome(self, state: EchoState) -> Outcome | None:
        return Outcome(reason="finished", ranking=(tuple(map(Seat, range(state.seats))),)) if state.over else None

    def check(self, state: EchoState) -> None:
        """There is nothing to be wrong."""


SPEAK = Speak()
RULES: Rules = EchoRules()


class EchoShelf:
    """Implements ``RulesShelf``; holds one version, as a real shelf may."""

    def __init__(self, version: int = 1) -> None:
        self._version = version

    def current(self, game: str) -> Edition | None:
        return Edition(rules=RULES, catalogue=1, digest=DIGEST) if game == "echo" else None

    def find(self, *, game: str, rules: int, digest: bytes) -> Rules:
        if (game, rules) != ("echo", self._version):
            raise RulesUnavailableError(f"{game} rules {rules} are not here")
        return RULES
