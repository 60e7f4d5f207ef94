"""What is true of a game beyond the base game (expansion, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from events.inis.vocabulary import KingSide, Location, SeasonId, TerritoryId
from events.messages import Seat
from workers.inis.lattice import SEA

COVE: Final = TerritoryId("cove")
ABER: Final = TerritoryId("aber")
ISLE_OF_JOY: Final = TerritoryId("isle_of_joy")
HY_BREASIL: Final = TerritoryId("hy_breasil")


class Bran(msgspec.Struct, frozen=True, kw_only=True):
    """Bran's Journey lies open: whose it is, and how many clans are on it."""

    seat: Seat
    clans: int


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """
    The state of the modules in play; what belongs to a module that is not is absent.

    Args:
        season: the season of the wheel.
        king_tile: the side of the King tile that lies up.
        harbors: by territory, the cell of the lattice that the Harbor tile covers, or the sea for an island.
        fili_at, macha_at: where these tokens lie.
        banshee: who holds a Banshee token.
        winners: who won, where several may.
        claim: who has played Hy Breasil at this victory check.
        allies: the two of Coalition, in the clash that it started.
        mist: how many clans of each seat Féth fíada hides in the clash under way.
        sword: the attack under way is made with Nuada's Sword.
        aside_seen: who has looked at the Action card that is set aside.
    """

    season: SeasonId | None = None
    king_tile: KingSide | None = None
    harbors: Mapping[TerritoryId, Location] = {}
    fili_at: TerritoryId | None = None
    macha_at: TerritoryId | None = None
    banshee: tuple[Seat, ...] = ()
    bran: Bran | None = None
    winners: tuple[Seat, ...] = ()
    claim: Seat | None = None
    allies: tuple[Seat, ...] = ()
    mist: tuple[int, ...] = ()
    sword: bool = False
    aside_seen: tuple[Seat, ...] = ()

    @property
    def islands(self) -> tuple[TerritoryId, ...]:
        """The islands in play."""
        return tuple(each for each, spot in self.harbors.items() if spot == SEA)

    def by_sea(self, territory: TerritoryId) -> tuple[TerritoryId, ...]:
        """Return the territories that can be reached by sea from there (expansion, section 5.5)."""
        if territory not in self.harbors:
            return ()
        return tuple(each for each in self.harbors if each != territory)

    def stored(self, seat: Seat) -> int:
        """Return how many clans of a seat are neither on the board nor in reserve."""
        return self.bran.clans if self.bran is not None and self.bran.seat == seat else 0

    def hidden(self, seat: Seat) -> int:
        """Return how many clans of a seat Féth fíada hides."""
        return self.mist[seat] if self.mist else 0

    def spared_by(self, seat: Seat) -> tuple[Seat, ...]:
        """Return whom a seat may not attack."""
        return self.allies if seat in self.allies else ()
