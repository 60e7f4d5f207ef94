"""Door 2: what a viewpoint is told of each step, and the form in which a table's story is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from events.codec import Unpacker, to_json
from events.messages import SPECTATOR, Event, Seat, Viewpoint
from events.tables.events import EVENTS as TABLE_EVENTS
from events.tables.events import StandingAnswerDropped, StandingAnswerSet
from projections.doors import told_door
from projections.kit.telling import Telling, Tellings, is_told_whole
from workers.tables.evolve import evolve
from workers.tables.state import TableState


class Chapter(msgspec.Struct, frozen=True, array_like=True):
    """
    What was told of one commit.

    Args:
        first: version after its first event; ``last`` after its last.
        at: milliseconds since 1970.
        seat: the seat whose command caused it, if it was a seat's and others are told anything of it.
        common: a JSON list of steps, as everybody was told them.
        private: the same list as certain seats were told it, where that differs; by the seat's number as text.
    """

    first: int
    last: int
    at: int
    seat: int | None
    common: bytes
    private: Mapping[str, bytes]

    def told(self, viewpoint: Viewpoint) -> bytes:
        """Return the JSON list of steps as a viewpoint was told them."""
        return self.common if viewpoint is None else self.private.get(str(viewpoint), self.common)


NOTHING: Final = to_json([])

TELLINGS: Final[Tellings] = {
    StandingAnswerSet: Telling(whole_to=("seat",), others=(None,)),
    StandingAnswerDropped: Telling(whole_to=("seat",), others=(None,)),
}
"""Events of table life that are not told everybody as they stand."""

read_chapter: Final = Unpacker[Chapter](Chapter)


def told(state: TableState, event: Event, viewpoint: Viewpoint) -> msgspec.Struct | None:
    """Return what the viewpoint is told of an event that happens to the state, or ``None`` for nothing."""
    if isinstance(event, TABLE_EVENTS):
        return event if is_told_whole(TELLINGS, event, viewpoint) else None
    return told_door(state.game)(state.game_state, event, viewpoint)


def chapter(before: TableState, events: Sequence[Event], *, at: int, seat: Seat | None) -> Chapter:
    """Return what every viewpoint is told of a commit."""
    *states, after = accumulate(events, evolve, initial=before)
    public = [told(state, event, SPECTATOR) for state, event in zip(states, events, strict=True)]
    common = _body(public)
    private = {}
    for each in map(Seat, range(len(after.places))):
        # Nobody is told more than an event as it stands, and no seat less than the spectator.
        own = [
            step if step is event else told(state, event, each)
            for state, event, step in zip(states, events, public, strict=True)
        ]
        if own != public and (body := _body(own)) != common:
            private[str(each)] = body
    return Chapter(before.version + 1, after.version, at, None if common == NOTHING else seat, common, private)


def _body(steps: Sequence[msgspec.Struct | None]) -> bytes:
    """Return what is told of some events as a JSON list; of some that is nothing."""
    return to_json([step for step in steps if step is not None])
