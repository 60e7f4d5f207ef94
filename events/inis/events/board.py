"""What happens to clans, buildings and tiles, and in clashes."""

from __future__ import annotations

from events.inis.vocabulary import Part, TerritoryId
from events.messages import Event, Seat


class ClanPlaced(Event, frozen=True, kw_only=True):
    """A clan came from its owner's reserve into a territory."""

    seat: Seat
    territory: TerritoryId


class ClansMoved(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Clans of one owner moved, so many of them out of citadels."""

    seat: Seat
    territory: TerritoryId
    to: TerritoryId
    amount: int
    sheltered: int = 0


class ClanRemoved(Event, frozen=True, kw_only=True):
    """A clan left the board for its owner's reserve, or for the Cauldron."""

    seat: Seat
    territory: TerritoryId


class ClanExchanged(Event, frozen=True, kw_only=True):
    """A clan gave its place to a clan of another player (rules, section 5.1, New Alliance)."""

    seat: Seat
    territory: TerritoryId
    owner: Seat


class ClanSaved(Event, frozen=True, kw_only=True):
    """The clan that was about to be removed stays (rules, section 5.4, The Dagda's Club)."""

    seat: Seat


class ClanReappeared(Event, frozen=True, kw_only=True):
    """The clan that was about to be removed stands in another territory (rules, 5.4, Diarmuid and Grainne)."""

    seat: Seat
    territory: TerritoryId


class CauldronSet(Event, frozen=True, kw_only=True):
    """A player's clans removed in this clash lie on the Cauldron (rules, section 5.4, Dagda's Cauldron)."""

    seat: Seat


class CauldronEmptied(Event, frozen=True, kw_only=True):
    """So many clans came back from the Cauldron, the others went to the reserve."""

    seat: Seat
    amount: int


class CitadelBuilt(Event, frozen=True, kw_only=True):
    """A citadel of the supply was put into a territory."""

    territory: TerritoryId


class SanctuaryBuilt(Event, frozen=True, kw_only=True):
    """A sanctuary of the supply was put into a territory."""

    territory: TerritoryId


class FestivalHeld(Event, frozen=True, kw_only=True):
    """The festival marker was put into a territory."""

    territory: TerritoryId


class CrowsTurned(Event, frozen=True, kw_only=True):
    """The Flock of Crows was turned over (rules, section 5.4, The Morrigan)."""


class TilesRevealed(Event, frozen=True, kw_only=True):
    """Tiles were drawn openly (rules, section 5.4, Tailtu's Land)."""

    reveals = True

    tiles: tuple[TerritoryId, ...]


class TilesPutUnder(Event, frozen=True, kw_only=True):
    """Tiles went face down under the stack, the first one on top of the others."""

    seat: Seat
    tiles: tuple[TerritoryId, ...]


class ClashStarted(Event, frozen=True, kw_only=True):
    """A clash started (rules, section 4.1)."""

    territory: TerritoryId
    instigator: Seat


class ClanSheltered(Event, frozen=True, kw_only=True):
    """A clan went into a citadel (rules, section 4.2, C2)."""

    seat: Seat


class ShelterDeclined(Event, frozen=True, kw_only=True):
    """A player left a citadel free."""

    seat: Seat


class CitadelsEmptied(Event, frozen=True, kw_only=True):
    """All clans came out of the citadels (rules, section 5.4, Battle Frenzy)."""


class PeaceVoted(Event, frozen=True, kw_only=True):
    """A player said whether the clash shall end (rules, section 4.2, C5)."""

    seat: Seat
    end: bool


class AttackDeclared(Event, frozen=True, kw_only=True):
    """A player attacked another (rules, section 4.2, C6)."""

    seat: Seat
    target: Seat


class WithdrawalDeclared(Event, frozen=True, kw_only=True):
    """A player withdrew clans (rules, section 4.2, C6)."""

    reveals = True

    seat: Seat
    parts: tuple[Part, ...]


class ClashEnded(Event, frozen=True, kw_only=True):
    """The clash ended; clans stepped out of the citadels (rules, section 4.2, C8)."""
