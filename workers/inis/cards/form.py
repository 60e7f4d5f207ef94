"""How a card is declared: part after part, each chosen among what its form offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from events.inis.vocabulary import Part, TerritoryId
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.state import InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import EnterMountains, Move
from workers.inis.steps.clash import Clashes

Parts = tuple[Part, ...]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """
    What can be declared next.

    Args:
        options: the parts to choose from.
        last: choosing one completes the declaration.
        enough: the declaration may be confirmed as it is.
    """

    options: Sequence[Part] = ()
    last: bool = False
    enough: bool = False


NOTHING: Final = Form()

Effect = Callable[[InisState, Play], Steps]
Declaration = Callable[[InisState, Seat, Parts], Form]


def one_of(options: Iterable[Part]) -> Form:
    """Return a form that one choice completes."""
    return Form(options=tuple(options), last=True)


def territories(names: Iterable[TerritoryId]) -> list[Part]:
    return [Part(territory=each) for each in names]


def where_present(state: InisState, seat: Seat) -> list[Part]:
    return territories(state.present_in(seat))


def amounts_to(targets: Iterable[TerritoryId], most: int) -> list[Part]:
    """Return every number of clans to every target."""
    return [Part(to=target, amount=amount) for target in targets for amount in range(1, most + 1)]


def declared(parts: Iterable[Part]) -> int:
    """Return how many clans the parts speak of."""
    return sum(part.amount or 0 for part in parts)


def from_around(state: InisState, seat: Seat, target: TerritoryId, parts: Parts) -> list[Part]:
    """Return every number of clans out of every adjacent territory not named yet."""
    named = [part.territory for part in parts]
    return [
        Part(territory=source, amount=amount)
        for source in state.ways(target)
        if source not in named
        for amount in range(1, state.lands[source].clans[seat] + 1)
    ]


def spread_from(state: InisState, source: TerritoryId, clans: int, parts: Parts) -> Form:
    """Return the form of moving one clan or more to any adjacent territories."""
    named = [part.to for part in parts]
    targets = [each for each in state.ways(source) if each not in named]
    return Form(options=amounts_to(targets, clans - declared(parts)), enough=bool(parts))


def marching(state: InisState, seat: Seat, moves: Sequence[Move], *, clash: bool) -> Steps:
    """Return moves, then the Mountains effect, then the clashes they start (rules, section 4.1)."""
    targets = tuple(dict.fromkeys(move.to for move in moves))
    mountains = (EnterMountains(seat),) if "mountains" in targets else ()
    clashes = (Clashes(instigator=seat, territories=targets),) if clash and targets else ()
    return (*moves, *mountains, *clashes)
