"""The agenda: what a step may be for, and how it gives way to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.state import InisState
from workers.kit.decider import Context, Prompt

Steps = tuple[Any, ...]


class Lore(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is known of the steps of one part of the rules, by the type of the step.

    Args:
        silent: what a step turns into without an event; none when it waits for one.
        happens: the event a step brings about by itself; none when it waits for an answer.
        options: what can be chosen for a question.
        answers: the event that a choice brings about.
        choices: what follows when the answer is a ``ChoiceMade``.
        asks: the open questions of a step that is not a question itself.
    """

    silent: Mapping[type[Any], Callable[[InisState, Any], InisState | None]] = {}
    happens: Mapping[type[Any], Callable[[InisState, Any, Context], InisEvent | None]] = {}
    options: Mapping[type[Any], Callable[[InisState, Any, Seat], Sequence[Part]]] = {}
    answers: Mapping[type[Any], Callable[[InisState, Any, Seat, Part], InisEvent]] = {}
    choices: Mapping[type[Any], Callable[[InisState, Any, Part], InisState]] = {}
    asks: Mapping[type[Any], Callable[[InisState, Any], Mapping[Seat, Prompt]]] = {}


def done(state: InisState, *steps: Any, **changes: Any) -> InisState:  # noqa: ANN401  steps; fields of the state
    """Return the state with other steps, or none, in place of the first one."""
    return replace(state, agenda=(*steps, *state.agenda[1:]), **changes)


def next_of(state: InisState, kind: type[Any]) -> int:
    """Return where the next step of a kind stands on the agenda; ``LookupError`` when there is none."""
    for place, step in enumerate(state.agenda):
        if type(step) is kind:
            return place
    raise LookupError(kind.__name__)


def changed(state: InisState, kind: type[Any], **fields: Any) -> Steps:  # noqa: ANN401  fields of the step
    """Return the agenda with the next step of a kind changed."""
    place = next_of(state, kind)
    agenda = state.agenda
    return (*agenda[:place], replace(agenda[place], **fields), *agenda[place + 1 :])
