"""What a game is to the rest of the program: a handful of pure functions over values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Final, Protocol

import msgspec

from events.chance import Chance
from events.messages import Command, Event, Outcome, Seat, kind_of
from events.tables.vocabulary import Actor

MOST_LEGAL: Final = 200
"""No position offers a seat more commands; a move with more ways is declared in steps."""


class Refused(Exception):
    """
    The rules' no: a stable code and details, never a sentence; the state stays as it was.

    Args:
        code: snake_case, stable for ever.
        details: plain values that help the sender; nothing that the sender may not know.
    """

    def __init__(self, code: str, **details: Any) -> None:  # noqa: ANN401  any value that can be packed
        super().__init__(code)
        self.code = code
        self.details = details


class Context(msgspec.Struct, frozen=True):
    """
    What comes from outside into a decision.

    Args:
        actor: who sent the command.
        at: milliseconds since 1970 at which the store took it in.
        chance: the draws this decision may make.
        standing: the windows at which a seat always passes, by seat.
    """

    actor: Actor
    at: int
    chance: Chance
    standing: Mapping[Seat, frozenset[str]] = {}


State = Any
"""A game's own state: whoever calls gives back what it was given."""

Options = Any
"""A value of the game's own type of options."""

Step = tuple[Sequence[Event], State]
"""Events, and the game's state after them."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=kind_of):
    """
    An open question to a seat; every viewpoint may know that it is open, and its kind.

    A class right below it that has others below is what these have in common, and is put to nobody itself.
    """


class WindowPrompt(Prompt, frozen=True, kw_only=True):
    """A response window: put to all at once who might answer, and no answer is known before it closes."""

    window: str


def questions(above: type[Prompt] = Prompt) -> Iterator[type[Prompt]]:
    """Give every question of all rules that are loaded."""
    for each in above.__subclasses__():
        if above is not Prompt or not each.__subclasses__():
            yield each
        yield from questions(each)


class Windowed(Protocol):
    """
    What rules with response windows have beside ``Rules``; table life looks for it by name.

    Args:
        windows: every kind of window; a seat may say for each that it always passes there.
    """

    windows: Sequence[str]

    def asked(self, state: State) -> Mapping[Seat, Prompt]:
        """Return the open questions as everybody may know them: who has answered a window stays until it closes."""


class Expandable(Protocol):
    """
    What the options of a game with an expansion have; table life looks for it by name.

    Args:
        expansion: the name of the expansion they ask for, empty for the base game.
        most_seats: the most seats that can be had with them.
    """

    expansion: str
    most_seats: int


class Rules(Protocol):
    """
    One game in one version over one catalogue.

    State, commands, events and options are the game's own types.
    """

    game: str
    version: int
    seats: range
    options: type[msgspec.Struct]

    def initial(self, options: Options, seats: int) -> State:
        """Return the state before set-up."""

    def open_(self, state: State, context: Context) -> Sequence[Event]:
        """Return the events of set-up."""

    def decide(self, state: State, command: Command, context: Context) -> Sequence[Event]:
        """Return what the command causes, or raise ``Refused``."""

    def step(self, state: State, command: Command, context: Context) -> Step:
        """
        Return what ``decide`` returns, with the state after it.

        ``stepped`` does; a game whose decisions look ahead gives the state it has come to, so that nobody applies
        the same events twice.
        """

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after the event; total, and checks nothing."""

    def legal_commands(self, state: State, seat: Seat) -> Sequence[Command]:
        """Return exactly what ``decide`` accepts from the seat, ``MOST_LEGAL`` at most; empty when nothing is asked."""

    def prompts(self, state: State) -> Mapping[Seat, Prompt]:
        """Return the open questions, by seat."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""

    def check(self, state: State) -> None:
        """Raise ``AssertionError`` when an invariant of the game does not hold."""


def stepped(rules: Rules, state: State, command: Command, context: Context) -> Step:
    """Return what the rules decide, and the state that it makes."""
    events = rules.decide(state, command, context)
    return events, reduce(rules.evolve, events, state)
