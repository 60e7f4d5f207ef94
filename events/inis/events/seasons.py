"""What happens at a table of Seasons of Inis beyond the base game."""

from __future__ import annotations

from events.inis.vocabulary import CardId, Location, Part, SeasonId, TerritoryId, Token
from events.messages import Event, Seat


class SeasonDrawn(Event, frozen=True, kw_only=True):
    """Chance gave the wheel its first season (expansion, section 2, step 6)."""

    reveals = True

    season: SeasonId


class WheelTurned(Event, frozen=True, kw_only=True):
    """The wheel went on to its next season (expansion, section 3.5, E5)."""

    season: SeasonId


class HarborBuilt(Event, frozen=True, kw_only=True):
    """A territory got a Harbor tile on a cell of the lattice, or as an island at sea (expansion, section 5.4)."""

    territory: TerritoryId
    spot: Location


class TokenPut(Event, frozen=True, kw_only=True):
    """A token was put into a territory, or moved there (expansion, sections 4.1 and 4.5)."""

    token: Token
    territory: TerritoryId


class TokensCleared(Event, frozen=True, kw_only=True):
    """The tokens in territories left the board (expansion, section 3.5, E4)."""


class KingTileTurned(Event, frozen=True, kw_only=True):
    """These players tied again: each gained a deed, and the King tile shows that a king is needed (section 6)."""

    seats: tuple[Seat, ...]


class KingsCrowned(Event, frozen=True, kw_only=True):
    """The last victory check ended the game: these players won, perhaps together (expansion, section 6)."""

    seats: tuple[Seat, ...]


class BeltaineMoved(Event, frozen=True, kw_only=True):
    """A player gave an Action card for a move of clans (expansion, section 4.6, M2); its face others do not see."""

    reveals = True

    seat: Seat
    parts: tuple[Part, ...]


class ClansSwapped(Event, frozen=True, kw_only=True):
    """A clan and one of another player changed places (expansion, section 4.5, Pwyll's Exchange)."""

    seat: Seat
    territory: TerritoryId
    owner: Seat
    to: TerritoryId


class CardForetold(Event, frozen=True, kw_only=True):
    """The player who held the Action card that was named showed and discarded it (Cathleann's Prophecy)."""

    reveals = True

    seat: Seat
    card: CardId


class CapitalMoved(Event, frozen=True, kw_only=True):
    """The Capital changed places with a citadel of a territory (Sacred Hill of Tara)."""

    territory: TerritoryId


class AsideSeen(Event, frozen=True, kw_only=True):
    """A player looked at the Action card set aside (Finn's Wisdom)."""

    reveals = True

    seat: Seat
    card: CardId


class TaleRecovered(Event, frozen=True, kw_only=True):
    """A player took an Epic Tale from the discard pile (Salmon's Creek)."""

    seat: Seat
    card: CardId


class TalesKept(Event, frozen=True, kw_only=True):
    """A player kept several of the Epic Tales drawn and discarded the others (Inis Mona with Meadows)."""

    reveals = True

    seat: Seat
    cards: tuple[CardId, ...]


class BansheesTaken(Event, frozen=True, kw_only=True):
    """These players hold a Banshee token (The Banshee)."""

    seats: tuple[Seat, ...]


class BansheeReturned(Event, frozen=True, kw_only=True):
    """A player who lost no clan gave the Banshee token back (expansion, section 3.5, E1)."""

    seat: Seat


class BranDeparted(Event, frozen=True, kw_only=True):
    """Clans of a player went onto the card Bran's Journey."""

    seat: Seat
    territory: TerritoryId
    amount: int


class BranReturned(Event, frozen=True, kw_only=True):
    """The clans of Bran's Journey came into a territory, and the card was discarded (expansion, section 3.5, E2)."""

    seat: Seat
    territory: TerritoryId


SeasonsEvent = (
    SeasonDrawn
    | WheelTurned
    | HarborBuilt
    | TokenPut
    | TokensCleared
    | KingTileTurned
    | KingsCrowned
    | BeltaineMoved
    | ClansSwapped
    | CardForetold
    | CapitalMoved
    | AsideSeen
    | TaleRecovered
    | TalesKept
    | BansheesTaken
    | BansheeReturned
    | BranDeparted
    | BranReturned
)
