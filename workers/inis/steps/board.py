"""Steps of clans, buildings and tiles (rules, section 5)."""

from __future__ import annotations

from events.inis.vocabulary import TerritoryId
from events.messages import Seat
from workers.inis.steps import Question, Step


class PlaceClan(Question, frozen=True, kw_only=True):
    """Where do you place a clan: anywhere, or with ``present`` where you have one? (rules, sections 2, 3.2 and 5.3)."""

    present: bool = False


class PutClan(Step, frozen=True):
    """A clan is placed there, as far as the reserve has one; with no territory on the newest tile."""

    seat: Seat
    territory: TerritoryId | None


class Move(Step, frozen=True, kw_only=True):
    """Clans move, as far as they are there."""

    seat: Seat
    territory: TerritoryId
    to: TerritoryId
    amount: int
    sheltered: int = 0


class EnterMountains(Step, frozen=True):
    """Clans of a player arrived in the Mountains (rules, section 5.2)."""

    seat: Seat


class Toll(Question, frozen=True, kw_only=True):
    """Do you discard an Action card for having entered the Mountains, or lose a clan? (rules, section 5.2)."""


class SkipToll(Step, frozen=True):
    """The Mountains effect being answered is ignored."""


class Remove(Step, frozen=True, kw_only=True):
    """
    A clan is about to be removed.

    Args:
        exposed: only an exposed clan can be.
        maneuver: a maneuver does it.
    """

    seat: Seat
    territory: TerritoryId
    exposed: bool = False
    maneuver: bool = False


class TakeOff(Step, frozen=True, kw_only=True):
    """The clan is removed, unless an answer has settled where it goes."""

    seat: Seat
    territory: TerritoryId
    exposed: bool = False
    maneuver: bool = False
    settled: bool = False


class SaveClan(Step, frozen=True):
    """The clan being removed stays."""

    seat: Seat


class Reappear(Question, frozen=True, kw_only=True):
    """Where does the clan being removed re-appear? (rules, section 5.4, Diarmuid and Grainne)."""


class SetCauldron(Step, frozen=True):
    """The player's clans removed in this clash go on the Cauldron."""

    seat: Seat


class EmptyCauldron(Question, frozen=True, kw_only=True):
    """How many clans come back from the Cauldron? (rules, section 5.4)."""


class LoseClan(Question, frozen=True, kw_only=True):
    """Which of your clans do you remove? (rules, section 5.4)."""


class PickClan(Question, frozen=True, kw_only=True):
    """Which clan moves into the Lost Vale? (rules, section 5.3)."""


class ExchangeClan(Step, frozen=True):
    """A clan gives its place to a clan of another player."""

    seat: Seat
    territory: TerritoryId
    owner: Seat


class BuildCitadel(Step, frozen=True):
    """A citadel is placed, if the supply has one."""

    territory: TerritoryId


class BuildSanctuary(Step, frozen=True):
    """A sanctuary is placed, if the supply has one."""

    territory: TerritoryId


class HoldFestival(Step, frozen=True):
    """The festival marker is placed."""

    territory: TerritoryId


class TurnCrows(Step, frozen=True):
    """The Flock of Crows is turned over."""


class LocateTile(Question, frozen=True, kw_only=True):
    """Where does the tile lie: the one named, or the top one, unseen? (rules, sections 5.1 and 5.4)."""

    tile: TerritoryId | None = None


class RevealTiles(Step, frozen=True):
    """Tiles are drawn openly."""

    seat: Seat
    amount: int


class ChooseTile(Question, frozen=True, kw_only=True):
    """Which of these tiles comes into play? (rules, section 5.4)."""

    tiles: tuple[TerritoryId, ...]


class OrderTiles(Question, frozen=True, kw_only=True):
    """Which of these tiles goes under the stack first, on top of the others? ``done`` are in order."""

    tiles: tuple[TerritoryId, ...]
    done: tuple[TerritoryId, ...] = ()


class MoveOnto(Question, frozen=True, kw_only=True):
    """Does a clan move onto the new tile, and from where? (rules, section 5.4)."""

    territory: TerritoryId


class SpyMove(Question, frozen=True, kw_only=True):
    """Which clans move to an adjacent territory, if any? (rules, section 5.1, Scouts & Spies)."""
