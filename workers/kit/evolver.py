"""Finds the function that applies an event, through a table that is checked to be complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from events.messages import Event, members

State = TypeVar("State")


def evolver(
    union: Any,  # noqa: ANN401  a union of structs has no narrower type
    *functions: Callable[[State, Any], State],
) -> Callable[[State, Event], State]:
    """
    Return one function that applies any event of the union.

    Each function takes the state and an annotated event.
    Raises ``TypeError`` when an event of the union has no function, or two.
    """
    table: dict[type[Event], Callable[[State, Any], State]] = {}
    for function in functions:
        hints = get_type_hints(function)
        hints.pop("return", None)
        *_, event = hints.values()
        for kind in members(event):
            if kind in table:
                raise TypeError(f"{kind.__name__} is applied by two functions")
            table[kind] = function
    if missing := [kind.__name__ for kind in members(union) if kind not in table]:
        raise TypeError(f"no function applies {', '.join(missing)}")

    def evolve(state: State, event: Event) -> State:
        return table[type(event)](state, event)

    return evolve
