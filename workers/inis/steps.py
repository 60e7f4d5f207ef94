"""
What is still to be done: the steps of the agenda, the first of which is done next.

A step that is a ``Prompt`` is a question to one seat; the others happen by themselves, or ask several seats.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.inis.vocabulary import CardId, Location, Part, TerritoryId, WindowKind
from events.messages import Seat
from workers.kit.decider import Prompt


class Step(msgspec.Struct, frozen=True):
    """Something that happens by itself."""


class Question(Prompt, frozen=True, kw_only=True):
    """Something one seat is asked while all others wait."""

    seat: Seat


# Set-up and Assembly


class ShuffleTales(Step, frozen=True):
    """The Epic Tale draw pile is shuffled anew, of what lies in both piles."""


class ShuffleTiles(Step, frozen=True):
    """The stack of tiles is shuffled."""


class LayTile(Step, frozen=True):
    """A tile is laid there: the one named, or the top one."""

    location: Location
    tile: TerritoryId | None = None


class DrawBrenn(Step, frozen=True):
    """Chance makes the first Brenn."""


class ChooseCapital(Question, frozen=True, kw_only=True):
    """Which territory is the capital? (rules, section 2, step 8)."""


class TossCrows(Step, frozen=True):
    """The Flock of Crows is tossed; with ``first`` nothing is compared (rules, section 3.1, A4)."""

    first: bool = False


class PlaceFirstClans(Step, frozen=True):
    """All place clans in turn (rules, section 2, step 10)."""


class BeginRound(Step, frozen=True):
    """A new Assembly begins (rules, section 3.1)."""


class AssignBrenn(Step, frozen=True):
    """A1."""


class CheckVictory(Step, frozen=True):
    """A2."""


class TakeAdvantages(Step, frozen=True):
    """A3."""


class GatesEffect(Step, frozen=True):
    """The direction changed: the Gates of Tir na Nog (rules, section 5.2)."""


class ChooseAside(Question, frozen=True, kw_only=True):
    """Which card of the whole Action deck is set aside? (rules, section 5.4, Cathbad's Word)."""


class DealActions(Step, frozen=True):
    """A5; with ``chosen`` Cathbad's player has chosen the card set aside."""

    chosen: bool = False


class DealSecondDraft(Step, frozen=True):
    """Two players draft a second time (rules, section 3.1, A6)."""


class DraftCards(Step, frozen=True):
    """Everybody keeps cards of those in front, at the same time (rules, section 3.1, A6)."""


class Keep(Prompt, frozen=True, kw_only=True):
    """Which cards of those in front do you keep? Put to all players at once."""

    amount: int


class EndAssembly(Step, frozen=True):
    """A7."""


# Season


class BeginTurn(Step, frozen=True):
    """A turn begins, perhaps the first of the Season (rules, section 3.2, S1)."""

    seat: Seat
    first: bool = False


class ReturnDeed(Step, frozen=True):
    """A deed goes back for having no clans on the board."""

    seat: Seat


class Turn(Question, frozen=True, kw_only=True):
    """What do you do with your turn? (rules, section 3.2, S1)."""


class Declare(Question, frozen=True, kw_only=True):
    """
    How is the move declared? (rules, section 3.3, step 2).

    Args:
        card: the card to be played; none for a withdrawal.
        maneuver: it is a maneuver, not a turn.
    """

    card: CardId | None = None
    maneuver: bool = False
    parts: tuple[Part, ...] = ()


class EndTurn(Step, frozen=True):
    """S3."""


class EndSeason(Step, frozen=True):
    """S4."""


# Cards in play, and windows


class OpenWindow(Step, frozen=True, kw_only=True):
    """
    A window opens for those who by public knowledge might answer (rules, section 6).

    Args:
        seat: whom it is about: the owner of a clan to be removed, or of the clans that arrived; who will draw.
        territory: where the clan stands that is to be removed.
    """

    window: WindowKind
    seat: Seat | None = None
    territory: TerritoryId | None = None


class Window(Step, frozen=True, kw_only=True):
    """An open window: who is asked, and what was answered."""

    opened: OpenWindow
    asked: tuple[Seat, ...]
    answers: tuple[tuple[Seat, CardId | None], ...] = ()


class Answer(Prompt, frozen=True, kw_only=True):
    """Do you answer this with a Triskel card?"""

    window: WindowKind


class Resolve(Step, frozen=True):
    """The card played last takes effect, unless it was cancelled."""


class SettlePlay(Step, frozen=True):
    """The card played last is discarded, unless somebody took it."""


class CancelPlay(Step, frozen=True):
    """The card that is being answered is cancelled."""


class TakeBackPlay(Step, frozen=True):
    """A player takes the card that is being answered into the hand."""

    seat: Seat


class GivePlay(Question, frozen=True, kw_only=True):
    """To whom does the card that is being answered go? (rules, section 5.1, Master Craftsman)."""


class GainDeed(Step, frozen=True):
    """A player gains a deed."""

    seat: Seat


class TakeNextTurn(Step, frozen=True):
    """A player will take the next turn (rules, section 5.4, Oengus's Ploy)."""

    seat: Seat


class SetAsideBy(Step, frozen=True):
    """A player will choose the Action card that is set aside (rules, section 5.4, Cathbad's Word)."""

    seat: Seat


class PickOpponent(Question, frozen=True, kw_only=True):
    """Whose Epic Tales do you look at, or whose Action card do you take?"""

    purpose: Literal["moor", "salt_mine"]


# Hands


class Draw(Step, frozen=True, kw_only=True):
    """A player is about to draw Epic Tales and keep one; ``gates`` for the Gates territory effect."""

    seat: Seat
    amount: int
    gates: bool = False


class DrawTales(Step, frozen=True, kw_only=True):
    """The player draws."""

    seat: Seat
    amount: int
    drawn: tuple[CardId, ...] = ()


class DrawMore(Step, frozen=True):
    """The draw that is being answered grows by one card (rules, section 5.3, Meadows and Gates of Tir na Nog)."""


class KeepTale(Question, frozen=True, kw_only=True):
    """Which of the Epic Tales drawn do you keep?"""

    drawn: tuple[CardId, ...]


class DiscardCard(Question, frozen=True, kw_only=True):
    """Which card do you discard, an Action card or, with ``any_kind``, any?"""

    any_kind: bool = False


class SearchPile(Question, frozen=True, kw_only=True):
    """Which card of the Action discard pile do you take? (rules, section 5.1, Druid)."""


class TakeAside(Step, frozen=True):
    """A player takes the card set aside."""

    seat: Seat


class PutAside(Question, frozen=True, kw_only=True):
    """Which Action card do you set aside?"""


class Steal(Step, frozen=True):
    """A player takes a random Action card of another."""

    seat: Seat
    owner: Seat


class GiveCard(Question, frozen=True, kw_only=True):
    """Which Action card do you give to that player?"""

    to: Seat


class CollectTribute(Step, frozen=True, kw_only=True):
    """Opponents choose the Action cards they give, all at once (rules, section 5.4, Maeve's Wealth)."""

    seat: Seat
    givers: tuple[Seat, ...]
    gifts: tuple[tuple[Seat, CardId], ...] = ()


class Tribute(Prompt, frozen=True, kw_only=True):
    """Which Action card do you give to that player?"""

    to: Seat


class SeeHand(Step, frozen=True):
    """A player looks at another's Action cards, or with ``tales`` Epic Tales."""

    seat: Seat
    owner: Seat
    tales: bool = False


class RevealTales(Step, frozen=True):
    """Each opponent with an Epic Tale shows one at random (rules, section 5.4, Deirdre's Beauty)."""

    seat: Seat


class ClaimTale(Question, frozen=True, kw_only=True):
    """Which of the revealed Epic Tales do you take?"""

    tales: tuple[tuple[Seat, CardId], ...]


class ClaimAdvantage(Step, frozen=True):
    """A player takes an Advantage card, unless it was played this round (rules, section 5.1, Citadel)."""

    seat: Seat
    card: CardId


# Board


class PlaceClan(Question, frozen=True, kw_only=True):
    """Where do you place a clan: anywhere, or with ``present`` where you have one?"""

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
    """Do you discard an Action card for having entered the Mountains, or lose a clan?"""


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
    """How many clans come back from the Cauldron?"""


class LoseClan(Question, frozen=True, kw_only=True):
    """Which of your clans do you remove?"""


class PickClan(Question, frozen=True, kw_only=True):
    """Which clan moves into the Lost Vale?"""


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
    """Where does the tile lie: the one named, or the top one, unseen?"""

    tile: TerritoryId | None = None


class RevealTiles(Step, frozen=True):
    """Tiles are drawn openly."""

    seat: Seat
    amount: int


class ChooseTile(Question, frozen=True, kw_only=True):
    """Which of these tiles comes into play?"""

    tiles: tuple[TerritoryId, ...]


class OrderTiles(Question, frozen=True, kw_only=True):
    """Which of these tiles goes under the stack first, on top of the others? ``done`` are in order."""

    tiles: tuple[TerritoryId, ...]
    done: tuple[TerritoryId, ...] = ()


class MoveOnto(Question, frozen=True, kw_only=True):
    """Does a clan move onto the new tile, and from where?"""

    territory: TerritoryId


class SpyMove(Question, frozen=True, kw_only=True):
    """Which clans move to an adjacent territory, if any? (rules, section 5.1, Scouts & Spies)."""


# Clash


class Clashes(Step, frozen=True, kw_only=True):
    """Clashes are due in these territories (rules, section 4.1)."""

    instigator: Seat
    territories: tuple[TerritoryId, ...]


class PickClash(Question, frozen=True, kw_only=True):
    """Which clash comes next?"""

    territories: tuple[TerritoryId, ...]


class StartClash(Step, frozen=True):
    """A clash starts, if two players are there and the instigator among them (house H12)."""

    territory: TerritoryId
    instigator: Seat


class Citadels(Step, frozen=True, kw_only=True):
    """C2: after whom the next is asked, and who declined since a clan went into a citadel."""

    after: Seat
    declined: tuple[Seat, ...] = ()


class TakeShelter(Prompt, frozen=True, kw_only=True):
    """Do you put a clan into a citadel?"""


class FirstManeuver(Step, frozen=True):
    """Whose maneuver is the first?"""


class Peace(Step, frozen=True, kw_only=True):
    """C5: before whose maneuver, and who said end."""

    due: Seat
    votes: tuple[Seat, ...] = ()


class MakePeace(Prompt, frozen=True, kw_only=True):
    """Shall the clash end?"""


class Maneuver(Question, frozen=True, kw_only=True):
    """C6: what is your maneuver?"""


class Defence(Step, frozen=True, kw_only=True):
    """
    The attacked player answers for the attack.

    Args:
        both: a clan and a card are lost (Iron Mine).
        attacker_says: the attacker says which (The Dagda's Club).
        ignored: nothing happens (Hills).
    """

    attacker: Seat
    target: Seat
    both: bool = False
    attacker_says: bool = False
    ignored: bool = False


class Defend(Prompt, frozen=True, kw_only=True):
    """Do you discard an Action card, or lose a clan?"""


class ClubChoice(Prompt, frozen=True, kw_only=True):
    """Does the attacked player discard an Action card, or lose a clan? (rules, section 5.4, The Dagda's Club)."""


class IgnoreAttack(Step, frozen=True):
    """The attack being answered has no effect."""


class TightenAttack(Step, frozen=True):
    """The attack being answered takes both, or the attacker says what it takes."""

    both: bool


class RaidHand(Step, frozen=True):
    """The attacked player loses a random Action card or an exposed clan (rules, section 5.1, Raid)."""


class NamePlayer(Question, frozen=True, kw_only=True):
    """Who becomes the instigator (Highlands), or performs the next maneuver (Warlord)?"""

    purpose: Literal["instigator", "next"]


class EmptyCitadels(Step, frozen=True):
    """All clans come out of the citadels."""


class RaiseSpear(Step, frozen=True):
    """No Triskel card may be played until the clash ends."""


class StopClash(Step, frozen=True):
    """The clash ends at once."""


class AfterManeuver(Step, frozen=True):
    """Whose maneuver is next?"""


class EndClash(Step, frozen=True):
    """C8."""
