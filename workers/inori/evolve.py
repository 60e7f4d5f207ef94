"""What a game of Inori becomes by what happens."""

from __future__ import annotations

from msgspec.structs import replace

from events.inori.events import HeapPiled, InoriEvent, StonesTaken
from events.messages import Seat
from workers.inori.state import InoriState
from workers.kit.evolver import evolver


def heap_piled(state: InoriState, event: HeapPiled) -> InoriState:
    return replace(state, stones=event.stones)


def stones_taken(state: InoriState, event: StonesTaken) -> InoriState:
    following = Seat((event.seat + 1) % state.seats)
    return replace(state, stones=state.stones - event.stones, turn=following, last=event.seat)


evolve = evolver(InoriEvent, heap_piled, stones_taken)
