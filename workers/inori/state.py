"""What is true of a game of Inori."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from events.inori.vocabulary import InoriCatalogue
from events.messages import Seat
from workers.kit.decider import Prompt


class InoriOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose; each field has a default."""

    last_stone_loses: bool = False


class Take(Prompt, frozen=True, kw_only=True):
    """How many stones to take, one to ``most``."""

    most: int


class InoriState(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game after its last event.

    Args:
        stones: how many are left.
        turn: whose turn it is.
    """

    catalogue: InoriCatalogue
    options: InoriOptions
    seats: int
    stones: int = 0
    turn: Seat = Seat(0)
    last: Seat | None = None

    @property
    def is_over(self) -> bool:
        return self.last is not None and self.stones == 0

    @property
    def prompts(self) -> Mapping[Seat, Prompt]:
        if self.is_over:
            return {}
        return {self.turn: Take(most=min(self.catalogue.most_taken, self.stones))}
