"""Words of Inis: territories, cards, places of the lattice, and the catalogue that holds their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NewType

import msgspec

from events.messages import Seat

TerritoryId = NewType("TerritoryId", str)
"""A territory's name in the catalogue, which is its Advantage card's too: ``forest``."""

CardId = NewType("CardId", str)
"""A card's name in the catalogue: ``bard``, ``forest``, ``the_dagda``; no two cards of any kind share one."""

Location = NewType("Location", str)
"""Where a tile lies: orientation and hexagon of a trefoil on the axial grid, ``U0,0`` or ``D2,-1``."""

CardKind = Literal["action", "advantage", "tale"]
"""Three backs: what kind a card in hand is of, everybody sees."""

Direction = Literal["clockwise", "counterclockwise"]
"""The side of the Flock of Crows that lies up."""

SeasonId = Literal["imbolc", "beltaine", "lugnasad", "samhain"]
"""A season of the wheel, in the order in which they come (expansion, section 4.6)."""

KingSide = Literal["want", "need"]
"""The side of the King tile that lies up (expansion, section 6)."""

Token = Literal["fili", "macha"]
"""A token that lies in a territory until the season ends (expansion, section 3.2)."""

WindowKind = Literal[
    "assembly_start",
    "victory_check",
    "action_declared",
    "epic_or_advantage_declared",
    "action_resolved",
    "epic_played",
    "season_played",
    "epic_draw",
    "gates_draw",
    "mountains_entry",
    "clash_start",
    "citadels_end",
    "resolution_start",
    "attack_declared",
    "clan_removed",
    "maneuver_done",
    "turn_end",
]
"""An event that Triskel cards may answer (rules, section 6)."""

Moment = WindowKind | Literal["maneuver", "any_time"]
"""When a Triskel card may be played: at a window, as a maneuver, or at any time."""


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """
    One thing chosen; only the fields that the question asks for are there.

    Args:
        territory: where, or where from; ``to``: where to.
        owner: whose clan, or which player.
        amount: how many clans or cards; ``sheltered``: how many clans out of citadels.
        option: one of several named possibilities.
        location: where a tile shall lie.
    """

    territory: TerritoryId | None = None
    to: TerritoryId | None = None
    owner: Seat | None = None
    amount: int | None = None
    sheltered: int | None = None
    option: str | None = None
    card: CardId | None = None
    location: Location | None = None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """
    One card of any kind (rules, section 5).

    Args:
        season: it can be played as a whole turn.
        answers: the moments at which it can be played as a Triskel card.
        four_only: it is in the game with four players only.
        place: where the card stands when cards are put in order.
    """

    id: CardId
    kind: CardKind
    name: str
    season: bool
    answers: tuple[str, ...]
    four_only: bool = False
    place: int = 0


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """
    One territory tile (rules, section 5.2).

    Args:
        entry_sanctuaries: sanctuaries it enters play with.
        citadels: whether citadels can be placed there.
        island, harbor: it lies at sea; it enters play with a harbor (expansion, section 4.2).
    """

    id: TerritoryId
    name: str
    entry_sanctuaries: int
    citadels: bool
    island: bool = False
    harbor: bool = False


class PlayersSetup(msgspec.Struct, frozen=True, kw_only=True):
    """
    What depends on the number of players (rules, section 1.2).

    Args:
        dealt: Action cards dealt to each for one draft; ``drafts``: how many drafts there are.
    """

    players: int
    dealt: int
    drafts: int
    four_only: bool


class WheelSlot(msgspec.Struct, frozen=True, kw_only=True):
    """One season of the wheel: the festival of its Assembly and its effect in phase 2, empty where there is none."""

    id: SeasonId
    name: str
    festival: str
    effect: str


class Modules(msgspec.Struct, frozen=True, kw_only=True):
    """
    What Seasons of Inis adds to the base game, module by module (expansion, section 1.2).

    Args:
        actions: Action cards for five players; ``sea_tales``: the tales that need Sea Travels.
        tiles: territories of Sea Travels, with the updated Cove.
        wheel: the seasons in their order.
    """

    actions: tuple[CardId, ...]
    tales: tuple[CardId, ...]
    sea_tales: tuple[CardId, ...]
    tiles: Mapping[TerritoryId, Tile]
    wheel: tuple[WheelSlot, ...]


class InisCatalogue(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """
    Every component and number of the game; read once, and equal to itself alone.

    Args:
        cards: all cards by name; ``answering``: the cards that can be played at a moment.
        clans: each player's; ``citadels`` and ``sanctuaries``: the supply, without the Capital.
        goal: what a condition of victory asks for.
        layout: where the start tiles lie; ``touching``: how many territories a new tile touches at least.
        amounts: numbers of cards, by card.
        modules: what the expansion adds, in a catalogue that holds it.
    """

    cards: Mapping[CardId, Card]
    answering: Mapping[str, tuple[CardId, ...]]
    actions: tuple[CardId, ...]
    advantages: tuple[CardId, ...]
    tales: tuple[CardId, ...]
    tiles: Mapping[TerritoryId, Tile]
    players: Mapping[int, PlayersSetup]
    clans: int
    start_clans: int
    citadels: int
    sanctuaries: int
    goal: int
    layout: tuple[Location, ...]
    touching: int
    amounts: Mapping[str, int]
    modules: Modules | None = None

    def action_deck(self, players: int) -> tuple[CardId, ...]:
        """Return the Action cards of so many players, unshuffled (rules, section 2, step 1)."""
        four = self.players[players].four_only
        return tuple(card for card in self.actions if four or not self.cards[card].four_only)
