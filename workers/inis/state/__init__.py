"""What is true in a game of Inis, and what is still to be done."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from events.inis.vocabulary import Card, CardId, Direction, InisCatalogue, PlayersSetup, TerritoryId
from events.messages import Seat
from workers.inis.seasons.more import Expansion
from workers.inis.state.options import InisOptions
from workers.inis.state.pieces import Cauldron, Clash, Contender, Draft, Land, Play

GATES: Final = TerritoryId("gates_of_tir_na_nog")
HIGHLANDS: Final = TerritoryId("highlands")
HILLS: Final = TerritoryId("hills")
LOST_VALE: Final = TerritoryId("lost_vale")
MOUNTAINS: Final = TerritoryId("mountains")
PLAINS: Final = TerritoryId("plains")
STONE_CIRCLE: Final = TerritoryId("stone_circle")

Phase = Literal["setup", "assembly", "season", "over"]


class InisState(msgspec.Struct, frozen=True, kw_only=True):
    """
    A game of Inis after its last event.

    Args:
        agenda: what is still to be done, the next step first; the whole state machine.
        lands: the territories in play, in the order in which they came.
        stack: the tiles not in play, the next first.
        citadels, sanctuaries: the supply.
        deck, discards: the Epic Tales; the next first, and face up.
        pile: the Action cards face down; ``aside``: the one set aside; ``undealt``: those for the second draft.
        aside_by: who set the card aside and therefore knows it.
        face_up, face_down: the Advantage cards beside the board; those face down were played.
        plays: the cards being played, each answering the one before.
        turn: whose turn it is; ``passed``: who passed in a row; ``opening``: the first turn of the Season is on.
        next_turn: who takes the next turn instead of the next in order.
        cathbad: who sets the Action card aside this round.
        more: what Seasons of Inis adds, at a table with one of its modules.
    """

    catalogue: InisCatalogue
    options: InisOptions
    setup: PlayersSetup
    contenders: tuple[Contender, ...]
    citadels: int
    sanctuaries: int
    agenda: tuple[Any, ...] = ()
    phase: Phase = "setup"
    round: int = 0
    lands: Mapping[TerritoryId, Land] = {}
    stack: tuple[TerritoryId, ...] = ()
    capital: TerritoryId | None = None
    festival: TerritoryId | None = None
    brenn: Seat = Seat(0)
    direction: Direction = "clockwise"
    deck: tuple[CardId, ...] = ()
    discards: tuple[CardId, ...] = ()
    pile: tuple[CardId, ...] = ()
    aside: CardId | None = None
    aside_by: Seat | None = None
    undealt: tuple[CardId, ...] = ()
    face_up: tuple[CardId, ...] = ()
    face_down: tuple[CardId, ...] = ()
    draft: Draft | None = None
    plays: tuple[Play, ...] = ()
    turn: Seat = Seat(0)
    passed: tuple[Seat, ...] = ()
    opening: bool = False
    next_turn: Seat | None = None
    cathbad: Seat | None = None
    clash: Clash | None = None
    cauldron: Cauldron | None = None
    winner: Seat | None = None
    more: Expansion | None = None

    @property
    def seats(self) -> int:
        return len(self.contenders)

    def card(self, card: CardId) -> Card:
        return self.catalogue.cards[card]

    def amount(self, card: str) -> int:
        """Return a number that a card speaks of."""
        return self.catalogue.amounts[card]

    def hand(self, seat: Seat, card: CardId) -> tuple[CardId, ...]:
        """Return a player's cards of the kind of a card."""
        contender = self.contenders[seat]
        match self.catalogue.cards[card].kind:
            case "action":
                return contender.actions
            case "tale":
                return contender.tales
            case "advantage":
                return contender.advantages

    def clans(self, seat: Seat, territory: TerritoryId) -> int:
        """Return how many clans a player has in a territory, none in one that is not in play."""
        land = self.lands.get(territory)
        return land.clans[seat] if land else 0

    def present_in(self, seat: Seat) -> tuple[TerritoryId, ...]:
        """Return where a player has a clan."""
        return tuple([land.id for land in self.lands.values() if land.clans[seat]])

    def order_from(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all players in turn order, this one first."""
        return _order(seat, self.seats, self.direction)

    def next_after(self, seat: Seat) -> Seat:
        return _order(seat, self.seats, self.direction)[1]

    @property
    def active(self) -> Seat:
        """The active player, or who stands in for one (rules, Vocabulary)."""
        if self.clash is not None:
            return self.clash.instigator if self.clash.acting is None else self.clash.acting
        return self.turn if self.phase == "season" else self.brenn

    def exposed(self, seat: Seat) -> int:
        """Return how many clans of a player are exposed in the clash."""
        clash = self.clash
        if clash is None:
            return 0
        hidden = 0 if self.more is None else self.more.hidden(seat)
        return self.lands[clash.territory].clans[seat] - clash.protected[seat] - hidden

    @property
    def exposed_seats(self) -> tuple[Seat, ...]:
        """Who has an exposed clan in the clash, in seat order."""
        if self.clash is None:
            return ()
        if self.more is not None and self.more.mist:
            return tuple([Seat(seat) for seat in range(self.seats) if self.exposed(Seat(seat)) > 0])
        clans = self.lands[self.clash.territory].clans
        protected = self.clash.protected
        return tuple([Seat(seat) for seat in range(self.seats) if clans[seat] > protected[seat]])

    def ways(self, territory: TerritoryId) -> tuple[TerritoryId, ...]:
        """Return the territories that are adjacent for a move: by land, and with harbors by sea."""
        beside = self.lands[territory].beside
        if self.more is None:
            return beside
        return (*beside, *[each for each in self.more.by_sea(territory) if each not in beside])

    def led_beside(self, seat: Seat, territory: TerritoryId) -> tuple[TerritoryId, ...]:
        """Return the territories, adjacent for a move, of which a player is chieftain."""
        lands = self.lands
        return tuple([each for each in self.ways(territory) if lands[each].chieftain == seat])

    def conditions(self, seat: Seat) -> tuple[int, int, int]:
        """Return leadership, land and religion (rules, section 7)."""
        leadership = land_value = religion = 0
        for land in self.lands.values():
            own = land.clans[seat]
            if own:
                land_value += 1
                religion += land.sanctuaries
                if land.chieftain == seat:
                    leadership += sum(land.clans) - own
        return leadership, land_value, religion

    def shortfalls(self, seat: Seat) -> list[int]:
        """Return what each condition lacks, the least first."""
        return sorted(max(0, self.catalogue.goal - value) for value in self.conditions(seat))

    def conditions_met(self, seat: Seat) -> int:
        """Return how many conditions a player meets with the best use of deeds (rules, section 7)."""
        deeds, met = self.contenders[seat].deeds + self._claimed(seat), 0
        for lacking in self.shortfalls(seat):
            deeds -= lacking
            met += deeds >= 0
        return met

    def deeds_needed(self, seat: Seat) -> int:
        """Return how many deeds complete conditions in the best use of them (rules, section 7)."""
        claimed, used = self._claimed(seat), 0
        for lacking in self.shortfalls(seat):
            if used + lacking <= self.contenders[seat].deeds + claimed:
                used += lacking
        return max(0, used - claimed)

    def _claimed(self, seat: Seat) -> int:
        """Return what stands in for deeds at this victory check (expansion, section 4.4, Hy Breasil)."""
        return 1 if self.more is not None and self.more.claim == seat else 0


@lru_cache(maxsize=64)
def _order(seat: Seat, seats: int, direction: Direction) -> tuple[Seat, ...]:
    step = 1 if direction == "clockwise" else -1
    return tuple(Seat((seat + step * place) % seats) for place in range(seats))
