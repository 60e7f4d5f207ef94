"""What applying several events has in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.messages import Seat
from events.nains.vocabulary import CardId, CoinId, NainsCatalogue
from workers.nains.state import Lord, NainsState, Recruit, Step

Agenda = tuple[tuple[Seat, Step], ...]


def with_lord(state: NainsState, seat: Seat, lord: Lord) -> NainsState:
    return replace(state, lords=(*state.lords[:seat], lord, *state.lords[seat + 1 :]))


def due(agenda: Agenda, lords: tuple[Lord, ...]) -> Agenda:
    """Return the agenda from the first step there is a reason for; a recruit needs a row not yet rewarded."""
    while agenda and isinstance(agenda[0][1], Recruit) and lords[agenda[0][0]].owed <= 0:
        agenda = agenda[1:]
    return agenda


def done(state: NainsState, seat: Seat, lord: Lord, *steps: Step, **changes: Any) -> NainsState:  # noqa: ANN401  fields of the state
    """Return the state with the first step of the agenda done by this Lord, and others in its place."""
    lords = (*state.lords[:seat], lord, *state.lords[seat + 1 :])
    agenda = state.agenda[1:]
    if steps:
        agenda = (*[(seat, step) for step in steps], *agenda)
    return replace(state, lords=lords, agenda=due(agenda, lords), **changes)


def left_in_tavern(state: NainsState, card: CardId) -> tuple[tuple[CardId, ...], ...]:
    """Return the taverns without a card of the one being resolved."""
    at = state.tavern - 1
    taverns = state.taverns
    return (*taverns[:at], tuple([each for each in taverns[at] if each != card]), *taverns[at + 1 :])


def in_order(catalogue: NainsCatalogue, coins: Sequence[CoinId]) -> tuple[CoinId, ...]:
    """Return coins in the one order that tells nothing of where they lay."""
    return tuple(sorted(coins, key=lambda coin: catalogue.coins[coin].place))
