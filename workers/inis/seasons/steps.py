"""Steps that only Seasons of Inis knows (expansion, sections 3 to 6)."""

from __future__ import annotations

from events.inis.vocabulary import CardId, Location, TerritoryId, Token
from events.messages import Seat
from workers.inis.steps import Question, Step
from workers.inis.steps.hands import KeepTale

# Set-up, the wheel and its festivals


class DrawSeason(Step, frozen=True):
    """Chance gives the wheel its first season (section 2, step 6)."""


class CloseSeason(Step, frozen=True):
    """Tokens leave the board (E4), then the wheel turns (E5)."""

    cleared: bool = False


class HoldSacredFestival(Step, frozen=True):
    """The festival of the season, if it has one (AF)."""


class FestivalPlace(Question, frozen=True, kw_only=True):
    """Do you place a clan where you are present? (section 4.6, F1 and F3)."""


class FestivalDiscardTales(Question, frozen=True, kw_only=True):
    """Which Epic Tale do you discard for a clan, if you go on? ``discarded`` are as many as went (section 4.6, F3)."""

    discarded: int = 0


class FestivalLimit(Step, frozen=True):
    """A player with too many Epic Tales discards some of them (section 4.6, F3)."""

    seat: Seat


class FestivalTrade(Question, frozen=True, kw_only=True):
    """Which Action card do you discard for an Epic Tale, if any? (section 4.6, F4)."""


# The end of a season


class ComeBanshees(Step, frozen=True):
    """E1."""


class BansheeRemove(Question, frozen=True, kw_only=True):
    """Which of your clans does the Banshee take? (E1)."""


class ReturnBanshee(Step, frozen=True):
    """A player gives the Banshee token back, if it is still there."""

    seat: Seat


class ReturnBran(Step, frozen=True):
    """E2, if Bran's Journey lies open."""


class BranReturn(Question, frozen=True, kw_only=True):
    """Where do the clans of Bran's Journey come? (E2)."""


# The King tile


class ReturnPretenders(Step, frozen=True):
    """The check had no winner: tokens go back, used deeds are spent."""


class TurnKingTile(Step, frozen=True):
    """These players tied: each gains a deed, and the tile is turned."""

    seats: tuple[Seat, ...]


class CountClaim(Step, frozen=True):
    """Hy Breasil stands in for a deed at this check."""

    seat: Seat


# Tiles and harbors


class SettleHarbors(Step, frozen=True):
    """The start tiles get their harbors, one after another (section 2, step 4b)."""


class PutTile(Step, frozen=True):
    """A tile comes into play there."""

    tile: TerritoryId
    location: Location


class BuildHarbor(Step, frozen=True):
    """A territory gets a Harbor tile at the first spot, in one order, or at sea."""

    territory: TerritoryId


class BuildHarborAt(Step, frozen=True):
    """A territory gets a Harbor tile at a spot that was declared."""

    territory: TerritoryId
    spot: Location


class ChooseHarborSpot(Question, frozen=True, kw_only=True):
    """Where does the territory's Harbor tile lie? (section 5.4)."""

    territory: TerritoryId


class HarborOfCapital(Step, frozen=True):
    """The capital gets a Harbor tile, if it has none (section 2, step 4d)."""


class SailClan(Question, frozen=True, kw_only=True):
    """Which clan of yours goes by sea, and where to? (section 4.4, Haven)."""


# Cards


class MayPlaceClan(Question, frozen=True, kw_only=True):
    """Do you place a clan in that territory? (sections 4.1 and 4.5)."""

    territory: TerritoryId


class DropCard(Step, frozen=True):
    """A card that was declared leaves the hand for the pile of its kind."""

    seat: Seat
    card: CardId


class CoalitionJoin(Question, frozen=True, kw_only=True):
    """How many of your clans go with those of ``leader``? (section 4.1, Coalition)."""

    leader: Seat
    territory: TerritoryId
    to: TerritoryId


class CoalitionClash(Step, frozen=True, kw_only=True):
    """A clash of both allies against whoever else is there, if anybody is (section 4.1, Coalition)."""

    leader: Seat
    partner: Seat
    territory: TerritoryId


class PutToken(Step, frozen=True):
    """A token is put into a territory."""

    token: Token
    territory: TerritoryId


class RecoverTale(Step, frozen=True):
    """An Epic Tale comes from the discard pile into a hand, and another one is discarded."""

    seat: Seat
    card: CardId


class DiscardTale(Question, frozen=True, kw_only=True):
    """Which Epic Tale do you discard, other than ``but``? (sections 4.4 and 4.6)."""

    but: CardId | None = None


class KeepSeveral(Step, frozen=True):
    """Of the draw before it so many cards are kept."""

    amount: int


class DropDrawn(KeepTale, frozen=True, kw_only=True):
    """Which of the Epic Tales drawn do you discard? (section 4.4, Inis Mona)."""


class SwapClans(Step, frozen=True, kw_only=True):
    """Clans of two players change places (section 4.5, Pwyll's Exchange)."""

    seat: Seat
    territory: TerritoryId
    owner: Seat
    to: TerritoryId


class Foretell(Step, frozen=True):
    """Who holds the card shows and discards it; if nobody does, a tale is drawn (section 4.5)."""

    seat: Seat
    card: CardId


class MoveCapital(Step, frozen=True):
    """The Capital changes places with a citadel there."""

    territory: TerritoryId


class RaiseSword(Step, frozen=True):
    """The attack being answered cannot be escaped (section 4.5, Nuada's Sword)."""


class RaiseMist(Step, frozen=True):
    """All clans of a player in the clash are hidden (section 4.5, Féth fíada)."""

    seat: Seat


class SendBran(Step, frozen=True):
    """Clans go onto Bran's Journey."""

    seat: Seat
    territory: TerritoryId
    amount: int


class TakeBanshees(Step, frozen=True):
    """Everybody on the board takes a Banshee token."""


class SeeAside(Step, frozen=True):
    """A player looks at the Action card set aside."""

    seat: Seat
