"""How a game of Inori begins."""

from __future__ import annotations

from collections.abc import Sequence

from events.chance import Chance
from events.inori.events import HeapPiled, InoriEvent
from workers.inori.state import InoriState


def lay_out(state: InoriState, chance: Chance) -> Sequence[InoriEvent]:
    """Return the events of set-up."""
    numbers = state.catalogue
    spread = numbers.most_stones - numbers.least_stones + 1
    return [HeapPiled(stones=numbers.least_stones + chance.below(spread))]
