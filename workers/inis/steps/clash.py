"""Steps of a clash (rules, section 4)."""

from __future__ import annotations

from typing import Literal

from events.inis.vocabulary import TerritoryId
from events.messages import Seat
from workers.inis.steps import Question, Step
from workers.kit.decider import Prompt


class Clashes(Step, frozen=True, kw_only=True):
    """Clashes are due in these territories (rules, section 4.1)."""

    instigator: Seat
    territories: tuple[TerritoryId, ...]


class PickClash(Question, frozen=True, kw_only=True):
    """Which clash comes next? (rules, section 4.1)."""

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
    """Do you put a clan into a citadel? (rules, section 4.2, C2)."""


class FirstManeuver(Step, frozen=True):
    """Whose maneuver is the first? (rules, section 4.2, C4)."""


class Peace(Step, frozen=True, kw_only=True):
    """C5: before whose maneuver, and who said end."""

    due: Seat
    votes: tuple[Seat, ...] = ()


class MakePeace(Prompt, frozen=True, kw_only=True):
    """Shall the clash end? (rules, section 4.2, C5)."""


class Maneuver(Question, frozen=True, kw_only=True):
    """What is your maneuver? (rules, section 4.2, C6)."""


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
    """Do you discard an Action card, or lose a clan? (rules, section 4.2, C6)."""


class ClubChoice(Prompt, frozen=True, kw_only=True):
    """Does the attacked player discard an Action card, or lose a clan? (rules, section 5.4, The Dagda's Club)."""


class IgnoreAttack(Step, frozen=True):
    """The attack being answered has no effect."""


class TightenAttack(Step, frozen=True):
    """The attack being answered takes both, or the attacker says what it takes."""

    both: bool


class RaidHand(Step, frozen=True):
    """The attacked player loses a random Action card or an exposed clan (rules, section 5.1, Raid)."""

    seat: Seat


class NamePlayer(Question, frozen=True, kw_only=True):
    """Who becomes the instigator (Highlands), or performs the next maneuver (Warlord)? (rules, section 5)."""

    purpose: Literal["instigator", "next"]


class EmptyCitadels(Step, frozen=True):
    """All clans come out of the citadels."""


class RaiseSpear(Step, frozen=True):
    """No Triskel card may be played until the clash ends."""


class StopClash(Step, frozen=True):
    """The clash ends at once."""


class AfterManeuver(Step, frozen=True):
    """Whose maneuver is next? (rules, section 4.2, C7)."""


class EndClash(Step, frozen=True):
    """C8."""
