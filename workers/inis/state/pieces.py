"""What the state of Inis is made of: territories, players, cards being played, a draft, a clash."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from events.inis.vocabulary import CardId, Location, Part, TerritoryId
from events.messages import Seat


@lru_cache(maxsize=4096)
def chieftain_of(clans: tuple[int, ...]) -> Seat | None:
    """Return who has strictly more clans than every other player, if anybody has."""
    most = max(clans)
    return Seat(clans.index(most)) if most and clans.count(most) == 1 else None


class Land(msgspec.Struct, frozen=True, kw_only=True):
    """
    A territory in play.

    Args:
        beside: the adjacent territories, in the order in which they came into play.
        clans: how many clans each seat has there, those in citadels among them.
        citadels: the Capital among them.
    """

    id: TerritoryId
    location: Location
    beside: tuple[TerritoryId, ...]
    clans: tuple[int, ...]
    citadels: int = 0
    sanctuaries: int = 0

    @property
    def chieftain(self) -> Seat | None:
        return chieftain_of(self.clans)

    @property
    def players(self) -> int:
        """How many players are present."""
        return sum(1 for each in self.clans if each)


class Contender(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one player has; cards in hand stand in one order, which tells nothing.

    Args:
        actions, advantages, tales: the cards in hand, by kind.
    """

    reserve: int
    deeds: int = 0
    pretender: bool = False
    actions: tuple[CardId, ...] = ()
    advantages: tuple[CardId, ...] = ()
    tales: tuple[CardId, ...] = ()


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """
    A card being played.

    Args:
        cancelled: its effect is ignored.
        gone: it is not to be discarded any more: somebody took it, or it lies elsewhere.
    """

    seat: Seat
    card: CardId
    parts: tuple[Part, ...] = ()
    season: bool = False
    cancelled: bool = False
    gone: bool = False


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """
    A draft under way.

    Args:
        turn: how many cards are kept in this pass.
        fronts: the cards in front of each seat; ``kept``: what each chose of them, or nothing yet.
    """

    turn: int
    fronts: tuple[tuple[CardId, ...], ...]
    kept: tuple[tuple[CardId, ...], ...]


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """
    The last maneuver of a clash.

    Args:
        target: whom it attacked.
        involved: who had an exposed clan when it was declared.
        took: it removed an opposing clan.
    """

    seat: Seat
    target: Seat | None = None
    involved: tuple[Seat, ...] = ()
    took: bool = False


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """
    A clash under way (rules, section 4).

    Args:
        protected: how many clans of each seat are in citadels.
        lost: how many clans of each seat left the territory for the reserve.
        acting: who is due to maneuver, once somebody is.
        named: who performs the next maneuver instead of the next in order.
        spear: no Triskel card may be played.
        over: it ends as soon as what is being done is done.
    """

    territory: TerritoryId
    instigator: Seat
    protected: tuple[int, ...]
    lost: tuple[int, ...]
    acting: Seat | None = None
    maneuver: Fight | None = None
    named: Seat | None = None
    spear: bool = False
    over: bool = False


class Cauldron(msgspec.Struct, frozen=True, kw_only=True):
    """Dagda's Cauldron lies open: whose it is, and how many clans lie on it."""

    seat: Seat
    territory: TerritoryId
    clans: int
