"""Given, when, then: scenarios of pure rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from events.chance import Chance
from events.messages import Command, Event
from events.tables.vocabulary import Actor
from workers.kit.decider import Context, Refused, Rules

SEED = bytes(range(32))


def context(*, seed: bytes = SEED, version: int = 1) -> Context:
    """Return a context whose draws are the same in every run."""
    return Context(actor=Actor("seat", "tests"), at=0, chance=Chance(seed, version))


class Scenario(msgspec.Struct, frozen=True):
    """A state of a game, and what may happen to it."""

    rules: Rules
    state: Any

    def given(self, *events: Event) -> Scenario:
        """Return the scenario after what has already happened."""
        state = self.state
        for event in events:
            state = self.rules.evolve(state, event)
        return msgspec.structs.replace(self, state=state)

    def given_state(self, change: Callable[[Any], Any]) -> Scenario:
        """Return the scenario with a state made by hand."""
        return msgspec.structs.replace(self, state=change(self.state))

    def when(self, *commands: Command, seed: bytes = SEED) -> Happened:
        """Send the commands one after another; the last one's events are what happened."""
        scenario = self
        events: tuple[Event, ...] = ()
        for number, command in enumerate(commands):
            try:
                events = tuple(self.rules.decide(scenario.state, command, context(seed=seed, version=number)))
            except Refused as refused:
                return Happened(scenario, (), refused.code, refused.details)
            scenario = scenario.given(*events)
        return Happened(scenario, events)


class Happened(msgspec.Struct, frozen=True):
    """What came of the last command."""

    after: Scenario
    events: Sequence[Event]
    code: str | None = None
    details: dict[str, Any] = msgspec.field(default_factory=dict)

    def then(self, *expected: Event) -> Happened:
        """Check that exactly these events happened, in this order."""
        assert self.code is None, self.code
        assert list(expected) == list(self.events)
        return self

    def then_includes(self, *expected: Event) -> Happened:
        """Check that these events happened in this order, perhaps with others between."""
        assert self.code is None, self.code
        rest = iter(self.events)
        for event in expected:
            assert event in rest, f"{event} is not among {self.events}, or too early"
        return self

    def then_none(self, kind: type[Event]) -> Happened:
        """Check that no event of this kind happened."""
        assert self.code is None, self.code
        assert [] == [event for event in self.events if isinstance(event, kind)]
        return self

    def then_refused(self, code: str, **details: object) -> Happened:
        """Check that the rules said no, with this code and at least these details."""
        assert code == self.code
        assert details == {name: self.details.get(name) for name in details}
        return self

    def state(self) -> Any:  # noqa: ANN401  the game's own type
        """Return the state afterwards."""
        assert self.code is None, self.code
        return self.after.state
